import { scenarioOf } from '../../../../targets/runs/scenario-name.ts'
import { runPath } from '../../paths.ts'
import type { SiteSuite } from '../../site.ts'
import { visibleText } from '../../visible-text.ts'
import type { CompareData, CompareTask } from './compare-data.ts'

/** Only runs whose instances lie beside their pages: those of public benchmarks. */
export const makeCompareData = ({ board, runs }: Pick<SiteSuite, 'board' | 'runs'>): CompareData => {
  const open = runs.filter(({ instances }) => instances !== undefined).map(({ facts }) => facts)
  const scenarios = [...new Set(open.map(({ name }) => scenarioOf(name)))]
  const places = new Map(board.rows.map(({ model }, place) => [model.deployment, place]))
  const tasks = scenarios.flatMap((key): readonly CompareTask[] => {
    const own = open.filter(({ name }) => scenarioOf(name) === key)
    const name = own[0]?.benchmark.name
    const benchmark = board.benchmarks.find((each) => each.name === name)
    // Two runs of one model under one name would be compared with each other.
    const models = new Set(own.map(({ model }) => model.deployment))
    if (benchmark === undefined || models.size < 2 || models.size < own.length) return []
    const { mainMetric, displayName } = benchmark
    const siblings = scenarios.filter((other) =>
      open.some((run) => scenarioOf(run.name) === other && run.benchmark.name === name),
    )
    return [
      {
        key,
        label: visibleText(siblings.length === 1 ? displayName : `${displayName} (${key})`),
        metric: mainMetric.name,
        isBinary: mainMetric.isBinary,
        ...(mainMetric.range === undefined ? {} : { range: mainMetric.range }),
        ...(mainMetric.lowerIsBetter === undefined ? {} : { lowerIsBetter: mainMetric.lowerIsBetter }),
        runs: own
          .map(({ suite, name: run, model }) => ({
            model: places.get(model.deployment) ?? -1,
            page: runPath(suite, run),
          }))
          .sort((a, b) => a.model - b.model),
      },
    ]
  })
  return {
    models: board.rows.map(({ model, label }) => ({ key: model.deployment, label: visibleText(label) })),
    tasks,
  }
}
