import type { Scale } from '../../scale.ts'
import type { CellView, ColumnView } from './view.ts'

/**
 * A suite's board as the page's script loads it: numbers only where the page can format them, and nothing that the
 * table in the page already holds. Links of cells are read from there.
 */
export interface BoardData {
  readonly suite: string
  readonly columns: readonly ColumnData[]
  readonly models: readonly ModelData[]
}

export interface ColumnData extends ColumnView {
  /** Of the bars and shades; absent for summaries, whose cells come formatted. */
  readonly scale?: Scale
}

export interface ModelData {
  /** The deployment. */
  readonly key: string
  readonly label: string
  readonly creator: string
  /** `open`, `limited`, `closed`, or empty. */
  readonly weights: string
  readonly place: string
  /** Middle 95 % of its places; empty where nothing tells. */
  readonly places: string
  /** One a column. */
  readonly cells: readonly (CellView | ScoreData)[]
}

/** Unranked, ranked, the best, one of several best. */
export type Standing = -1 | 0 | 1 | 2

/** All requests measured; not all, as the warning tells; not known. */
export type Coverage = 0 | 1 | 2

/** A score; 0 where nothing was run. What stands at its usual value at the end is left out. */
export type ScoreData =
  | 0
  | readonly [
      value: number | null,
      low?: number | null,
      high?: number | null,
      /** Instances; −1 where they are not known. */
      n?: number,
      standing?: Standing,
      coverage?: Coverage,
      /** What is not whole about it. */
      warning?: string,
      /** Letters of the significance groups. */
      groups?: string,
      /** The jury calibrated by clinicians' labels: value, interval, number of labels. */
      calibrated?: readonly [value: number, low: number | null, high: number | null, labels: number] | 0,
    ]
