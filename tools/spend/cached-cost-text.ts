import type { CachedCost } from './cached-cost.ts'
import { usdOrUnknown } from './money-text.ts'

/** Lines of `explain`; none where nothing was ever paid. */
export const cachedCostText = ({
  calls,
  usd,
  from,
  to,
  unrecorded,
  again,
}: CachedCost): readonly string[] => [
  ...(calls === 0
    ? []
    : [
        `  its stored replies once cost ${usdOrUnknown(usd)} USD: ${calls.toLocaleString('en-US')} calls, ${from === to ? from : `${from} to ${to}`}`,
      ]),
  ...(unrecorded === 0
    ? []
    : [
        `  ${unrecorded.toLocaleString('en-US')} stored replies are in no ledger: imported, or older than it`,
      ]),
  ...(again === undefined || calls + unrecorded === 0
    ? []
    : [`  saved by the cache in each run: ${usdOrUnknown(again)} USD at today's prices`]),
]
