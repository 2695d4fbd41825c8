import { scenarioValues, type ScenarioValues } from '../../../targets/board/scenario-values.ts'
import { chunkScript } from '../emit/chunk-script.ts'
import { fileId } from '../emit/file-id.ts'
import type { SiteFile } from '../site-page.ts'
import type { SiteSuite } from '../site.ts'
import { packed, type Packed } from './packed.ts'

/** One model's values, by scenario in the order of `scenariosOf`; 0 without the run. */
export type ModelValues = readonly (Packed | 0)[]

/** Every model's values of one benchmark, by its scenarios, then by row; 0 without the run. */
export type BenchmarkValues = readonly (readonly (Packed | 0)[])[]

/** The instances' sources, by scenario; 0 where each stands for itself. */
export type ScenarioSources = readonly (Packed | 0)[]

/** Keys of the chunks in `data/`. */
export const modelValuesKey = (suite: string, deployment: string): string =>
  fileId('values', suite, deployment)
export const benchmarkValuesKey = (suite: string, benchmark: string): string =>
  fileId('scores', suite, benchmark)
export const sourcesKey = (suite: string): string => fileId('sources', suite)

const known = new WeakMap<SiteSuite, readonly ScenarioValues[]>()

/** The scenarios of which values are at hand, in the board's order. */
export const scenariosOf = (suite: SiteSuite): readonly ScenarioValues[] => {
  const scenarios = known.get(suite) ?? scenarioValues(suite.board, suite.values ?? [])
  known.set(suite, scenarios)
  return scenarios
}

/** What pages compare models by: values without ids or texts, by model and by benchmark. */
export function* valuesFiles(suite: SiteSuite): Generator<SiteFile> {
  const { board } = suite
  const scenarios = scenariosOf(suite)
  if (scenarios.length === 0) return
  const cells = scenarios.map(({ values }) => values.map((own) => (own === undefined ? 0 : packed(own))))
  for (const [row, { model }] of board.rows.entries())
    yield file(
      modelValuesKey(board.suite, model.deployment),
      cells.map((own) => own[row] ?? 0) satisfies ModelValues,
    )
  for (const { name } of board.benchmarks)
    yield file(
      benchmarkValuesKey(board.suite, name),
      cells.filter((_, at) => scenarios[at]?.benchmark === name) satisfies BenchmarkValues,
    )
  yield file(
    sourcesKey(board.suite),
    scenarios.map(({ sources }) => (sources === undefined ? 0 : packed(sources))) satisfies ScenarioSources,
  )
}

const file = (key: string, value: unknown): SiteFile => ({
  path: `data/${key}.js`,
  text: chunkScript(key, value),
})
