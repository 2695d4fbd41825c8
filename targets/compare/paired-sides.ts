import type { PairedSides } from '../statistics/paired/paired-sides.ts'
import type { RunPair } from './compare-runs.ts'
import { pairInstances } from './pair-instances.ts'

/** Two sides with a name for each row, the same whatever model was asked, and in whatever words. */
export interface NamedSides extends PairedSides {
  readonly rows: readonly string[]
}

/** A metric's values of two runs on the instances that both were asked; NaN where one has none that could be read. */
export const pairedSides = ({ a, b }: RunPair, metric: string): NamedSides => {
  const pairs = pairInstances(a.instances, b.instances)
  // No source has such a name.
  const rows = pairs.map((pair) => `row\u0000${b.benchmark}\u0000${pair.b.id}`)
  // HELM's files name no source, what they are compared with may.
  const sources = pairs.map((pair) => pair.b.cluster ?? pair.a.cluster)
  return {
    benchmark: b.benchmark,
    rows,
    a: pairs.map((pair) => pair.a.values.get(metric) ?? NaN),
    b: pairs.map((pair) => pair.b.values.get(metric) ?? NaN),
    // Instances without a source among others that have one stand for themselves.
    ...(sources.some((source) => source !== undefined) && {
      sources: sources.map((source, at) => source ?? rows[at] ?? ''),
    }),
  }
}
