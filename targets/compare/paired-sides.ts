import { sourceAt } from '../runs/instance-vector.ts'
import type { ComparedRun } from './compared-run.ts'
import type { PairedSides } from '../statistics/paired/paired-sides.ts'

/** Two sides with a name for each row, the same whatever model was asked, and in whatever words. */
interface NamedSides extends PairedSides {
  readonly rows: readonly string[]
}

/** What of a run decides which of its instances are another's, and how they differ. */
export type PairableSide = Pick<
  ComparedRun,
  'benchmark' | 'ids' | 'instances' | 'clusters' | 'areMeans' | 'values'
>

interface PairableSides {
  readonly a: PairableSide
  readonly b: PairableSide
}

/** A benchmark's runs that share an instance: runs that ask the same rows are one piece of evidence. */
export const benchmarkSides = (
  pairs: readonly PairableSides[],
  metric: string,
  areIdsKept = true,
): readonly NamedSides[] =>
  pairs
    .map((pair) => pairedSides(pair, metric, areIdsKept))
    .filter(({ rows }) => rows.length > 0)
    .map((run, _, { length }) => (length > 1 ? { ...run, sources: run.sources ?? run.rows } : run))

/**
 * A metric's values of two runs on the instances that both were asked; NaN where one has none that could be read.
 * @param areIdsKept false where the data are others, whose ids may be of other rows
 */
export const pairedSides = ({ a, b }: PairableSides, metric: string, areIdsKept = true): NamedSides => {
  const pairs = pairInstances(a, b, areIdsKept)
  // No source has such a name.
  const rows = pairs.map((pair) => `row\u0000${b.benchmark}\u0000${b.ids[pair.b]}`)
  // HELM's files name no source, what they are compared with may.
  const sources = pairs.map((pair) => sourceAt(b, pair.b) ?? sourceAt(a, pair.a))
  const [ofA, ofB] = [a.values.get(metric), b.values.get(metric)]
  const alike = pairs.flatMap((pair, at) => {
    const own = b.instances[pair.b]?.results
    return own !== undefined && own === a.instances[pair.a]?.results ? [at] : []
  })
  return {
    benchmark: b.benchmark,
    rows,
    a: pairs.map((pair) => ofA?.[pair.a] ?? NaN),
    b: pairs.map((pair) => ofB?.[pair.b] ?? NaN),
    ...(alike.length > 0 && { alike: new Set(alike) }),
    areMeans: a.areMeans === true || b.areMeans === true,
    // Instances without a source among others that have one stand for themselves.
    ...(sources.some((source) => source !== undefined) && {
      sources: sources.map((source, at) => source ?? rows[at] ?? ''),
    }),
  }
}

/** The same instance in two runs: its place in each. */
interface InstancePair {
  readonly a: number
  readonly b: number
}

/**
 * Finds the same instances in two runs. Equal digests are the same question; of several alike the first belongs to the
 * first. A new prompt alters the text of all: what is left on both sides under the same ids, with the same right
 * answers, is the same question in other words. Where ids came or went they may have shifted, and none is trusted.
 */
export const pairInstances = (
  a: Pick<ComparedRun, 'ids' | 'instances'>,
  b: Pick<ComparedRun, 'ids' | 'instances'>,
  areIdsKept = true,
): readonly InstancePair[] => {
  const waiting = new Map<string, number[]>()
  for (const [at, { digest }] of b.instances.entries())
    waiting.set(digest, [...(waiting.get(digest) ?? []), at])
  const pairs: InstancePair[] = []
  const left: number[] = []
  for (const [at, { digest }] of a.instances.entries()) {
    const twin = waiting.get(digest)?.shift()
    if (twin === undefined) left.push(at)
    else pairs.push({ a: at, b: twin })
  }
  if (!areIdsKept) return pairs
  const others = new Map([...waiting.values()].flat().map((at) => [b.ids[at], at]))
  if (left.length !== others.size || left.some((at) => !others.has(a.ids[at]))) return pairs
  for (const at of left) {
    const other = others.get(a.ids[at]) ?? -1
    if (b.instances[other]?.references === a.instances[at]?.references) pairs.push({ a: at, b: other })
  }
  return pairs
}
