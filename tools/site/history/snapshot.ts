import { z } from 'zod'

/** Name of the file that keeps a site's numbers for later ones. */
export const HISTORY_FILE = 'history.json'

const Ends = z.object({ low: z.number(), high: z.number() })
const Span = Ends.nullable()

/** Instances of a run, by which a later release knows them again. */
const Instances = z.object({
  ids: z.array(z.string()),
  /** Of text, references and extra data; of the references alone. */
  digests: z.array(z.string()),
  references: z.array(z.string()),
  /** What each shares with others, empty where it stands for itself; absent where all do. */
  sources: z.array(z.string()).exactOptional(),
})

const Run = z.object({
  /** Its name without the model. */
  scenario: z.string(),
  /** Of all prompts, answers, judgements and values. */
  rows: z.string(),
  /** Whether values are means over several trials. */
  areMeans: z.boolean(),
  /** By which the store that the values lie in finds them. */
  kept: z.object({ record: z.string(), target: z.string() }).exactOptional(),
  /** Absent of what is not public, of which a site tells no instance. */
  told: z
    .object({
      /** Place of its instances in the suite's list. */
      instances: z.number(),
      values: z.union([
        z.object({ of: z.array(z.number()), at: z.string() }),
        z.array(z.union([z.number(), z.null(), z.literal('-')])),
      ]),
      /** Digests of what stands in place of values that could not be read. */
      unread: z.array(z.tuple([z.number(), z.string()])),
    })
    .exactOptional(),
})

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
  /** What judges' servers were asked for, scoring dialects, and the runs; absent in older files. */
  judgedBy: z.array(z.string()).exactOptional(),
  profiles: z.array(z.string()).exactOptional(),
  runs: z.array(Run).exactOptional(),
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
  /**
   * Since 2 a protocol is the same whoever judges, since 3 the workspace's own code and rubrics that are not shown are part
   * of it; those of older files are held against none.
   */
  version: z.union([z.literal(1), z.literal(2), z.literal(3)]),
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
      scale: z.object({ isBinary: z.boolean(), range: Ends.exactOptional() }).exactOptional(),
    }),
  ),
  models: z.array(Model),
  /** Absent in older files, and where no values are told. */
  instances: z.array(Instances).exactOptional(),
})

export const Snapshots = z.array(Snapshot)

export type Snapshot = z.output<typeof Snapshot>
export type SnapshotBenchmark = Snapshot['benchmarks'][number]
export type SnapshotCell = z.output<typeof Cell>
export type SnapshotScenario = z.output<typeof Run>
export type SnapshotInstances = z.output<typeof Instances>
export type SnapshotModel = z.output<typeof Model>

/** An earlier release under the name that readers know it by. */
export interface EarlierRelease {
  readonly label: string
  readonly snapshot: Snapshot
}
