/** A table as the page shows it: every number formatted, every address known. The page's script only sorts it. */
export interface LeaderboardView {
  readonly suite: string
  readonly caption: string
  readonly columns: readonly ColumnView[]
  readonly rows: readonly RowView[]
}

export interface ColumnView {
  readonly label: string
  /** Second line of the header. */
  readonly metric: string
  /** Undefined: nobody says what is better. */
  readonly better?: 'higher' | 'lower'
  readonly href?: string
}

export interface RowView {
  readonly place: string
  readonly label: string
  /** Creator and access of the weights. */
  readonly origin: string
  readonly cells: readonly CellView[]
}

export interface CellView {
  /** Null is last, whatever the direction. */
  readonly sort: number | null
  readonly text: string
  /** 95 % interval. */
  readonly range?: string
  /** Interval and value on the column's scale from 0 to 1. */
  readonly bar?: { readonly low: number; readonly value: number; readonly high: number }
  /** `n 48`, or over how many columns a win rate goes. */
  readonly base?: string
  /** Why the cell takes no part in places, or what failed. */
  readonly warning?: string
  /** 0 … 6, pale to deep. */
  readonly heat?: number
  /** `best`, or `best=` where others share it, among the column's ranked cells. */
  readonly best?: string
  readonly href?: string
}
