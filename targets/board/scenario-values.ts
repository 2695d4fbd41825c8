import { isShown } from '../runs/board-run.ts'
import type { BoardValues } from './board-columns.ts'
import type { Board } from './board.ts'
import { scenarioOf } from '../runs/scenario-name.ts'

/** Main metric's values of a scenario's runs, side by side: an instance has the same place in all. */
export interface ScenarioValues {
  readonly benchmark: string
  /** The runs' name without the model. */
  readonly scenario: string
  /**
   * By row of the board: NaN where a value could not be read, undefined where the instance was not asked. Absent for a
   * model without the run.
   */
  readonly values: readonly (readonly (number | undefined)[] | undefined)[]
  /** Number of each instance's source; absent where each stands for itself. */
  readonly sources?: readonly number[]
}

/**
 * All runs of a board whose values are at hand, whatever their coverage. Instances of other than public benchmarks stand
 * in the order of their values, so that none can be told from its place.
 */
export const scenarioValues = (
  { benchmarks, rows }: Board,
  values: readonly BoardValues[],
): readonly ScenarioValues[] => {
  const places = new Map(rows.map(({ model }, row) => [model.deployment, row]))
  return benchmarks.flatMap((benchmark) => {
    const own = values.filter((each) => each.benchmark === benchmark.name && places.has(each.deployment))
    const scenarios = [...new Set(own.map(({ run }) => scenarioOf(run)))]
    return scenarios.map((scenario) => {
      const aligned = align(
        own.filter(({ run }) => scenarioOf(run) === scenario),
        places,
      )
      return { benchmark: benchmark.name, scenario, ...(isShown(benchmark) ? aligned : shuffled(aligned)) }
    })
  })
}

type Aligned = Pick<ScenarioValues, 'values' | 'sources'>

const align = (runs: readonly BoardValues[], places: ReadonlyMap<string, number>): Aligned => {
  const instances = new Map<string, number>()
  const sources = new Map<string, number>()
  const sourceOf: number[] = []
  for (const { vector } of runs)
    for (const [at, id] of vector.ids.entries()) {
      if (instances.has(id)) continue
      instances.set(id, instances.size)
      const source = vector.clusters?.[at] ?? `id ${id}`
      if (!sources.has(source)) sources.set(source, sources.size)
      sourceOf.push(sources.get(source) ?? 0)
    }
  const values = Array.from<(number | undefined)[] | undefined>({ length: places.size })
  for (const { deployment, vector } of runs) {
    const row = places.get(deployment) ?? -1
    if (values[row] !== undefined) continue
    const own = Array.from<number | undefined>({ length: instances.size })
    for (const [at, id] of vector.ids.entries()) own[instances.get(id) ?? -1] = vector.values[at] ?? NaN
    values[row] = own
  }
  const isShared = runs.some(({ vector }) => vector.clusters !== undefined)
  return { values: Array.from(values), ...(isShared ? { sources: sourceOf } : {}) }
}

const shuffled = ({ values, sources }: Aligned): Aligned => {
  const count = values.find((own) => own !== undefined)?.length ?? 0
  const keyOf = (at: number): string =>
    [...values.map((own) => own?.[at]), sources?.[at]].map((value) => String(value)).join(' ')
  const keys = Array.from({ length: count }, (_, at) => keyOf(at))
  const order = keys
    .map((_, at) => at)
    .sort((a, b) => (keys[a] === keys[b] ? a - b : (keys[a] ?? '') < (keys[b] ?? '') ? -1 : 1))
  const names = new Map<number, number>()
  const renamed = (source: number): number => {
    const known = names.get(source) ?? names.size
    names.set(source, known)
    return known
  }
  return {
    values: values.map((own) => own && order.map((at) => own[at])),
    ...(sources && { sources: order.map((at) => renamed(sources[at] ?? 0)) }),
  }
}
