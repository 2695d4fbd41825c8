import { join, sep } from 'node:path'
import type { MetricCatalog } from '../scenario/metric-catalog.ts'
import type { Digest } from '../../cache/values/digest.ts'
import { packageRoot } from '../../cache/package-root.ts'

/** What tells that a file did not change, short of reading it. */
export interface FileStat {
  readonly size: number
  /** Nanoseconds, so that two writes within a millisecond differ. */
  readonly mtimeNs: bigint
  /** Nobody can set it back: an edit that keeps size and time shows here. */
  readonly ctimeNs: bigint
  readonly inode: bigint
  /** When it was so, before anything was read: epoch milliseconds. */
  readonly seen: number
}

/** Digests of files by path and stat, kept between invocations. */
export interface FileDigests {
  /** Undefined when the file was never digested or its stat changed. */
  get(path: string, stat: FileStat): Digest<'file'> | undefined
  put(path: string, stat: FileStat, digest: Digest<'file'>): Promise<void>
}

/** For one look: nothing is kept. */
export const NO_DIGESTS: FileDigests = { get: () => undefined, put: async () => {} }

/** How CSV cells of configurable benchmarks are typed: as written, or as pandas infers (`001` → 1). */
export type CsvTypes = 'text' | 'pandas'

/** What is asked of all benchmarks, or of those named: ids of errata to put right. */
export type ErrataChoice = 'reproduced' | 'corrected' | Readonly<Record<string, readonly string[]>>

/** Where benchmarks are looked for and where their data goes. All folders are absolute. */
export interface BenchmarkContext {
  /** Folder with `benchmarks/`; its benchmarks come before the built-in ones of the same name. */
  readonly workspace: string
  /** Paths in run entries and configurable benchmarks are taken relative to this folder first, as HELM does. */
  readonly cwd: string
  /** Where downloads go. */
  readonly dataPath: string
  /** Folder that serves URLs by the layout of `mirrorPath`; with it no network is touched. */
  readonly mirror?: string
  /** Nothing is written, neither downloads nor datasets.lock: for looking at what is here. */
  readonly readOnly?: boolean
  /** Default where a configurable benchmark has no `csv_types`: HELM's own commands say `pandas`; `text` if absent. */
  readonly csvTypes?: CsvTypes
  /** Protocol version, e.g. `helm-0.5.16`; a benchmark that lacks it uses its first one. */
  readonly protocol?: string
  /** Which errata are put right; `reproduced` if absent, as HELM has them. */
  readonly errata?: ErrataChoice
  /** Rows that can't be used are told and left out, instead of ending the run. */
  readonly skipBadRows?: boolean
  readonly fileDigests: FileDigests
  /** What declarations may name under `metrics`, besides the workspace's own. */
  readonly metrics: MetricCatalog
  readonly onEvent: (event: SourceEvent) => void
  readonly signal: AbortSignal
}

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

export const catalogFolder = (): string => join(packageRoot(), 'benchmarks', 'catalog')

/** Whether a file, by its full path, is a built-in benchmark's. */
export const isInCatalog = (file: string): boolean => file.startsWith(catalogFolder() + sep)
