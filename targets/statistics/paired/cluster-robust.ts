import { exactMean, exactSum } from '../exact-sum.ts'

/** Values of one run. */
export interface Stratum {
  /** Of the run's mean in the estimate. */
  readonly weight: number
  readonly values: readonly number[]
  /** Name of each value's source, the same in every run; undefined where each value stands for itself. */
  readonly sources?: readonly string[]
}

/** A weighted sum of means of runs that may share sources. */
export interface ClusterRobust {
  readonly estimate: number
  readonly n: number
  /** All that were drawn independently. */
  readonly sources: number
  /** Undefined where a run has one source only: nothing then tells how far another one would lie. */
  readonly known?: { readonly variance: number; readonly df: number }
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
  const means = strata.map(({ values }) => exactMean(values))
  const runs = strata.map(({ values, sources }, run) => valuesBySource(values, sources, run))
  const parts = new Map<string, Part[]>()
  for (const [run, { weight, values: all }] of strata.entries())
    for (const [name, values] of runs[run] ?? []) {
      const n = all.length
      const k = weight / (n * Math.sqrt(1 - values.length / n))
      const part: Part = { run, n, k, mean: means[run] ?? NaN, values }
      const known = parts.get(name)
      if (known === undefined) parts.set(name, [part])
      else known.push(part)
    }
  const base = {
    estimate: exactSum(strata.map(({ weight }, run) => weight * (means[run] ?? NaN))),
    n: strata.reduce((sum, { values }) => sum + values.length, 0),
    sources: parts.size,
  }
  if (runs.length === 0 || runs.some(({ size }) => size < 2)) return base
  return { ...base, known: robustOf([...parts.values()]) }
}

/** By name; a value without a source gets a name that no source and no other run has. */
const valuesBySource = (
  values: readonly number[],
  sources: readonly string[] | undefined,
  run: number,
): ReadonlyMap<string, readonly number[]> => {
  const groups = new Map<string, number[]>()
  for (const [at, value] of values.entries()) {
    const name = sources?.[at] ?? `${run}\u0000${at}`
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
const robustOf = (sources: readonly (readonly Part[])[]): { variance: number; df: number } => {
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
    df: exactSum(diagonal) ** 2 / (exactSum(diagonal.map((each) => each * each)) + beside),
  }
}
