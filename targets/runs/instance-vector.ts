import type { Attribute } from '../../benchmarks/scenario/benchmark.ts'

/** A run's values of one metric, instance by instance. */
export interface InstanceVector {
  /** Texts of the ids; runs of the same instances may share the list. */
  readonly ids: readonly string[]
  /** Means over trials, in the ids' order; NaN where a trial's value, or a judge's score, could not be read. */
  readonly values: Float64Array
  /** The source of each instance, such as a patient; absent where each stands for itself. */
  readonly clusters?: readonly string[]
  /** Digest of each one's question; absent where ids are the same in all runs of a suite. */
  readonly questions?: readonly string[]
  /** True where values are means over several trials, none of which is then 0 or 1 by definition. */
  readonly areMeans?: boolean
}

/** With each instance's source. @param sources by id; an instance that it lacks stands for itself */
export const withClusters = <Run extends Listed>(vector: Run, sources: ReadonlyMap<string, string>): Run =>
  sources.size === 0
    ? vector
    : {
        ...vector,
        // No source can be taken for an instance's own.
        clusters: vector.ids.map((id) => {
          const source = sources.get(id)
          return source === undefined ? ownSource(id) : `source ${source}`
        }),
      }

const ownSource = (id: string): string => `id ${id}`

type Listed = Pick<InstanceVector, 'ids' | 'clusters'>

/** The source that an instance shares with others; undefined where it stands for itself. */
export const sourceAt = ({ ids, clusters }: Listed, at: number): string | undefined => {
  const source = clusters?.[at]
  return source === ownSource(ids[at] ?? '') ? undefined : source
}

/** The same instances by other ids, in the order of their own. */
export const withIds = <Run extends Listed>(run: Run, ids: readonly string[]): Run => ({
  ...run,
  ids,
  ...(run.clusters && { clusters: ids.map((id, at) => sourceAt(run, at) ?? ownSource(id)) }),
})

/**
 * What each instance was drawn with, over several runs of one benchmark: its source, else its id. Runs that ask the same
 * ids ask the same rows in other words, and are one piece of evidence; where ids only happen to be the same, as rows that are
 * numbered in several files, this costs a few degrees of freedom and no validity.
 */
export const rowsOf = ({ ids, clusters }: InstanceVector): readonly string[] => clusters ?? ids.map(ownSource)

/** Groups that instances belong to, by id and attribute; an instance without any is left out. */
export type InstanceGroups = ReadonlyMap<string, Readonly<Record<string, string>>>

/** What is known of the instances of a run. */
export interface KnownGroups {
  readonly attributes: readonly Attribute[]
  readonly groups: InstanceGroups
}

/** HELM's field of an instance, as an attribute. */
export const SUB_SPLIT = 'sub_split'
