import { remembered } from '../../../cache/once.ts'
import { sumOver } from '../../../cache/lists.ts'
import { scenarioValues, type ScenarioValues } from '../../../targets/board/scenario-values.ts'
import { defined } from '../../../cache/values/defined.ts'
import type { Board } from '../../../targets/board/board.ts'
import { sumOfCosts } from '../../../targets/spend/spending.ts'
import { scenarioOf } from '../../../targets/runs/board-metric.ts'
import { chunkScript } from '../emit/chunk-script.ts'
import { fileId } from '../emit/file-id.ts'
import type { SiteFile } from '../site-page.ts'
import type { SiteSuite } from '../site.ts'
import { packed, packedSources, type PackedSources, type PackedValues } from './packed.ts'

/** One model's values, by scenario in the order of `scenariosOf`; 0 without the run. */
export type ModelValues = readonly (PackedValues | 0)[]

/** What a board needs of one benchmark to rank models by any set of them. */
export interface BenchmarkValues {
  readonly scenarios: readonly {
    /** By row; 0 without the run. */
    readonly values: readonly (PackedValues | 0)[]
    readonly sources: PackedSources
    /** By row, true where values are means over several trials; absent where none are. */
    readonly areMeans?: readonly boolean[]
  }[]
  /** By row; 0 where a run's files do not tell. */
  readonly spent: readonly (SpentSum | 0)[]
}

/** Of the models' own replies; tokens null where a reply told none, `usd` also where a price is not known. */
export type SpentSum = readonly [
  calls: number,
  inputTokens: number | null,
  outputTokens: number | null,
  seconds: number,
  usd: number | null,
  /** Replies that `seconds` are of. */
  timed: number,
]

/** The instances' sources, by scenario. */
export type ScenarioSources = readonly PackedSources[]

/** Keys of the chunks in `data/`. */
export const modelValuesKey = (suite: string, deployment: string): string =>
  fileId('values', suite, deployment)
export const benchmarkValuesKey = (suite: string, benchmark: string): string =>
  fileId('scores', suite, benchmark)
export const sourcesKey = (suite: string): string => fileId('sources', suite)

const known = new WeakMap<SiteSuite, readonly ScenarioValues[]>()

/** The scenarios of which values are at hand, in the board's order. */
export const scenariosOf = (suite: SiteSuite): readonly ScenarioValues[] =>
  remembered(known, suite, () => scenarioValues(suite.board, suite.values ?? []))

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
  for (const [column, { name }] of board.benchmarks.entries()) {
    const counted = countedIn(board, column)
    yield file(benchmarkValuesKey(board.suite, name), {
      scenarios: scenarios.flatMap(({ benchmark, ...each }, at) =>
        benchmark === name && counted.has(each.scenario)
          ? [defined({ values: cells[at] ?? [], sources: packedSources(each), areMeans: each.areMeans })]
          : [],
      ),
      spent: board.rows.map(({ model }) => spentOn(suite, name, model.deployment)),
    } satisfies BenchmarkValues)
  }
  yield file(sourcesKey(board.suite), scenarios.map(packedSources) satisfies ScenarioSources)
}

/** Scenarios that a benchmark's models are ranked by. */
const countedIn = ({ rows }: Board, column: number): ReadonlySet<string> =>
  new Set(
    rows.flatMap(({ cells }) => {
      const cell = cells[column]
      return cell === undefined || cell.missingRuns !== undefined ? [] : cell.runs.map(scenarioOf)
    }),
  )

/** 0 where any of the runs does not tell: a part of a sum is no sum. */
const spentOn = ({ runs }: SiteSuite, benchmark: string, deployment: string): SpentSum | 0 => {
  const own = runs.filter(
    ({ facts }) => facts.benchmark.name === benchmark && facts.model.deployment === deployment,
  )
  const lines = own.flatMap(({ facts }) => facts.spent.find(({ judge }) => judge === undefined) ?? [])
  if (lines.length === 0 || lines.length < own.length) return 0
  const sum = sumOver(lines)
  return [
    sum(({ calls }) => calls),
    sumOfCosts(lines.map(({ inputTokens }) => inputTokens)),
    sumOfCosts(lines.map(({ outputTokens }) => outputTokens)),
    sum(({ seconds }) => seconds),
    sumOfCosts(lines.map(({ usd }) => usd)),
    sum(({ timed }) => timed),
  ]
}

const file = (key: string, value: unknown): SiteFile => ({
  path: `data/${key}.js`,
  text: chunkScript(key, value),
})
