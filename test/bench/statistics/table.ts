import { randomKey, RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'

/** A figure of made-up data of which the truth is known: the mean over trials, or the median. */
export interface Column {
  readonly name: string
  readonly of?: 'median'
  /** Whatever changes, the mean stays within. */
  readonly bar?: { readonly least?: number; readonly most?: number }
}

export interface Row {
  /** What is drawn, in the first columns. */
  readonly cells: readonly (string | number)[]
  /** A value for each column; NaN where a trial has none. */
  readonly trial: (stream: RandomStream) => readonly number[]
  /** Nothing is drawn: one trial says all. */
  readonly isExact?: boolean
  /** A cell that is known to break the table's bars. */
  readonly isKnownLimit?: boolean
}

export interface Table {
  readonly section: number
  readonly title: string
  readonly labels: readonly string[]
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
}

/** A row's figures, and the columns whose bar they break by more than chance explains. */
export interface Measured {
  readonly figures: readonly number[]
  readonly broken: readonly string[]
}

/** Draws by seed, table and row: the same figures each time. */
export const measure = ({ title, columns }: Table, row: Row, seed: number, trials: number): Measured => {
  const key = randomKey(`${seed} ${title} ${row.cells.join(' ')}`)
  const count = row.isExact === true ? 1 : trials
  const drawn = Array.from({ length: count }, (_, trial) => row.trial(new RandomStream(key, trial)))
  const figures = columns.map(({ of }, at) => {
    const values = drawn.map((values) => values[at] ?? NaN).filter((value) => !Number.isNaN(value))
    return of === 'median' ? medianOf(values) : values.reduce((sum, value) => sum + value, 0) / values.length
  })
  const broken = columns.flatMap(({ name, bar }, at) => {
    const figure = figures[at] ?? NaN
    const slack = 3.5 * Math.sqrt(Math.max(figure * (1 - figure), 1 / count) / count)
    const isBroken = figure < (bar?.least ?? -Infinity) - slack || figure > (bar?.most ?? Infinity) + slack
    return isBroken && row.isKnownLimit !== true ? [name] : []
  })
  return { figures, broken }
}

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2
}

/** 1 where something holds. */
export const share = (holds: boolean): number => (holds ? 1 : 0)
