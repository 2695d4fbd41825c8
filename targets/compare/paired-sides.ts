import { groupBy } from '../../cache/lists.ts'
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
  'benchmark' | 'data' | 'ids' | 'instances' | 'clusters' | 'areMeans' | 'values' | 'results'
>

interface PairableSides {
  readonly a: PairableSide
  readonly b: PairableSide
}

/** A benchmark's runs that share an instance: runs that ask the same rows are one piece of evidence. */
export const benchmarkSides = (pairs: readonly PairableSides[], metric: string): readonly NamedSides[] =>
  pairs
    .map((pair) => pairedSides(pair, metric))
    .filter(({ rows }) => rows.length > 0)
    .map((run, _, { length }) => (length > 1 ? { ...run, sources: run.sources ?? run.rows } : run))

/** A metric's values of two runs on the instances that both were asked; NaN where one has none that could be read. */
export const pairedSides = ({ a, b }: PairableSides, metric: string): NamedSides => {
  const pairs = pairInstances(a, b)
  // No source has such a name.
  const rows = pairs.map((pair) => `row\u0000${b.benchmark}\u0000${b.ids[pair.b]}`)
  // HELM's files name no source, what they are compared with may.
  const sources = pairs.map((pair) => sourceAt(b, pair.b) ?? sourceAt(a, pair.a))
  const [ofA, ofB] = [a.values.get(metric), b.values.get(metric)]
  const areSame = b.results !== undefined && b.results === a.results
  const alike = pairs.flatMap((pair, at) => {
    const own = b.instances[pair.b]?.results
    const isKnown = ofA !== undefined && ofA[pair.a] === ofB?.[pair.b]
    return (areSame && isKnown) || (own !== undefined && own === a.instances[pair.a]?.results) ? [at] : []
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

/** What of a run its instances are known again by. */
type ListedSide = Pick<ComparedRun, 'data' | 'ids' | 'instances'>

/**
 * Finds the same instances in two runs. Equal digests are the same question; of several alike the first belongs to the
 * first. A new prompt alters the text of all: what is left on both sides under the same ids, with the same right
 * answers, is the same question in other words, if the ids name the rows that they named. Where ids came or went they may
 * have shifted, and none is trusted.
 */
export const pairInstances = (a: ListedSide, b: ListedSide): readonly InstancePair[] => {
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
  const others = new Map([...waiting.values()].flat().map((at) => [b.ids[at], at]))
  if (left.length !== others.size || left.some((at) => !others.has(a.ids[at]))) return pairs
  const byId = left.map((at) => ({ a: at, b: others.get(a.ids[at]) ?? -1 }))
  const alike = byId.filter((pair) => referencesAt(a, pair.a) === referencesAt(b, pair.b))
  const kept = pairs.filter((pair) => a.ids[pair.a] === b.ids[pair.b]).length
  return kept >= byId.length || areSameRows(a, b, { byId, alike: alike.length })
    ? [...pairs, ...alike]
    : pairs
}

const referencesAt = ({ instances }: ListedSide, at: number): string => instances[at]?.references ?? ''

/** Share of the right answers that rows keep when only words change. */
const KEPT_ANSWERS = 0.9

/** Standard deviations above what chance gives that answers of other rows don't reach: once in 30,000 files. */
const BEYOND_CHANCE = 4

/**
 * Whether ids name the same rows though most texts are others: a file's rows are often counted, so that other rows have the
 * same ids. The same data say so, and so do right answers that agree further than those of rows in another order would.
 */
const areSameRows = (
  a: ListedSide,
  b: ListedSide,
  { byId, alike }: { readonly byId: readonly InstancePair[]; readonly alike: number },
): boolean => {
  const n = byId.length
  if (alike < KEPT_ANSWERS * n) return false
  if (a.data !== undefined && a.data === b.data) return true
  const answers = groupBy(byId, (pair) => referencesAt(b, pair.b))
  const met = byId.reduce((sum, pair) => sum + (answers.get(referencesAt(a, pair.a))?.length ?? 0), 0)
  const chance = met / n ** 2
  return alike > n * chance + BEYOND_CHANCE * Math.sqrt(n * chance * (1 - chance))
}
