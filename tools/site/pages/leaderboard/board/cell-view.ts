import {
  formatCount,
  formatRange,
  formatShare,
  formatValue,
  plural,
  valueOrDash,
} from '../../../../../cache/words/number-text.ts'
import type { BoardData, CalibratedData, ScoreData } from './board-data.ts'

/** A score as the page shows it. */
export interface CellView {
  readonly value: number | null
  /** What places go by; null where it is not ranked. */
  readonly score: number | null
  readonly text: string
  /** 95 % interval. */
  readonly range?: string
  readonly low?: number
  readonly high?: number
  /** `n 48, 100 % measured`: instances, and the share of requests that were measured. */
  readonly base: string
  readonly requests: number
  readonly lost: number
  /** Why the cell takes no part in places, or what failed. */
  readonly warning?: string
  readonly isRanked: boolean
  readonly isRun: boolean
  /** `best`, or `best=` where others share it, among the column’s ranked cells. */
  readonly best?: string
  /** Cells of a column that share a letter do not differ significantly. */
  readonly groups: string
  readonly method: string
  /** The jury’s score put right by clinicians’ labels, with interval and their number. */
  readonly calibrated?: string
}

const NOT_RUN: CellView = {
  value: null,
  score: null,
  text: '–',
  base: 'not run',
  requests: 0,
  lost: 0,
  isRanked: false,
  isRun: false,
  groups: '',
  method: '',
}

export const cellView = (data: ScoreData, { methods }: Pick<BoardData, 'methods'>): CellView => {
  if (data === 0) return NOT_RUN
  const [value, low = null, high = null, n = 0, requests = 0, lost = 0, standing = 0, method = 0] = data
  const [groups = '', warning = '', calibrated = 0, score = null] = data.slice(8) as [
    string?,
    string?,
    Exclude<(typeof data)[10], undefined>?,
    (number | null)?,
  ]
  const interval = low === null || high === null ? undefined : { low, high }
  const isRanked = standing >= 0 && value !== null
  return {
    value,
    score: isRanked ? (score ?? value) : null,
    text: valueOrDash(value),
    ...(interval === undefined ? {} : { range: formatRange(interval), ...interval }),
    base: `${n < 0 ? 'n not known' : `n ${formatCount(n)}`}, ${measuredText(requests, lost)}`,
    requests,
    lost,
    ...(warning === '' ? {} : { warning }),
    isRanked,
    isRun: true,
    ...(standing > 0 ? { best: standing === 2 ? 'best=' : 'best' } : {}),
    groups,
    method: methods[method - 1] ?? '',
    ...(calibrated === 0 ? {} : { calibrated: calibratedText(calibrated) }),
  }
}

const measuredText = (requests: number, lost: number): string =>
  requests === 0 ? 'coverage not known' : `${formatShare((requests - lost) / requests)} measured`

const calibratedText = ([value, low, high, labels, uncovered]: CalibratedData): string => {
  const range = low === null || high === null ? 'no interval' : formatRange({ low, high })
  const without = uncovered === undefined ? '' : `, without ${plural(uncovered, 'answer')}`
  return `calibrated ${formatValue(value)}\n${range}, ${formatCount(labels)} labels${without}`
}
