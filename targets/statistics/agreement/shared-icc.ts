import type { Interval } from '../intervals/wilson.ts'
import { jackknifeInterval } from '../resampling/jackknife.ts'
import { canonicalOrder } from './canonical-order.ts'
import { intraclassCorrelation } from './intraclass-correlation.ts'

/**
 * ICC(1,1) of rows of equal length: how far one score of a row stands for all. Its interval is by F where every row stands
 * for itself; where rows share sources it is over these.
 *
 * @param sources name of each row's
 */
export const sharedIcc = (
  rows: readonly (readonly number[])[],
  sources: readonly string[],
  confidence: number,
): { readonly value: number; readonly interval?: Interval } => {
  const { value, interval } = intraclassCorrelation(rows, 'ICC1', confidence)
  if (new Set(sources).size === rows.length) return interval === undefined ? { value } : { value, interval }
  const columns = Array.from({ length: rows[0]?.length ?? 0 }, (_, column) =>
    rows.map((row) => row[column] ?? NaN),
  )
  const ordered = canonicalOrder({ scores: columns, jury: rows.map(() => null), sources })
  const shared = jackknifeInterval(
    ordered.sources ?? [],
    (times) => {
      const draw = times.flatMap((count, at) =>
        Array.from({ length: count }, () => ordered.scores.map((own) => own[at] ?? NaN)),
      )
      return draw.length < 2 ? NaN : intraclassCorrelation(draw, 'ICC1', confidence).value
    },
    confidence,
  )
  return shared === undefined ? { value } : { value, interval: shared }
}
