import type { JSX } from 'preact'
import type { Interval } from '../../../targets/statistics/intervals/wilson.ts'
import {
  betweenEnds,
  formatChance,
  formatCost,
  formatCount,
  formatDifference,
  formatLack,
  formatP,
  formatSeconds,
  formatShare,
  formatTokens,
  formatValue,
  rangeEnds,
  signOf,
} from '../../../cache/words/number-text.ts'

type Known = number | null | undefined

/** Numbers as a page shows them; each element holds all digits, for the files that the page saves. A dash for none. */
const exact =
  (text: (value: number) => string, unknown = '–') =>
  (value: Known): JSX.Element | string =>
    value == null ? unknown : <data value={String(value)}>{text(value)}</data>

export const exactValue = exact(formatValue)
export const exactDifference = exact(formatDifference)
export const exactP = exact(formatP)
export const exactCount = exact(formatCount)
/** Counts have no decimals, unless they are means of different ones. */
export const exactMeasured = (value: number, isCount: boolean): JSX.Element | string =>
  (isCount && Number.isInteger(value) ? exactCount : exactValue)(value)
export const exactShare = exact(formatShare)
export const exactLack = exact(formatLack)
export const exactChance = exact(formatChance)
export const exactTokens = exact(formatTokens, 'not known')
/** In US dollars. */
export const exactCost = exact(formatCost, 'not known')
export const exactSeconds = exact(formatSeconds)

const between =
  (signOf: (value: number) => string, wordOf: (low: number) => string) =>
  (interval: Interval | null | undefined): JSX.Element | string => {
    if (interval == null) return '–'
    const { low, high } = rangeEnds(interval)
    return (
      <>
        {exact(() => signOf(interval.low) + low)(interval.low)}
        {wordOf(interval.low)}
        {exact(() => signOf(interval.high) + high)(interval.high)}
      </>
    )
  }

export const exactRange = between(() => '', betweenEnds)
export const exactDifferences = between(signOf, () => ' to ')

/** A number and its interval in one cell: `+0.031 (−0.012 to +0.074)`. */
export const exactFigure = (
  figure: { readonly value: number; readonly interval: Interval | null } | null | undefined,
  { value, range }: { readonly value: typeof exactValue; readonly range: typeof exactRange },
): JSX.Element | string =>
  figure == null ? (
    '–'
  ) : (
    <>
      {value(figure.value)}
      {figure.interval === null ? null : <span class="soft-range"> {range(figure.interval)}</span>}
    </>
  )
