import { clusterMean } from './cluster-mean.ts'
import { mcnemarExact } from './paired/mid-p.ts'
import { studentTail } from './distributions/student-t.ts'

/** Two sides on the same instances, in one order; NaN where a side has no value. */
export interface PairedStratum {
  readonly a: Float64Array
  readonly b: Float64Array
  /** Number of the source that each instance comes from; absent where each stands for itself. */
  readonly clusters?: Int32Array
}

/**
 * Two-sided p of no difference between two sides: McNemar's exact test of 0/1 values, else Student's over the sources'
 * differences. Several strata count the same, and Welch and Satterthwaite give the degrees of freedom.
 * Differences that don't spread get the p of flipping all sources' signs. 1 where no instance has both values.
 *
 * @param isBinary whether values are 0 or 1 by definition
 */
export const pairedP = (strata: readonly PairedStratum[], isBinary: boolean): number => {
  const [only] = strata
  const counts = isBinary && strata.length === 1 && only !== undefined ? discordant(only) : undefined
  if (counts !== undefined) return mcnemarExact(counts.onlyA, counts.onlyB)
  let [difference, variance, freedom, sources] = [0, 0, 0, 0]
  for (const stratum of strata) {
    const { mean, standardError, clusters } = clusterMean(differencesOf(stratum))
    if (standardError === undefined) return 1
    const share = (standardError / strata.length) ** 2
    difference += mean / strata.length
    variance += share
    freedom += share ** 2 / (clusters - 1)
    sources += clusters
  }
  if (variance === 0) return difference === 0 ? 1 : 2 ** (1 - sources)
  return studentTail(difference / Math.sqrt(variance), variance ** 2 / freedom)
}

/** Undefined where instances share sources, or a value is neither 0 nor 1: trials were averaged. */
export const discordant = ({
  a,
  b,
  clusters,
}: PairedStratum): { readonly onlyA: number; readonly onlyB: number } | undefined => {
  if (clusters !== undefined) return undefined
  let [onlyA, onlyB] = [0, 0]
  for (let at = 0; at < a.length; at += 1) {
    const [left, right] = [a[at] ?? NaN, b[at] ?? NaN]
    if (Number.isNaN(left) || Number.isNaN(right)) continue
    if (!isWhole(left) || !isWhole(right)) return undefined
    if (left > right) onlyA += 1
    else if (right > left) onlyB += 1
  }
  return { onlyA, onlyB }
}

const isWhole = (value: number): boolean => value === 0 || value === 1

/** Sums and counts of b − a by source. */
export const differencesOf = ({
  a,
  b,
  clusters,
}: PairedStratum): readonly { readonly sum: number; readonly size: number }[] => {
  const sources = new Map<number, { sum: number; size: number }>()
  for (let at = 0; at < a.length; at += 1) {
    const difference = (b[at] ?? NaN) - (a[at] ?? NaN)
    if (Number.isNaN(difference)) continue
    const source = clusters?.[at] ?? at
    const known = sources.get(source)
    if (known === undefined) sources.set(source, { sum: difference, size: 1 })
    else {
      known.sum += difference
      known.size += 1
    }
  }
  return [...sources.values()]
}
