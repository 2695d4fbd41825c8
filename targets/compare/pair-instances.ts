import type { ComparedInstance } from './compared-run.ts'

/** The same instance in two runs. */
export interface InstancePair {
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
