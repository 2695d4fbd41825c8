import { groupBy } from '../../../cache/lists.ts'
import { exactMean, exactSum } from '../exact-sum.ts'
import { sumsOf, type Sums } from './sums.ts'

/** One run: its values, or where each stands for itself what they sum up to. */
export type Stratum = {
  /** Of the run's mean in the estimate. */
  readonly weight: number
  /** What was not drawn anew, as a run that did not change, leaves nothing open. */
  readonly isSame?: boolean
} & (Measured | { readonly sums: Sums })

/** Each run's weight where benchmarks count the same, and runs within one; runs without a name are of one. */
export const equalWeights = (runs: readonly { readonly benchmark?: string }[]): readonly number[] => {
  const perBenchmark = new Map<string, number>()
  for (const { benchmark = '' } of runs) perBenchmark.set(benchmark, (perBenchmark.get(benchmark) ?? 0) + 1)
  return runs.map(({ benchmark = '' }) => 1 / (perBenchmark.size * (perBenchmark.get(benchmark) ?? 1)))
}

interface Measured {
  readonly values: ArrayLike<number>
  /** Name of each value's source, the same in every run; undefined where each value stands for itself. */
  readonly sources?: readonly string[]
}

/** A weighted sum of means of runs that may share sources. */
export interface ClusterRobust {
  readonly estimate: number
  /** Each run's own. */
  readonly means: readonly number[]
  readonly n: number
  /** All that were drawn independently. */
  readonly sources: number
  /** Undefined where a run has one source only: nothing then tells how far another one would lie. */
  readonly known?: {
    readonly variance: number
    readonly df: number
    /**
     * By Welch and Satterthwaite over parts that share no source. Sizes alone, by which the other goes, promise more where such
     * parts vary unlike each other: of ten runs of five rows that are alike but for one four, not forty.
     */
    readonly dfApart: number
    /** The most that a run of two values, or of equal ones, leaves open, see `openOf`; 0 without one, or with a single run. */
    readonly open: number
  }
}

/** One source's part of a run, with the run's size, mean and factor k. */
interface Part {
  readonly run: number
  readonly n: number
  readonly k: number
  readonly mean: number
  readonly values: readonly number[]
}

/**
 * The estimate with its CR2 variance and Bell and McCaffrey's degrees of freedom (2002; Pustejovsky & Tipton 2018), as
 * of a regression on run dummies with the weights as contrast. A source's residuals are summed over all runs before they
 * are squared, so patients that several runs share count once.
 */
export const clusterRobust = (strata: readonly Stratum[]): ClusterRobust => {
  const runs = strata.map(runOf)
  const alone = runs.filter((run) => 'squares' in run)
  const together = runs.filter((run) => 'sources' in run)
  const shared = partsBySource(together)
  const base = {
    means: runs.map(({ mean }) => mean),
    estimate: exactSum(runs.map(({ weight, mean }) => weight * mean)),
    n: runs.reduce((sum, { n }) => sum + n, 0),
    sources: shared.parts.length + alone.reduce((sum, { n }) => sum + n, 0),
  }
  const isKnown = shared.counts.every((count) => count > 1) && alone.every(({ n }) => n > 1)
  if (strata.length === 0 || !isKnown) return base
  const moments = [...alone.map(momentsOfSingles), ...apart(shared.parts).map(momentsOf)]
  const total = (of: (moment: Moments) => number): number => exactSum(moments.map(of))
  const variance = total((own) => own.variance)
  const df = total(({ trace }) => trace) ** 2 / total(({ squares }) => squares)
  const isOne = moments.length === 1 || variance === 0
  const parts = total((own) => (own.variance / variance / own.trace) ** 2 * own.squares)
  const opens = [
    ...alone.map((run) => openOf(run, run.n)),
    ...together.map((run, at) => openOf(run, shared.counts[at] ?? NaN)),
  ]
  const open = runs.length === 1 ? 0 : Math.max(...opens)
  return { ...base, known: { variance, df, dfApart: isOne ? df : 1 / parts, open } }
}

/** Shares that differ by less are what rounding leaves of one. */
const ALIKE = 1e-9
const TAIL = 0.025

/**
 * How far a run of differences between −1 and 1 may be off that are all alike or just two, by Gaffke's interval of a constant:
 * two answers add next to no variance to a sum where they come out alike, yet nothing says that a third one is like them.
 */
const openOf = (run: Single | Shared, sources: number): number => {
  const { weight, n, mean, isSame } = run
  if (isSame === true) return 0
  const isAlike =
    'squares' in run
      ? run.squares <= n * ALIKE ** 2
      : Array.prototype.every.call(run.values, (value: number) => Math.abs(value - mean) < ALIKE)
  return isAlike || sources === 2 ? Math.abs(weight) * (1 - TAIL ** (1 / sources)) * (1 + Math.abs(mean)) : 0
}

interface Single extends Sums, Pick<Stratum, 'weight' | 'isSame'> {}

interface Shared extends Omit<Single, 'squares'> {
  readonly values: ArrayLike<number>
  readonly sources: readonly string[]
}

const runOf = (stratum: Stratum): Single | Shared => {
  const { weight, isSame = false } = stratum
  if ('sums' in stratum) return { weight, isSame, ...stratum.sums }
  const { values, sources } = stratum
  return sources === undefined
    ? { weight, isSame, ...sumsOf(values) }
    : { weight, isSame, n: values.length, mean: exactMean(values), values, sources }
}

/** V, tr M and tr M². Runs that share no source add theirs up. */
interface Moments {
  readonly variance: number
  readonly trace: number
  readonly squares: number
}

/** Where each value stands for itself V is weight² s²/n. */
const momentsOfSingles = ({ weight, n, squares }: Single): Moments => {
  const trace = weight ** 2 / n
  return { variance: (weight ** 2 * squares) / (n - 1) / n, trace, squares: trace ** 2 / (n - 1) }
}

/** All sources' parts, and how many sources each run has. */
const partsBySource = (
  runs: readonly Shared[],
): { readonly parts: readonly (readonly Part[])[]; readonly counts: readonly number[] } => {
  const parts = new Map<string, Part[]>()
  const counts: number[] = []
  for (const [run, { weight, n, mean, values: all, sources }] of runs.entries()) {
    const groups = valuesBySource(all, sources)
    counts.push(groups.size)
    for (const [name, values] of groups) {
      const part: Part = { run, n, k: weight / (n * Math.sqrt(1 - values.length / n)), mean, values }
      const known = parts.get(name)
      if (known === undefined) parts.set(name, [part])
      else known.push(part)
    }
  }
  return { parts: [...parts.values()], counts }
}

/** The sources of runs that hang together, by one source or over others. */
const apart = (sources: readonly (readonly Part[])[]): readonly (readonly (readonly Part[])[])[] => {
  const leaders = new Map<number, number>()
  const leaderOf = (run: number): number => {
    const leader = leaders.get(run) ?? run
    return leader === run ? run : leaderOf(leader)
  }
  for (const [first, ...others] of sources)
    for (const { run } of others) leaders.set(leaderOf(run), leaderOf(first?.run ?? run))
  return [...groupBy(sources, ([first]) => String(leaderOf(first?.run ?? 0))).values()]
}

const valuesBySource = (
  values: ArrayLike<number>,
  sources: readonly string[],
): ReadonlyMap<string, readonly number[]> => {
  const groups = new Map<string, number[]>()
  for (let at = 0; at < values.length; at += 1) {
    const [name, value] = [sources[at] ?? '', values[at] ?? NaN]
    const known = groups.get(name)
    if (known === undefined) groups.set(name, [value])
    else known.push(value)
  }
  return groups
}

/**
 * With k = weight / (n √(1 − size/n)) and u = Σ k Σ(x − mean), V is Σ u². The matrix M behind the degrees of freedom has
 * Σ size k² − Σ size² k²/n on its diagonal and −Σ sizes k k'/n beside it; the latter's square sum needs no more than the
 * runs' cross products.
 */
const momentsOf = (sources: readonly (readonly Part[])[]): Moments => {
  const crosses = new Map<string, number[]>()
  const diagonal = sources.map((parts) =>
    exactSum(parts.map(({ n, k, values: { length } }) => length * k * k * (1 - length / n))),
  )
  const own = sources.map((parts) => {
    const shares = parts.map(({ n, k, values }) => (values.length * k) / Math.sqrt(n))
    for (const [left, { run }] of parts.entries())
      for (const [right, { run: other }] of parts.entries()) {
        const product = (shares[left] ?? NaN) * (shares[right] ?? NaN)
        const known = crosses.get(`${run} ${other}`)
        if (known === undefined) crosses.set(`${run} ${other}`, [product])
        else known.push(product)
      }
    return exactSum(shares.map((share) => share * share)) ** 2
  })
  const beside = exactSum([...crosses.values()].map((products) => exactSum(products) ** 2)) - exactSum(own)
  const pulls = sources.map((parts) =>
    exactSum(parts.map(({ k, mean, values }) => k * exactSum(values.map((value) => value - mean)))),
  )
  return {
    variance: exactSum(pulls.map((pull) => pull * pull)),
    trace: exactSum(diagonal),
    squares: exactSum(diagonal.map((each) => each * each)) + beside,
  }
}
