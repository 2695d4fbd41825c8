import { effectiveInterval } from '../intervals/clustered-mean.ts'
import { clusterRobust } from '../paired/cluster-robust.ts'
import { roganGladen, type CorrectedShare } from './rogan-gladen.ts'

/** Whether a test said what is counted, and what the answer shares with others. */
export interface CheckedAnswer {
  readonly isCounted: boolean
  readonly source: string
}

/**
 * The true share behind a test that errs, from single answers. Where answers share sources they count as so many independent
 * ones as say as much (Korn & Graubard 1998). Refused where answers of several all come from one source.
 *
 * @param all by the test, positive counted
 * @param right truly positive ones, found ones counted
 * @param wrong truly negative ones, those left counted
 */
export const roganGladenOf = (
  { all, right, wrong }: Readonly<Record<'all' | 'right' | 'wrong', readonly CheckedAnswer[]>>,
  confidence: number,
): CorrectedShare => {
  const [judged, positives, negatives] = [all, right, wrong].map((answers) => countOf(answers, confidence))
  if (judged === undefined || positives === undefined || negatives === undefined)
    return { estimate: null, low: null, high: null, reason: 'one source' }
  const counts = {
    positive: judged.counted,
    n: judged.n,
    truePositive: positives.counted,
    positivesChecked: positives.n,
    trueNegative: negatives.counted,
    negativesChecked: negatives.n,
  }
  return roganGladen(counts, confidence)
}

const countOf = (
  answers: readonly CheckedAnswer[],
  confidence: number,
): { readonly counted: number; readonly n: number } | undefined => {
  const counted = answers.filter(({ isCounted }) => isCounted).length
  const sources = answers.map(({ source }) => source)
  if (new Set(sources).size === answers.length) return { counted, n: answers.length }
  const robust = clusterRobust([
    { weight: 1, values: answers.map(({ isCounted }) => Number(isCounted)), sources },
  ])
  const found = effectiveInterval(robust, { low: 0, high: 1 }, confidence)
  return found && { counted: (counted / answers.length) * found.effectiveN, n: found.effectiveN }
}
