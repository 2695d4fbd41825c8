import { exactMean, exactSum } from '../exact-sum.ts'
import { neymanAllocation } from './neyman.ts'
import type { LabelledStratum } from './stratified-mean.ts'

/** What further labels of a stratified sample bring. */
export interface MoreLabels {
  /** Of each stratum, in their order. */
  readonly byStratum: readonly number[]
  /** Half-width of the mean over these very answers then, as a share of that now. */
  readonly share: number
}

/** Fewer labels of a stratum tell no spread of their own. */
const FEWEST = 3

/** Labels of a stratum less what predictions say of them, about their mean. */
export const centredRests = ({ labels, predictions }: LabelledStratum, lambda: number): readonly number[] => {
  const rests = labels.map((label, at) => label - lambda * (predictions[at] ?? NaN))
  const mean = exactMean(rests)
  return rests.map((rest) => rest - mean)
}

/** So many more, or all there are, where they gain most (Neyman); undefined where none is left or nothing tells a spread. */
export const moreLabels = (
  strata: readonly LabelledStratum[],
  more: number,
  lambda: number,
): MoreLabels | undefined => {
  const rests = strata.map((stratum) => centredRests(stratum, lambda))
  const squares = rests.map((own) => exactSum(own.map((rest) => rest * rest)))
  const taken = rests.map(({ length }) => length)
  const total = taken.reduce((sum, own) => sum + own, 0)
  const usual = exactSum(squares) / (total - strata.length)
  const parts = strata.map(({ all }, at) => {
    const n = taken[at] ?? 0
    return { size: all.length, sd: Math.sqrt(n < FEWEST ? usual : (squares[at] ?? NaN) / (n - 1)) }
  })
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const given = neymanAllocation(parts, Math.min(size, total + more), { least: 2, taken }) ?? taken
  const variance = (labels: readonly number[]): number =>
    exactSum(parts.map((part, at) => part.size * part.sd ** 2 * (part.size / (labels[at] ?? NaN) - 1)))
  const now = variance(taken)
  return size > total && now > 0
    ? { byStratum: given.map((own, at) => own - (taken[at] ?? 0)), share: Math.sqrt(variance(given) / now) }
    : undefined
}

/**
 * Labels that a stratified sample without predictions would have to have more for the same interval of the mean over these very
 * answers, whole ones; 0 where predictions take from it as much as they give.
 * @param errors of that mean, with predictions and without
 */
export const labelsSaved = (
  strata: readonly LabelledStratum[],
  errors: { readonly own: number; readonly alone: number },
): number => {
  const count = (of: (stratum: LabelledStratum) => number): number =>
    strata.reduce((sum, stratum) => sum + of(stratum), 0)
  const [labels, total] = [count((each) => each.labels.length), count((each) => each.all.length)]
  if (labels === total || errors.alone === 0) return 0
  const left = (errors.own / errors.alone) ** 2
  const needed = 1 / (left * (1 / labels - 1 / total) + 1 / total)
  return Math.max(0, Math.floor(needed - labels + 1e-9))
}
