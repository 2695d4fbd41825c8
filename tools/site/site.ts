import type { BoardCell, FailureCount } from '../../targets/aggregate/board-cell.ts'
import type { BoardAccess, BoardModel } from '../../targets/aggregate/board-run.ts'
import type { Board } from '../../targets/aggregate/board.ts'
import type { Dropout } from '../../targets/jury/dropout.ts'
import type { InstanceView } from './pages/run/instance-view.ts'

/** Raised when the same results give other pages. */
export const SITE_VERSION = 2

/** What a run's page says above its instances: plain JSON. */
export interface RunFacts {
  readonly suite: string
  readonly name: string
  readonly model: BoardModel
  readonly benchmark: {
    readonly name: string
    readonly displayName: string
    readonly access: BoardAccess
    readonly mainMetric: string
    readonly mainMetricLabel: string
  }
  /** The main metric's mean with its 95 % interval, and the number of instances. */
  readonly score: Pick<BoardCell, 'value' | 'interval' | 'n'>
  /** Requests, and what of them was not measured. */
  readonly coverage: Pick<BoardCell, 'evaluated' | 'measured' | 'floor' | 'causes'>
  /** Run spec, label and value. */
  readonly spec: readonly (readonly [label: string, value: string])[]
  readonly metrics: readonly { readonly name: string; readonly split: string; readonly value: number }[]
  readonly failures: readonly FailureCount[]
  /** The first few in full; none where instances are not public, for details quote prompts. */
  readonly failureDetails: readonly {
    readonly instance: string
    readonly stage: string
    readonly judge?: string
    readonly code: string
    readonly detail: string
  }[]
  /** Digest of whatever else the page depends on: the record. */
  readonly source: string
}

export interface SiteRun {
  readonly facts: RunFacts
  /** Undefined where instances are not public. Read only when the page is written. */
  readonly instances?: () => AsyncIterable<InstanceView<string>>
  /** A prompt as the model got it; likewise. */
  readonly prompt?: () => Promise<string | undefined>
}

export interface SiteSuite {
  readonly board: Board
  readonly runs: readonly SiteRun[]
  /** Of the benchmarks with a jury; absent where files of another program are shown. */
  readonly dropout?: readonly Dropout[]
}

/** Prebuilt files that every page loads. */
export interface SiteAssets {
  readonly script: string
  readonly style: string
}
