import type { Attribute } from '../../benchmarks/scenario/benchmark.ts'

/** Groups that instances belong to, by id and attribute; an instance without any is left out. */
export type InstanceGroups = ReadonlyMap<string, Readonly<Record<string, string>>>

/** What is known of the instances of a run. */
export interface KnownGroups {
  readonly attributes: readonly Attribute[]
  readonly groups: InstanceGroups
}

/** HELM's field of an instance, as an attribute. */
export const SUB_SPLIT = 'sub_split'
