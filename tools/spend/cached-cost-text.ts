import { countText } from './count-text.ts'
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
        `  its stored replies once cost ${usdOrUnknown(usd)} USD: ${countText(calls)} calls, ${from === to ? from : `${from} to ${to}`}`,
      ]),
  ...(unrecorded === 0
    ? []
    : [`  ${countText(unrecorded)} stored replies are in no ledger: imported, or older than it`]),
  ...(again === undefined || calls + unrecorded === 0
    ? []
    : [`  saved by the cache in each run: ${usdOrUnknown(again)} USD at today's prices`]),
]
