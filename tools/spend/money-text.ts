import { countText, fixed } from '../../cache/words/number-text.ts'
import type { Money } from '../../targets/spend/spending.ts'

/** `0.12`; small amounts with two digits that are not 0. */
export const usdText = (usd: number): string => {
  if (usd === 0) return '0'
  if (usd >= 0.095) return fixed(usd, 2)
  return usd < 0.000001 ? '< 0.000001' : String(Number(usd.toPrecision(2)))
}

export const usdOrUnknown = (usd: number | null): string => (usd === null ? 'unknown' : usdText(usd))

const plural = (count: number, one: string, many: string): string =>
  `${countText(count)} ${count === 1 ? one : many}`

/** `0.12 USD spent, 3.40 USD saved by the cache`, and what these sums lack. */
export const moneyText = (money: Money): string =>
  [
    `${usdText(money.spent)} USD spent${money.unknownCalls > 0 ? `, and ${plural(money.unknownCalls, 'call', 'calls')} of unknown cost` : ''}`,
    ...(money.uncertainAttempts > 0
      ? [
          `${plural(money.uncertainAttempts, 'attempt', 'attempts')} without a reply may have cost ${money.uncertain === null ? 'an unknown amount' : `${usdText(money.uncertain)} USD`} more`,
        ]
      : []),
    ...savedText(money),
  ].join(', ')

/** Of replies that nobody priced nothing is said: they cost nothing now. */
const savedText = ({ saved, reused, unknownReused }: Money): readonly string[] => {
  if (reused === unknownReused) return []
  return [`${unknownReused > 0 ? 'at least ' : ''}${usdText(saved)} USD saved by the cache`]
}

/** What a bill will show otherwise than the requests let expect; a line each. */
export const oddMoneyLines = ({ overruns, overrun, impossibleUsages }: Money): readonly string[] => [
  ...(overruns > 0
    ? [
        `${plural(overruns, 'reply', 'replies')} cost ${usdText(overrun)} USD more than max_tokens allows: hidden reasoning, most likely. Under a cap each later call is reserved with the greatest such excess.`,
      ]
    : []),
  ...(impossibleUsages > 0
    ? [
        `${plural(impossibleUsages, 'reply', 'replies')} told token counts that cannot be: under a cap each counts at the most that it may cost.`,
      ]
    : []),
]

/** What to do where prices are missing; nothing where none is. */
export const unpricedLines = (unpriced: readonly string[]): readonly string[] =>
  unpriced.length === 0
    ? []
    : [`No price is declared for ${unpriced.join(', ')}: add it to prices: in models/prices.yaml.`]
