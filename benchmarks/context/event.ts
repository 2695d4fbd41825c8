/** What loading a benchmark's data reports; none of these ends a run by itself. */
export type SourceEvent =
  /** A download begins. `resumedAt` bytes were already here; `bytes` is the whole size, where the server tells it. */
  | {
      readonly type: 'source-download-start'
      readonly url: string
      readonly resumedAt: number
      readonly bytes?: number
    }
  | {
      readonly type: 'source-download-progress'
      readonly url: string
      readonly received: number
      readonly bytes?: number
    }
  | { readonly type: 'source-download-done'; readonly url: string; readonly bytes: number }
  | {
      readonly type: 'source-retry'
      readonly url: string
      /** The attempt that failed, from 1. */
      readonly attempt: number
      readonly reason: string
    }
  /** Another process is fetching the same file. */
  | { readonly type: 'source-waiting'; readonly file: string; readonly holder: number }
  /** First sight of an unpinned file: its digest now stands in datasets.lock. */
  | { readonly type: 'source-recorded'; readonly url: string; readonly sha256: string }
