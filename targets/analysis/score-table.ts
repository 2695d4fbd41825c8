import { shareOf, type Scale } from '../statistics/scale.ts'

export const SHARE: Scale = { low: 0, high: 1 }
/** As MedHELM's juries score. */
export const RATING: Scale = { low: 1, high: 5 }

/** The category of benchmarks that name none. */
export const OTHER = 'Other'

/** A benchmark's scores, one a model, in the models' order; null where a model has none. */
export interface ScoreColumn {
  readonly benchmark: string
  /** As the leaderboard names it; absent where nobody says. */
  readonly metric?: string
  /** Undefined where the column belongs to no known benchmark or to one without a category. */
  readonly category?: string
  readonly subcategory?: string
  /** What values can be, both ends included; undefined where nobody says: such a column takes part in win rates alone. */
  readonly scale?: Scale
  /** Undefined where nobody says: such a column is not compared. */
  readonly lowerIsBetter?: boolean
  readonly values: readonly (number | null)[]
}

/** Models × benchmarks: what the paper's analysis starts from. */
export interface ScoreTable {
  readonly models: readonly string[]
  readonly columns: readonly ScoreColumn[]
}

/**
 * A score between 0 and 1, turned so that more is better, as a board's averages take it: ratings of 1 to 5 as (x − 1) / 4, as
 * in the paper's analysis, none of whose scores is better the less it is. Null without a value, and where scale or direction
 * is not known: a mean over it would mean nothing.
 */
export const normalized = (
  { scale, lowerIsBetter }: Pick<ScoreColumn, 'scale' | 'lowerIsBetter'>,
  value: number | null,
): number | null =>
  value === null || scale === undefined || lowerIsBetter === undefined
    ? null
    : shareOf(value, scale, lowerIsBetter)

/** Whether a column takes part in means over benchmarks. */
export const isNormal = ({ scale, lowerIsBetter }: ScoreColumn): boolean =>
  scale !== undefined && lowerIsBetter !== undefined

/** Whether enough models have a score for a column to count in what is formed over columns: two, or the only one. */
export const isShared = ({ values }: Pick<ScoreColumn, 'values'>): boolean =>
  values.filter((value) => value !== null).length >= Math.min(2, values.length)
