import type { Interval } from '../intervals/wilson.ts'
import { bootstrapInterval } from '../resampling/bootstrap.ts'
import { canonicalOrder } from './canonical-order.ts'
import { intraclassCorrelation } from './intraclass-correlation.ts'

const DRAWS = 1000

/**
 * ICC(1,1) of rows of equal length: how far one score of a row stands for all. Its interval is by F where every row stands
 * for itself; where rows share sources it is over draws of these.
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
  const drawn = bootstrapInterval(
    ordered.sources ?? [],
    (times) => {
      const draw = times.flatMap((count, at) =>
        Array.from({ length: count }, () => ordered.scores.map((own) => own[at] ?? NaN)),
      )
      return draw.length < 2 ? NaN : intraclassCorrelation(draw, 'ICC1', confidence).value
    },
    { name: 'ICC over sources', draws: DRAWS, confidence },
  )
  return drawn === undefined ? { value } : { value, interval: drawn }
}
