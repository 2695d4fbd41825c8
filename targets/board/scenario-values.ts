import { isShown } from '../access/suppress-small.ts'
import type { BoardValues } from './board-columns.ts'
import type { Board } from './board.ts'
import { alignVectors, type AlignedVectors } from '../runs/aligned-vectors.ts'
import { scenarioOf } from '../runs/board-metric.ts'

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
  const deployments = new Set(rows.map(({ model }) => model.deployment))
  const [numbers, renamed] = [new Numbers(), new Numbers()]
  return benchmarks.flatMap((benchmark) => {
    const own = values.filter((each) => each.benchmark === benchmark.name && deployments.has(each.deployment))
    const scenarios = [...new Set(own.map(({ run }) => scenarioOf(run)))]
    return scenarios.map((scenario) => {
      const ofScenario = own.filter(({ run }) => scenarioOf(run) === scenario)
      const aligned = alignVectors(
        ofScenario.map(({ vector }) => vector),
        benchmark.name,
        scenarios.length > 1,
      )
      const sources = aligned.sources?.map((source) => numbers.of(source))
      const lists = rows.map(({ model }) => {
        const run = ofScenario.findIndex(({ deployment }) => deployment === model.deployment)
        return run === -1 ? undefined : listOf(aligned, run)
      })
      const listed = { values: lists, ...(sources && { sources }) }
      const shown = isShown(benchmark) ? listed : shuffled(listed)
      return {
        benchmark: benchmark.name,
        scenario,
        values: shown.values,
        // In the order in which they are shown: numbers tell of no other.
        ...(shown.sources && { sources: shown.sources.map((source) => renamed.of(String(source))) }),
        ...(aligned.areRows === true && { areRows: true }),
      }
    })
  })
}

/** A run's values, undefined where it was not asked. */
const listOf = ({ values, asked }: AlignedVectors, run: number): readonly (number | undefined)[] =>
  Array.from(values[run] ?? [], (value, at) => (asked?.[run]?.[at] === 0 ? undefined : value))

type Listed = Pick<ScenarioValues, 'values' | 'sources'>

/** Numbers names as they come. */
class Numbers {
  readonly #known = new Map<string, number>()

  of(name: string): number {
    const known = this.#known.get(name) ?? this.#known.size
    this.#known.set(name, known)
    return known
  }
}

const shuffled = ({ values, sources }: Listed): Listed => {
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
