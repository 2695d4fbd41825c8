import { isShown } from '../access/shown.ts'
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
  /** Number of each instance's source, the same over all scenarios; absent where each stands for itself. */
  readonly sources?: readonly number[]
  /** True where these are but the rows' own ids, which tie a scenario to the benchmark's others. */
  readonly areRows?: boolean
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
  const [numbers, renamed] = [new Numbers(), new Numbers()]
  return benchmarks.flatMap((benchmark) => {
    const own = values.filter((each) => each.benchmark === benchmark.name && places.has(each.deployment))
    const scenarios = [...new Set(own.map(({ run }) => scenarioOf(run)))]
    return scenarios.map((scenario) => {
      const aligned = align(
        own.filter(({ run }) => scenarioOf(run) === scenario),
        { places, numbers, isOneOfSeveral: scenarios.length > 1 },
      )
      const shown = isShown(benchmark) ? aligned : shuffled(aligned)
      return {
        benchmark: benchmark.name,
        scenario,
        values: shown.values,
        // In the order in which they are shown: numbers tell of no other.
        ...(shown.sources && { sources: shown.sources.map((source) => renamed.of(String(source))) }),
        ...(shown.sources && aligned.areRows === true && { areRows: true }),
      }
    })
  })
}

type Aligned = Pick<ScenarioValues, 'values' | 'sources' | 'areRows'>

/** Numbers names as they come. */
class Numbers {
  readonly #known = new Map<string, number>()

  of(name: string): number {
    const known = this.#known.get(name) ?? this.#known.size
    this.#known.set(name, known)
    return known
  }
}

interface Alignment {
  readonly places: ReadonlyMap<string, number>
  readonly numbers: Numbers
  /** Scenarios of the benchmark: instances of one id are then one row, asked in other words. */
  readonly isOneOfSeveral: boolean
}

const align = (runs: readonly BoardValues[], { places, numbers, isOneOfSeveral }: Alignment): Aligned => {
  const instances = new Map<string, number>()
  const told: (string | undefined)[] = []
  for (const { vector } of runs)
    for (const [at, id] of vector.ids.entries()) {
      const place = instances.get(id) ?? instances.size
      instances.set(id, place)
      const source = vector.clusters?.[at]
      told[place] ??= source === `id ${id}` ? undefined : source
    }
  const sources = Array.from(instances.keys(), (id, place) =>
    numbers.of(told[place] ?? `id ${runs[0]?.benchmark} ${id}`),
  )
  const values = Array.from<(number | undefined)[] | undefined>({ length: places.size })
  for (const { deployment, vector } of runs) {
    const row = places.get(deployment) ?? -1
    if (values[row] !== undefined) continue
    const own = Array.from<number | undefined>({ length: instances.size })
    for (const [at, id] of vector.ids.entries()) own[instances.get(id) ?? -1] = vector.values[at] ?? NaN
    values[row] = own
  }
  const isTold = runs.some(({ vector }) => vector.clusters !== undefined)
  return { values: Array.from(values), ...(isTold || isOneOfSeveral ? { sources, areRows: !isTold } : {}) }
}

const shuffled = ({ values, sources }: Aligned): Aligned => {
  const count = values.find((own) => own !== undefined)?.length ?? 0
  const keyOf = (at: number): string =>
    [...values.map((own) => own?.[at]), sources?.[at]].map((value) => String(value)).join(' ')
  const keys = Array.from({ length: count }, (_, at) => keyOf(at))
  const order = keys
    .map((_, at) => at)
    .sort((a, b) => (keys[a] === keys[b] ? a - b : (keys[a] ?? '') < (keys[b] ?? '') ? -1 : 1))
  return {
    values: values.map((own) => own && order.map((at) => own[at])),
    ...(sources && { sources: order.map((at) => sources[at] ?? 0) }),
  }
}
