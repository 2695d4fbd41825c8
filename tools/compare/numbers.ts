import { shortfallText } from './coverage-text.ts'
import { formatShare } from './number-text.ts'
import type { UnderFloor } from '../../targets/compare/under-floor.ts'
import type { Interval } from '../../targets/statistics/intervals/interval.ts'

/** Three decimals with a minus sign; a rounded 0 has none. */
export const number = (value: number): string =>
  value
    .toFixed(3)
    .replace(/^-(?=0\.000$)/, '')
    .replace('-', '−')

export const signed = (value: number): string => {
  const text = number(value)
  return text.startsWith('−') || text === '0.000' ? text : `+${text}`
}

/** `−0.101 … +0.020`, or a dash. */
export const range = (interval: Interval | null, of: (value: number) => string): string =>
  interval === null ? '–' : `${of(interval.low)} … ${of(interval.high)}`

/** Small ones as `< 0.001`. */
export const chance = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3))

export const percent = (share: number): string => `${Math.round(100 * share)} %`

/** `54.2 % of judgements read, under the floor of 99.0 %` */
export const underFloorText = (coverage: UnderFloor): string =>
  `${shortfallText(coverage)}, under the floor of ${formatShare(coverage.floor)}`
