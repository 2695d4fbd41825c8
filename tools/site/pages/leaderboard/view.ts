/** A table as the page shows it: every number formatted, every address known. */
export interface LeaderboardView {
  readonly suite: string
  readonly columns: readonly ColumnView[]
  readonly rows: readonly RowView[]
}

export interface ColumnView {
  /** Names the column in addresses. */
  readonly key: string
  readonly label: string
  /** Second line of the header. */
  readonly metric: string
  /** Undefined: nobody says what is better. */
  readonly better?: 'higher' | 'lower'
  /** From the site's root. */
  readonly href?: string
  /** Absent for summaries over benchmarks. */
  readonly benchmark?: {
    readonly category: string
    /** Empty where none was declared. */
    readonly subcategory: string
    readonly access: string
  }
}

export interface RowView {
  readonly key: string
  readonly place: string
  readonly places: string
  readonly label: string
  readonly creator: string
  readonly weights: string
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
  /** `n 48, 100 %`: instances, and the share of requests that were measured. */
  readonly base?: string
  /** Why the cell takes no part in places, or what failed. */
  readonly warning?: string
  /** 0 … 6, pale to deep. */
  readonly heat?: number
  /** `best`, or `best=` where others share it, among the column's ranked cells. */
  readonly best?: string
  /** Cells of a column that share a letter do not differ significantly. */
  readonly groups?: string
  /** The jury's score put right by clinicians' labels, with interval and their number. */
  readonly calibrated?: string
  readonly href?: string
}
