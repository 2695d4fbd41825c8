import { formatCount, formatRange, formatValue } from '../../format.ts'
import { positionOn, type Scale } from '../../scale.ts'
import type { BoardData, ColumnData, ScoreData } from './board-data.ts'
import type { CellView, LeaderboardView } from './view.ts'

/** Address of a model's cell in a column, from the page; undefined where it has none. */
export type LinkOf = (model: number, column: number) => string | undefined

/** The whole table of a board, formatted. */
export const expandBoard = (data: BoardData, linkOf: LinkOf): LeaderboardView => ({
  suite: data.suite,
  columns: data.columns,
  rows: data.models.map((model, row) => ({
    ...model,
    cells: model.cells.map((cell, column) => {
      const href = linkOf(row, column)
      return {
        ...(typeof cell === 'object' && 'text' in cell ? cell : scoreView(cell, data.columns[column])),
        ...(href === undefined ? {} : { href }),
      }
    }),
  })),
})

const COVERAGE = [', 100 %', '', ', coverage not known'] as const

const NOT_RUN: CellView = { sort: null, text: '–', base: 'not run' }

const scoreView = (score: ScoreData, column: ColumnData | undefined): CellView => {
  if (score === 0) return NOT_RUN
  const [value, low = null, high = null, n = 0, standing = 0, coverage = 0, warning = '', groups = ''] = score
  const calibrated = score[8] ?? 0
  const interval = low === null || high === null ? undefined : { low, high }
  const scale = column?.scale
  const shaded = value !== null && scale !== undefined && column?.better !== undefined && standing >= 0
  return {
    sort: value,
    text: value === null ? '–' : formatValue(value),
    ...(interval === undefined ? {} : { range: formatRange(interval) }),
    ...(interval === undefined || value === null || scale === undefined
      ? {}
      : { bar: barOf(value, interval, scale) }),
    base: `${n < 0 ? 'n not known' : `n ${formatCount(n)}`}${COVERAGE[coverage]}`,
    ...(warning === '' ? {} : { warning }),
    ...(shaded ? { heat: heatOf(value, scale, column.better === 'lower') } : {}),
    ...(standing > 0 ? { best: standing === 2 ? 'best=' : 'best' } : {}),
    ...(groups === '' ? {} : { groups }),
    ...(calibrated === 0 ? {} : { calibrated: calibratedText(calibrated) }),
  }
}

const calibratedText = ([value, low, high, labels]: readonly [
  value: number,
  low: number | null,
  high: number | null,
  labels: number,
]): string => {
  const range = low === null || high === null ? 'no interval' : formatRange({ low, high })
  return `calibrated ${formatValue(value)}\n${range}, ${formatCount(labels)} labels`
}

const barOf = (
  value: number,
  { low, high }: { readonly low: number; readonly high: number },
  scale: Scale,
): NonNullable<CellView['bar']> => ({
  low: positionOn(scale, low),
  value: positionOn(scale, value),
  high: positionOn(scale, high),
})

const HEAT_STEPS = 6

/** 0 … 6, the better the deeper. */
export const heatOf = (value: number, scale: Scale, lowerIsBetter: boolean): number => {
  const position = positionOn(scale, value)
  return Math.round((lowerIsBetter ? 1 - position : position) * HEAT_STEPS)
}
