import { sourceAt, type InstanceVector } from './instance-vector.ts'

/** The runs of one scenario side by side: an instance has the same place in all. */
export interface AlignedVectors {
  readonly instances: number
  /** By run, NaN where it has no value; undefined for a run without any. */
  readonly values: readonly (Float64Array | undefined)[]
  /** By run, 1 for an instance that it was asked; undefined for a run that was asked all, absent where every run was. */
  readonly asked?: readonly (Uint8Array | undefined)[]
  /** By run, true where its values are means over several trials; absent where none are. */
  readonly areMeans?: readonly boolean[]
  /** Name of each instance's source, the same in all benchmarks; absent where no run tells of one. */
  readonly sources?: readonly string[]
  /** True where the sources are but the rows' own ids, which tie a run to the benchmark's others. */
  readonly areRows?: boolean
}

/** A run that is aligned; without values it still names its instances and what they share. */
export type AlignableVector = Omit<InstanceVector, 'values'> & Partial<Pick<InstanceVector, 'values'>>

/**
 * Instances are known again by their ids, and stand in the order in which the runs first name them.
 * @param benchmark that the ids belong to; sources are the same wherever they have one name
 * @param isOneOfSeveral scenarios of the benchmark: an instance is then told to be the row that it is in the others, too
 */
export const alignVectors = (
  runs: readonly (AlignableVector | undefined)[],
  benchmark = '',
  isOneOfSeveral = false,
): AlignedVectors => {
  const places = new Map<string, number>()
  const told: (string | undefined)[] = []
  for (const run of runs)
    for (const [at, id] of (run?.ids ?? []).entries()) {
      const place = places.get(id) ?? places.size
      places.set(id, place)
      // Runs that name no source may stand beside one that does.
      told[place] ??= run && sourceAt(run, at)
    }
  const isTold = runs.some((run) => run?.clusters !== undefined && run.ids.length > 0)
  const sources = (isTold || isOneOfSeveral) && {
    sources: Array.from(places.keys(), (id, place) => told[place] ?? `id ${benchmark} ${id}`),
    areRows: !isTold,
  }
  return { ...spread(runs, places), ...meansOf(runs.map((run) => run?.areMeans === true)), ...sources }
}

/** @param areMeans by run */
export const meansOf = (areMeans: readonly boolean[]): Pick<AlignedVectors, 'areMeans'> =>
  areMeans.includes(true) ? { areMeans } : {}

const spread = (
  runs: readonly (AlignableVector | undefined)[],
  places: ReadonlyMap<string, number>,
): Pick<AlignedVectors, 'instances' | 'values' | 'asked'> =>
  asAligned(
    places.size,
    runs.map((run) => {
      if (run?.values === undefined) return undefined
      const values = new Float64Array(places.size).fill(NaN)
      const asked = new Uint8Array(places.size)
      for (const [at, id] of run.ids.entries()) {
        const place = places.get(id) ?? -1
        values[place] = run.values[at] ?? NaN
        asked[place] = 1
      }
      return { values, asked }
    }),
  )

/** The same of lists that are side by side already: undefined where an instance was not asked. */
export const alignedLists = (
  instances: number,
  runs: readonly (readonly (number | undefined)[] | undefined)[],
): Pick<AlignedVectors, 'instances' | 'values' | 'asked'> =>
  asAligned(
    instances,
    runs.map(
      (run) =>
        run && {
          values: Float64Array.from(run, (value) => value ?? NaN),
          asked: Uint8Array.from(run, (value) => (value === undefined ? 0 : 1)),
        },
    ),
  )

const asAligned = (
  instances: number,
  runs: readonly ({ readonly values: Float64Array; readonly asked: Uint8Array } | undefined)[],
): Pick<AlignedVectors, 'instances' | 'values' | 'asked'> => {
  const asked = runs.map((run) => (run?.asked.includes(0) === true ? run.asked : undefined))
  return {
    instances,
    values: runs.map((run) => run?.values),
    ...(asked.some((own) => own !== undefined) && { asked }),
  }
}

/** Values of one or two of the runs, with the sources of their instances. */
interface Told<Values> {
  readonly values: Values
  readonly sources?: readonly string[]
  /** Whether any of them are means over several trials. */
  readonly areMeans: boolean
}

/** One run's values of the instances that it was asked; undefined without any. */
export const ownValues = (
  { values, sources, asked, areMeans: means }: AlignedVectors,
  run: number,
): Told<Float64Array> | undefined => {
  const own = values[run]
  if (own === undefined) return undefined
  const is = asked?.[run]
  const areMeans = means?.[run] === true
  if (is === undefined) return { values: own, areMeans, ...(sources && { sources }) }
  const isAsked = (_: unknown, at: number): boolean => is[at] === 1
  return { values: own.filter(isAsked), areMeans, ...(sources && { sources: sources.filter(isAsked) }) }
}

/** Two runs' values of the instances that both were asked; undefined where one has none, or they share no instance. */
export const bothValues = (
  { values, sources, asked, areMeans: means }: AlignedVectors,
  left: number,
  right: number,
): Told<readonly [Float64Array, Float64Array]> | undefined => {
  const [a, b] = [values[left], values[right]]
  if (a === undefined || b === undefined) return undefined
  const [isA, isB] = [asked?.[left], asked?.[right]]
  const areMeans = means?.[left] === true || means?.[right] === true
  if (isA === undefined && isB === undefined) return { values: [a, b], areMeans, ...(sources && { sources }) }
  const isAsked = (_: unknown, at: number): boolean => isA?.[at] !== 0 && isB?.[at] !== 0
  const ofA = a.filter(isAsked)
  if (ofA.length === 0) return undefined
  return {
    values: [ofA, b.filter(isAsked)],
    areMeans,
    ...(sources && { sources: sources.filter(isAsked) }),
  }
}

/** Places of the instances that all runs with values have in full. */
export const commonPlaces = ({ instances, values }: AlignedVectors): readonly number[] => {
  const known = values.filter((own) => own !== undefined)
  return Array.from({ length: instances }, (_, at) => at).filter((at) =>
    known.every((own) => !Number.isNaN(own[at] ?? NaN)),
  )
}
