/** A run's values of one metric, instance by instance. */
export interface InstanceVector {
  /** Texts of the ids; runs of the same instances may share the list. */
  readonly ids: readonly string[]
  /** Means over trials, in the ids' order; NaN where a trial's value, or a judge's score, could not be read. */
  readonly values: Float64Array
  /** The source of each instance, such as a patient; absent where each stands for itself. */
  readonly clusters?: readonly string[]
}

/** The vector with each instance's source. @param sources by id; an instance that it lacks stands for itself */
export const withClusters = (vector: InstanceVector, sources: ReadonlyMap<string, string>): InstanceVector =>
  sources.size === 0
    ? vector
    : {
        ...vector,
        // No source can be taken for an instance's own.
        clusters: vector.ids.map((id) => {
          const source = sources.get(id)
          return source === undefined ? `id ${id}` : `source ${source}`
        }),
      }

/**
 * What each instance was drawn with, over several runs of one benchmark: its source, else its id. Runs that ask the same
 * ids ask the same rows in other words, and are one piece of evidence; where ids only happen to be the same, as rows that are
 * numbered in several files, this costs a few degrees of freedom and no validity.
 */
export const rowsOf = ({ ids, clusters }: InstanceVector): readonly string[] =>
  clusters ?? ids.map((id) => `id ${id}`)

/** The runs of one scenario side by side: an instance has the same place in all. */
export interface AlignedVectors {
  readonly instances: number
  /** By run, NaN where it has no value; undefined for a run without any. */
  readonly values: readonly (Float64Array | undefined)[]
  /** Name of each instance's source, the same in all benchmarks; absent where no run tells of one. */
  readonly sources?: readonly string[]
  /** True where the sources are but the rows' own ids, which tie a run to the benchmark's others. */
  readonly areRows?: boolean
}

/**
 * Instances are known again by their ids, and stand in the order in which the runs first name them.
 * @param benchmark that the ids belong to; sources are the same wherever they have one name
 * @param isOneOfSeveral scenarios of the benchmark: an instance is then told to be the row that it is in the others, too
 */
export const alignVectors = (
  runs: readonly (InstanceVector | undefined)[],
  benchmark = '',
  isOneOfSeveral = false,
): AlignedVectors => {
  const places = new Map<string, number>()
  const told: (string | undefined)[] = []
  let isTold = false
  for (const run of runs)
    for (const [at, id] of (run?.ids ?? []).entries()) {
      const place = places.get(id) ?? places.size
      places.set(id, place)
      const source = run?.clusters?.[at]
      isTold ||= source !== undefined
      // Runs that name no source may stand beside one that does.
      told[place] ??= source === `id ${id}` ? undefined : source
    }
  const sources =
    isTold || isOneOfSeveral
      ? {
          sources: Array.from(places.keys(), (id, place) => told[place] ?? `id ${benchmark} ${id}`),
          areRows: !isTold,
        }
      : {}
  return { instances: places.size, values: runs.map((run) => run && spread(run, places)), ...sources }
}

const spread = ({ ids, values }: InstanceVector, places: ReadonlyMap<string, number>): Float64Array => {
  const aligned = new Float64Array(places.size).fill(NaN)
  for (const [at, id] of ids.entries()) aligned[places.get(id) ?? -1] = values[at] ?? NaN
  return aligned
}
