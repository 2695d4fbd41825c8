import { remembered } from '../../cache/once.ts'
import { isShown } from '../access/suppress-small.ts'
import type { BoardValues } from './board-columns.ts'
import type { Board } from './board.ts'
import { alignVectors, meansOf, type AlignedVectors } from '../runs/aligned-vectors.ts'
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
  /** By row of the board, true where values are means over several trials; absent where none are. */
  readonly areMeans?: readonly boolean[]
}

/**
 * All runs of a board whose values are at hand, whatever their coverage. Instances of other than public benchmarks stand
 * in the order of their values, so that none can be told from its place.
 */
export const scenarioValues = (
  { benchmarks, rows }: Board,
  values: readonly BoardValues[],
): readonly ScenarioValues[] => {
  const given = benchmarks.flatMap((benchmark) => {
    const own = values.filter((each) => each.benchmark === benchmark.name)
    const scenarios = [...new Set(own.map(({ run }) => scenarioOf(run)))]
    return scenarios.map((scenario): GivenScenario => {
      const ofScenario = own.filter(({ run }) => scenarioOf(run) === scenario)
      const aligned = alignVectors(
        ofScenario.map(({ vector }) => vector),
        benchmark.name,
        scenarios.length > 1,
      )
      const places = rows.map(({ model }) =>
        ofScenario.findIndex(({ deployment }) => deployment === model.deployment),
      )
      const lists = places.map((run) => (run === -1 ? undefined : listOf(aligned, run)))
      const { instances, sources, areRows, areMeans } = aligned
      return {
        benchmark: benchmark.name,
        scenario,
        lists,
        keys: Array.from({ length: instances }, (_, at) =>
          isShown(benchmark) ? String(at) : lists.map((list) => String(list?.[at])).join(' '),
        ),
        isShown: isShown(benchmark),
        ...(sources && { sources }),
        ...(areRows === true && { areRows }),
        ...(areMeans && meansOf(places.map((run) => areMeans[run] === true))),
      }
    })
  })
  const kinds = sourceKinds(given)
  const numbers = new Numbers()
  return given.map(({ benchmark, scenario, lists, sources, areRows, areMeans, ...each }) => {
    const order = orderOf({ ...each, ...(sources && { sources }) }, kinds)
    return {
      benchmark,
      scenario,
      values: lists.map((list) => list && order.map((at) => list[at])),
      // In the order in which they are shown: numbers tell of no other.
      ...(sources && { sources: order.map((at) => numbers.of(sources[at] ?? '')) }),
      ...(areRows && { areRows }),
      ...(areMeans && { areMeans }),
    }
  })
}

/** A scenario as its runs tell it, in the data's order. */
interface GivenScenario extends Pick<ScenarioValues, 'benchmark' | 'scenario' | 'areRows' | 'areMeans'> {
  readonly lists: ScenarioValues['values']
  readonly sources?: readonly string[]
  /** What is told of each instance: its values, of a public benchmark its place. */
  readonly keys: readonly string[]
  readonly isShown: boolean
}

/** A run's values, undefined where it was not asked. */
const listOf = ({ values, asked }: AlignedVectors, run: number): readonly (number | undefined)[] =>
  Array.from(values[run] ?? [], (value, at) => (asked?.[run]?.[at] === 0 ? undefined : value))

/** Numbers names as they come. */
class Numbers {
  readonly #known = new Map<string, number>()

  of(name: string): number {
    return remembered(this.#known, name, () => this.#known.size)
  }
}

/**
 * All that is told of each source, over all scenarios. Sources of one kind may change places and nothing that is told
 * changes: an order by kinds holds nothing of the data's.
 */
const sourceKinds = (given: readonly GivenScenario[]): ReadonlyMap<string, string> => {
  const told = new Map<string, string[]>()
  for (const [place, { keys, sources = [] }] of given.entries())
    for (const [at, source] of sources.entries())
      remembered(told, source, () => []).push(`${place}: ${keys[at] ?? ''}`)
  return new Map([...told].map(([source, own]) => [source, own.sort().join('\n')]))
}

/** Of instances that are alike, those of sources of one kind stand together, each source's own side by side. */
const orderOf = (
  { keys, sources, isShown: isPublic }: Pick<GivenScenario, 'keys' | 'sources' | 'isShown'>,
  kinds: ReadonlyMap<string, string>,
): readonly number[] => {
  const places = keys.map((_, at) => at)
  if (isPublic) return places
  const parts = (at: number): readonly string[] => {
    const source = sources?.[at] ?? ''
    return [keys[at] ?? '', kinds.get(source) ?? '', source]
  }
  const all = places.map((at) => ({ at, by: parts(at) }))
  return all
    .sort((a, b) => {
      const level = a.by.findIndex((part, each) => part !== b.by[each])
      return level === -1 ? 0 : (a.by[level] ?? '') < (b.by[level] ?? '') ? -1 : 1
    })
    .map(({ at }) => at)
}
