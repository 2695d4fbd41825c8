import type { SkippedRow } from '../../benchmarks/scenario/skipped-row.ts'

/** Rows of a data set that a run goes without. */
export interface SkippedRows {
  readonly count: number
  /** The first of them. */
  readonly listed: readonly SkippedRow[]
}

/** Rows that are listed; all are counted. */
const LISTED = 100

/** Counts rows and keeps the first. */
export class SkippedRowTally {
  private count = 0
  private readonly listed: SkippedRow[] = []

  readonly add = (row: SkippedRow): void => {
    this.count += 1
    if (this.listed.length < LISTED) this.listed.push(row)
  }

  /** Undefined where no row was skipped. */
  result(): SkippedRows | undefined {
    return this.count === 0 ? undefined : { count: this.count, listed: this.listed }
  }
}

/** `3 rows skipped, first data.csv row 4, column answer: missing answer`. */
export const skippedText = ({ count, listed: [first] }: SkippedRows): string => {
  const total = `${count} ${count === 1 ? 'row' : 'rows'} skipped`
  return first === undefined ? total : `${total}, first ${placeText(first)}`
}

/** `data.csv row 4, column answer: missing answer`. */
export const placeText = ({ file, row, column, reason }: SkippedRow): string =>
  `${file}${row === undefined ? '' : ` row ${row}`}${column === undefined ? '' : `, column ${column}`}: ${reason.replaceAll('-', ' ')}`
