import { scenarioLabel } from '../../content/scenario-label.ts'
import { shownBenchmark, shownMetric } from '../../content/shown-benchmark.ts'
import { isMeasured } from '../../../../targets/board/board-cell.ts'
import { usdPerThousand } from '../../../../targets/board/board-cost.ts'
import { scenarioOf } from '../../../../targets/runs/board-metric.ts'
import { isCovered } from '../../../../targets/record/coverage.ts'
import { modelPath, runPath } from '../../paths.ts'
import type { RunFacts, SiteSuite } from '../../site.ts'
import { modelValuesKey, scenariosOf, sourcesKey } from '../../values/values-files.ts'
import { visibleText } from '../../visible-text.ts'
import type { CompareData, CompareScenario, CompareTask } from './compare-data.ts'

/** What a suite's models can be compared by. */
export const makeCompareData = (suite: SiteSuite): CompareData => {
  const { board } = suite
  const scenarios = compareScenarios(suite)
  return {
    models: board.rows.map(({ model, label, spent, cells }) => ({
      key: model.deployment,
      label: visibleText(label),
      href: modelPath(board.suite, model.deployment),
      values: modelValuesKey(board.suite, model.deployment),
      usdPerThousand: spent === null ? null : usdPerThousand(spent),
      latency: spent?.latency ?? null,
      // Two models are compared on the runs that both have, whatever others have.
      unranked: cells.flatMap((cell, at) => (isMeasured(cell) ? [] : [at])),
    })),
    benchmarks: board.benchmarks.map((benchmark) => shownBenchmark(board.suite, benchmark)),
    scenarios,
    ...(scenarios.length === 0 ? {} : { sources: sourcesKey(board.suite) }),
    tasks: compareTasks(suite),
  }
}

const compareScenarios = (suite: SiteSuite): readonly CompareScenario[] => {
  const { board, runs } = suite
  const scenarios = scenariosOf(suite)
  const facts = new Map(
    runs.map(({ facts: own }) => [runKey(own.model.deployment, scenarioOf(own.name)), own] as const),
  )
  return scenarios.map(({ benchmark, scenario, areMeans }) => {
    const at = board.benchmarks.findIndex(({ name }) => name === benchmark)
    const name = board.benchmarks[at]?.displayName ?? benchmark
    return {
      key: scenario,
      label: labelOf(name, scenario, scenarios.filter((each) => each.benchmark === benchmark).length),
      benchmark: at,
      unranked: board.rows.flatMap(({ model }, row) => {
        const own = facts.get(runKey(model.deployment, scenario))
        return own !== undefined && isWhole(own) ? [] : [row]
      }),
      ...(areMeans && { areMeans }),
    }
  })
}

const runKey = (deployment: string, scenario: string): string => JSON.stringify([deployment, scenario])

const isWhole = ({ coverage }: RunFacts): boolean => isCovered(coverage, coverage.floor)

/** With the runs' arguments where a benchmark has several. */
const labelOf = (displayName: string, scenario: string, siblings: number): string =>
  siblings === 1 ? visibleText(displayName) : scenarioLabel(displayName, scenario)

/** Only runs whose instances lie beside their pages: those of public benchmarks. */
const compareTasks = ({ board, runs }: SiteSuite): readonly CompareTask[] => {
  const open = runs.filter(({ instances }) => instances !== undefined).map(({ facts }) => facts)
  const scenarios = [...new Set(open.map(({ name }) => scenarioOf(name)))]
  const places = new Map(board.rows.map(({ model }, place) => [model.deployment, place]))
  return scenarios.flatMap((key): readonly CompareTask[] => {
    const own = open.filter(({ name }) => scenarioOf(name) === key)
    const name = own[0]?.benchmark.name
    const benchmark = board.benchmarks.find((each) => each.name === name)
    // Two runs of one model under one name would be compared with each other.
    const models = new Set(own.map(({ model }) => model.deployment))
    if (benchmark === undefined || models.size < 2 || models.size < own.length) return []
    const siblings = scenarios.filter((other) =>
      open.some((run) => scenarioOf(run.name) === other && run.benchmark.name === name),
    )
    return [
      {
        key,
        label: labelOf(benchmark.displayName, key, siblings.length),
        ...shownMetric(benchmark),
        runs: own
          .map(({ suite, name: run, model }) => ({
            model: places.get(model.deployment) ?? -1,
            page: runPath(suite, run),
          }))
          .sort((a, b) => a.model - b.model),
      },
    ]
  })
}
