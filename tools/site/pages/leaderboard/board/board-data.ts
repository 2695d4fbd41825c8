import type { Hosting } from '../../../about/hosting.ts'
import type { ShownBenchmark } from '../../../content/shown-benchmark.ts'

/**
 * A suite's board as the page's script loads it: scores at full precision, as places are computed of them again for any
 * set of benchmarks; whatever is only shown, in the digits that are shown. Links of cells are read from the page.
 */
export interface BoardData {
  readonly suite: string
  readonly columns: readonly ColumnData[]
  readonly models: readonly ModelData[]
  /** The whole board, then its categories and subcategories: what is known of the places within each. */
  readonly tasks: readonly TaskData[]
  /** Why nothing is said of benchmarks like these; empty else. */
  readonly likeTheseReason: string
  /** What went wrong where nothing at all was measured; absent else. */
  readonly lost?: string
  /** Subcategories of medical work that its benchmarks ask about, and all that there are; absent without a taxonomy. */
  readonly asked?: readonly [subcategories: number, of: number]
  /** How intervals were formed: cells name a place in this list. */
  readonly methods: readonly string[]
}

/** A benchmark. */
export interface ColumnData extends ShownBenchmark {
  /** Names the column in addresses. */
  readonly key: string
  /** Key of the chunk of its values; absent where they are not at hand. */
  readonly values?: string
  /** Empty where none was declared. */
  readonly subcategory: string
  /** What is known to be wrong with its data. */
  readonly errata: readonly string[]
  /** A jury’s score that no clinician’s rating here was held against. */
  readonly isUnchecked?: true
}

export interface ModelData {
  /** The deployment. */
  readonly key: string
  readonly label: string
  /** From the site's root. */
  readonly href: string
  readonly creator: string
  /** `open`, `limited`, `closed`, or empty. */
  readonly weights: string
  /** Where it is served, as its files declare. */
  readonly hosting?: Hosting
  /** One a column. */
  readonly cells: readonly ScoreData[]
}

/** Unranked, ranked, the best, one of several best. */
export type CellStanding = -1 | 0 | 1 | 2

/** A score; 0 where nothing was run. What stands at its usual value at the end is left out. */
export type ScoreData =
  | 0
  | readonly [
      value: number | null,
      low?: number | null,
      high?: number | null,
      /** Instances; −1 where they are not known. */
      n?: number,
      /** Requests; 0 where nobody counted. */
      requests?: number,
      /** Requests that were not measured. */
      lost?: number,
      standing?: CellStanding,
      /** Place in the list of methods, from 1. */
      method?: number,
      /** Letters of the significance groups. */
      groups?: string,
      /** What is not whole about it. */
      warning?: string,
      /** The jury calibrated by clinicians’ labels; 0 for none. */
      calibrated?: CalibratedData | 0,
      /** What places go by, where it is not the value. */
      score?: number | null,
    ]

export type CalibratedData = readonly [
  value: number,
  low: number | null,
  high: number | null,
  labels: number,
  /** Answers that came later, of which nothing is said. */
  uncovered?: number,
]

export interface TaskData {
  /** Empty for the whole board. */
  readonly category: string
  /** Empty for the whole category. */
  readonly subcategory: string
  /** Places in the list of columns. */
  readonly columns: readonly number[]
  /** One a model; 0 where nothing tells. */
  readonly ranks: readonly (RankData | 0)[]
  /** 95 % of each model's average over the scales; absent where nothing tells of any. */
  readonly averages?: readonly (readonly [low: number | null, high: number | null] | 0)[]
  /** Places in the list of columns: what keeps models from being told apart. */
  readonly oneSource?: readonly number[]
  readonly unshared?: readonly number[]
  readonly spent: readonly (SpentData | 0)[]
}

/** 95 % each; null where nothing tells. */
export type RankData = readonly [
  /** Of the win rate on these benchmarks. */
  winLow: number | null,
  winHigh: number | null,
  /** Ranks by average that tests leave open. */
  low: number | null,
  high: number | null,
  /** Share of draws in which it is first. */
  first: number | null,
  /** Of the win rate on a further benchmark like these. */
  likeLow: number | null,
  likeHigh: number | null,
  /** Who is surely ahead of it: first and last of each stretch of models; absent where nobody is, or nothing tells. */
  behind?: readonly number[],
]

export type SpentData = readonly [
  usdPerThousand: number | null,
  /** Seconds. */
  latency: number | null,
  usd: number | null,
  /** Null where a reply told none. */
  inputTokens: number | null,
  outputTokens: number | null,
  replies: number,
]
