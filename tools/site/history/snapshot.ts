import { z } from 'zod'

/** Name of the file that keeps a site's numbers for later ones. */
export const HISTORY_FILE = 'history.json'

const Span = z.object({ low: z.number(), high: z.number() }).nullable()

const Cell = z.object({
  /** What places go by; null where it is not ranked. */
  score: z.number().nullable(),
  interval: Span,
  n: z.number(),
  /** Digests of what was asked, and how; lists of who judged and what answered. */
  data: z.string(),
  protocol: z.string(),
  jury: z.array(z.string()),
  served: z.array(z.string()),
  errata: z.array(z.string()),
})

const Model = z.object({
  deployment: z.string(),
  label: z.string(),
  place: z.number().nullable(),
  winRate: z.number().nullable(),
  interval: Span,
  /** US dollars per million tokens read and written; null where unknown. */
  price: z.object({ input: z.number(), output: z.number() }).nullable(),
  /** By benchmark, null where nothing was run. */
  cells: z.array(Cell.nullable()),
})

/** A suite's numbers as a later release is held against them: no text of any instance. */
export const Snapshot = z.object({
  /** Since 2 a protocol is the same whoever judges; those of files of 1 are held against none. */
  version: z.union([z.literal(1), z.literal(2)]),
  suite: z.string(),
  /** Name of the release; empty for a site that is of none. */
  release: z.string(),
  benchmarks: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      width: z.number().nullable(),
      /** Absent where nobody says what is better, and in older files. */
      lowerIsBetter: z.boolean().optional(),
      /** The main metric with its scale and direction, in words; absent in older files. */
      measure: z.string().optional(),
    }),
  ),
  models: z.array(Model),
})

export const Snapshots = z.array(Snapshot)

export type Snapshot = z.output<typeof Snapshot>
export type SnapshotBenchmark = Snapshot['benchmarks'][number]
export type SnapshotCell = z.output<typeof Cell>
export type SnapshotModel = z.output<typeof Model>

/** An earlier release under the name that readers know it by. */
export interface EarlierRelease {
  readonly label: string
  readonly snapshot: Snapshot
}
