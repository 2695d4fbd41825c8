/** A date or time of a spreadsheet. */
export interface TimeCell {
  readonly kind: 'datetime' | 'date' | 'time' | 'duration'
  /** As Python prints the value alone. */
  readonly text: string
  /** As pandas prints it in a column that holds nothing else, where that differs. */
  readonly inColumn?: string
  /** It lies outside of what pandas counts in nanoseconds, so that no column of its kind is made of it. */
  readonly beyond?: true
}

/**
 * A cell before typing: CSV gives text only, spreadsheets numbers, truth values and times too; undefined where there is
 * none. Whole numbers are integers, bigint beyond 2^53.
 */
export type RawCell = string | number | bigint | boolean | TimeCell | undefined
