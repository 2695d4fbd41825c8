import { benchmarkCalled, type BenchmarkSummary } from '../../benchmarks/lookup/list.ts'
import { str } from '../../benchmarks/python/numbers/number.ts'
import { toldColumn } from '../../benchmarks/sources/column-name.ts'
import type { Row, Table } from '../../benchmarks/sources/table.ts'
import { groupBy } from '../../cache/lists.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { benchmarkKey } from '../../targets/analysis/paper.ts'
import { RATING, SHARE, type ScoreColumn, type ScoreTable } from '../../targets/analysis/score-table.ts'

export interface Leaderboard {
  readonly table: ScoreTable
  /** Its own win rates in the order of its models, null where it tells none. */
  readonly winRates: readonly (number | null)[]
}

const MODEL = 'Model'
const WIN_RATE = 'Mean win rate'

/** Whether a table begins as a leaderboard does. */
export const isLeaderboard = ({ columns }: Pick<Table, 'columns'>): boolean =>
  columns[0] === MODEL && columns.some((name) => name !== MODEL && name.includes(' - '))

/**
 * A leaderboard in the form of the paper's data: `Model`, perhaps `Mean win rate`, and a column `benchmark - metric` for each
 * benchmark. More is taken to be better in all columns: the form does not say.
 *
 * @param benchmarks tell which category a column belongs to, by its display name
 * @throws ProblemError `analysis/…` with line and column
 */
export const leaderboardOf = (
  { file, columns, rows }: Table,
  benchmarks: readonly BenchmarkSummary[],
): Leaderboard => {
  if (columns[0] !== MODEL || columns.length < 2) throw noLeaderboard(file, columns[0])
  if (rows.length === 0) throw noModels(file)
  const numbers = (column: string): readonly (number | null)[] =>
    rows.map((row) => numberAt(row, column, file))
  const heads = columns.filter((name) => name !== MODEL && name !== WIN_RATE)
  const model = secondOf(rows, modelOf)
  if (model !== undefined) throw twice(`the model ${modelOf(model)}`, placeOf(model, MODEL, file))
  const head = secondOf(heads, (each) => {
    const name = benchmarkOf(each)
    return benchmarkKey(name, benchmarkCalled(name, benchmarks))
  })
  if (head !== undefined) throw twice(`the benchmark ${benchmarkOf(head)}`, { file, field: head })
  return {
    table: {
      models: rows.map(modelOf),
      columns: heads.map((name) => scoreColumn(name, numbers(name), { file, benchmarks })),
    },
    winRates: columns.includes(WIN_RATE) ? numbers(WIN_RATE) : rows.map(() => null),
  }
}

const modelOf = ({ cells }: Row): string => str(cells.get(MODEL) ?? '')

const benchmarkOf = (head: string): string => (head.split(' - ', 1)[0] ?? '').trim()

const placeOf = ({ line, row }: Row, field: string, file: string): Place => ({
  file,
  row,
  field,
  ...(line === undefined ? {} : { line }),
})

/** The second of the first two that are alike. */
const secondOf = <T>(all: readonly T[], keyOf: (each: T) => string): T | undefined =>
  [...groupBy(all, keyOf).values()].find((own) => own.length > 1)?.[1]

const numberAt = (row: Row, field: string, file: string): number | null => {
  const { cells } = row
  const text = str(cells.get(field) ?? '').trim()
  if (text === '') return null
  const value = Number(text)
  if (Number.isFinite(value)) return value
  throw new ProblemError({
    code: 'analysis/not-a-number',
    message: `${JSON.stringify(text)} is no number`,
    where: placeOf(row, field, file),
    remedy: 'Write a number, or nothing for a model without a score.',
  })
}

const scoreColumn = (
  head: string,
  values: readonly (number | null)[],
  { file, benchmarks }: { readonly file: string; readonly benchmarks: readonly BenchmarkSummary[] },
): ScoreColumn => {
  const benchmark = benchmarkOf(head)
  const [, metric = ''] = head.split(' - ', 2)
  const known = benchmarkCalled(benchmark, benchmarks)
  return {
    benchmark,
    ...(metric.trim() === '' ? {} : { metric: metric.trim() }),
    ...(known?.category === undefined ? {} : { category: known.category }),
    ...(known?.subcategory === undefined ? {} : { subcategory: known.subcategory }),
    scale: scaleOf(head, metric, values, file),
    lowerIsBetter: false,
    values,
  }
}

/** As HELM writes it, and as we do. */
const JURY_SCORE = /^jury score$/i

/** The file does not say: a column between 0 and 1 holds shares, one from 1 to 5 ratings, as in the paper's analysis. */
const scaleOf = (
  head: string,
  metric: string,
  values: readonly (number | null)[],
  file: string,
): NonNullable<ScoreColumn['scale']> => {
  const known = values.filter((value) => value !== null)
  const within = (least: number, most: number): boolean =>
    known.every((value) => value >= least && value <= most)
  // All models at exactly 1 is either: only the metric tells the best from the worst.
  if (JURY_SCORE.test(metric.trim()) && within(1, 5)) return RATING
  if (within(0, 1)) return SHARE
  if (within(1, 5)) return RATING
  throw new ProblemError({
    code: 'analysis/unknown-scale',
    message: `${JSON.stringify(head)} holds values from ${Math.min(...known)} to ${Math.max(...known)}`,
    where: { file, field: head },
    remedy: 'Give each column as shares of 1 or as ratings from 1 to 5.',
  })
}

const noLeaderboard = (file: string, first: string | undefined): ProblemError =>
  new ProblemError({
    code: 'analysis/no-leaderboard',
    message: `its first column is ${first === undefined ? 'missing' : toldColumn(first)}, not "${MODEL}"`,
    where: { file, line: 1 },
    remedy: `${suggestion(first ?? '', [MODEL])}Head the columns: ${MODEL},${WIN_RATE},<benchmark> - <metric>,…`,
  })

/** Of two scores a board would show the mean as one, and means over benchmarks would count both. */
const twice = (what: string, where: Place): ProblemError =>
  new ProblemError({
    code: 'analysis/twice',
    message: `${what} is there twice`,
    where,
    remedy: 'Keep one row for each model, and one column for each benchmark.',
  })

const noModels = (file: string): ProblemError =>
  new ProblemError({
    code: 'analysis/no-models',
    message: 'the file has no row',
    where: { file },
    remedy: 'Give each model a row under the heads.',
  })
