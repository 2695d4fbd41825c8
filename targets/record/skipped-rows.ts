import { plural } from '../../cache/words/number-text.ts'
import type { SkippedRow } from '../../benchmarks/scenario/skipped-row.ts'

/** Rows that are counted, the first of them listed. */
export interface CountedRows {
  readonly count: number
  readonly listed: readonly SkippedRow[]
}

/** Rows of a data set that a run goes without. */
export interface SkippedRows extends CountedRows {
  /** Rows that are used without a part of them; absent where there are none. */
  readonly inPart?: CountedRows
}

/** Rows that are listed; all are counted. */
const LISTED = 100

/** Counts rows and keeps the first. */
export class SkippedRowTally {
  private readonly whole = { count: 0, listed: [] as SkippedRow[] }
  private readonly inPart = { count: 0, listed: [] as SkippedRow[] }

  readonly add = ({ isPart, ...row }: SkippedRow): void => {
    const rows = isPart === true ? this.inPart : this.whole
    rows.count += 1
    if (rows.listed.length < LISTED) rows.listed.push(row)
  }

  /** Undefined where every row was read whole. */
  result(): SkippedRows | undefined {
    const { whole, inPart } = this
    if (inPart.count > 0) return { ...whole, inPart }
    return whole.count === 0 ? undefined : whole
  }
}

/** `3 rows skipped, first data.csv row 4, column answer: missing answer; 1 row read in part, first …`. */
export const skippedText = (rows: SkippedRows): string =>
  [
    ...(rows.count === 0 ? [] : [countedText(rows, 'skipped')]),
    ...(rows.inPart === undefined ? [] : [countedText(rows.inPart, 'read in part')]),
  ].join('; ')

const countedText = ({ count, listed: [first] }: CountedRows, what: string): string => {
  const total = `${plural(count, 'row')} ${what}`
  return first === undefined ? total : `${total}, first ${placeText(first)}`
}

/** `data.csv row 4, column answer: missing answer`. */
export const placeText = ({ file, row, column, reason }: SkippedRow): string =>
  `${file}${row === undefined ? '' : ` row ${row}`}${column === undefined ? '' : `, column ${column}`}: ${reason === 'answer' ? 'unusable answer' : reason.replaceAll('-', ' ')}`
