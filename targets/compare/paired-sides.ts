import type { PairedSides } from '../statistics/paired/paired-sides.ts'
import type { RunPair } from './compare-runs.ts'
import type { ComparedInstance } from './compared-run.ts'

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

/** The same instance in two runs. */
interface InstancePair {
  readonly a: ComparedInstance
  readonly b: ComparedInstance
}

/**
 * Finds the same instances in two runs. Equal digests are the same question; of several alike the first belongs to the
 * first. A new prompt alters the text of all: what is left on both sides under the same ids, with the same right
 * answers, is the same question in other words. Where ids came or went they may have shifted, and none is trusted.
 */
export const pairInstances = (
  a: readonly ComparedInstance[],
  b: readonly ComparedInstance[],
): readonly InstancePair[] => {
  const waiting = new Map<string, ComparedInstance[]>()
  for (const each of b) waiting.set(each.digest, [...(waiting.get(each.digest) ?? []), each])
  const pairs: InstancePair[] = []
  const left: ComparedInstance[] = []
  for (const each of a) {
    const twin = waiting.get(each.digest)?.shift()
    if (twin === undefined) left.push(each)
    else pairs.push({ a: each, b: twin })
  }
  const others = new Map([...waiting.values()].flat().map((each) => [each.id, each]))
  if (left.length !== others.size || left.some(({ id }) => !others.has(id))) return pairs
  for (const each of left) {
    const other = others.get(each.id)
    if (other !== undefined && other.references === each.references) pairs.push({ a: each, b: other })
  }
  return pairs
}
