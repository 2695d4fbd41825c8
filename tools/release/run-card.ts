import { join } from 'node:path'
import { z } from 'zod'
import { faultsOf } from '../../cache/problems/zod-problems.ts'
import { readFile } from '../../cache/files/read.ts'
import { Checked, Erratum, Size, TaxonomyFields } from '../../benchmarks/declaration/about.ts'
import type { Fixed, Json } from '../../cache/values/json.ts'
import { FORM_NAMES } from '../../models/clients/chat/call-settings.ts'
import { STAGES } from '../../targets/event.ts'
import { PROFILES } from '../../targets/profile.ts'
import { CAUSES } from '../../targets/record/coverage.ts'
import { FileName, Imported } from './release-file.ts'
import { badRelease } from './bad-release.ts'
import { reasonOf } from '../../cache/problems/problem.ts'

const JsonValue = z.custom<Json>((value) => value !== undefined)
const JsonRecord = z.record(z.string(), JsonValue)

const Identity = z.object({
  deployment: z.string(),
  modelString: z.string(),
  protocol: z.enum(['chat', 'code', 'baseline', 'simple', 'local']),
  /** Which of OpenAI's interfaces, and what a deployment puts into its requests. */
  form: z.enum(FORM_NAMES).exactOptional(),
  /** Digest of the workspace's client code. */
  code: z.string().exactOptional(),
  arguments: z.record(z.string(), JsonValue).exactOptional(),
  /** Files and settings of a local model. */
  local: z
    .object({
      generator: z.literal('1'),
      weights: z.string().nullable(),
      template: z.boolean().nullable(),
      logprobs: z.string(),
      asHelm: z.boolean(),
    })
    .exactOptional(),
  /** By which some profiles cut replies. */
  tokenizer: z.string().nullable(),
})

const Jury = z.object({
  annotator: z.string(),
  /** Digest of the rubric. */
  rubric: z.string(),
  /** The rubric itself; null where the run is withheld. */
  template: z.string().nullable(),
  criteria: z.array(z.tuple([z.string(), z.array(z.string())])),
  scale: z.object({ least: z.number(), most: z.number() }),
  /** Where judges grade the items of each instance's own rubric. */
  grading: z
    .object({ style: z.enum(['health-bench', 'medhelm-0.8']), comparison: z.string().exactOptional() })
    .exactOptional(),
  judges: z.array(Identity.extend({ name: z.string(), model: z.string() })),
})

const Failure = z.object({
  instance: z.string(),
  trial: z.number(),
  stage: z.enum(STAGES),
  judge: z.string().exactOptional(),
  code: z.string(),
  detail: z.string(),
  retriable: z.boolean(),
})

/** A bare number, HELM's mean, in releases that were made before instances that could not be read were left out. */
const ReadMean = z.union([
  z.object({ mean: z.number().nullable(), instances: z.number() }),
  z.number().transform((mean) => ({ mean, instances: 0 })),
])

/** What a jury's scores are without each judge, and how far each judge's replies count. */
const Judged = z.object({
  /** As the jury's runs are told apart: the run spec's name without its model. */
  benchmark: z.string(),
  requests: z.number(),
  asked: z.number().exactOptional(),
  all: ReadMean,
  without: z.array(z.tuple([z.string(), ReadMean])),
  judges: z.array(
    z.object({
      judge: z.string(),
      asked: z.number(),
      counted: z.number(),
      unreadable: z.number(),
      outOfRange: z.number(),
      mean: z.number().nullable(),
      criteria: z.array(
        z.object({ criterion: z.string(), counted: z.number(), mean: z.number().nullable() }),
      ),
    }),
  ),
})

const Tokens = z.object({
  calls: z.number(),
  unknown: z.number(),
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  seconds: z.number(),
  untimed: z.number().exactOptional(),
})

/** The main metric's mean with what is known of it. */
const Limits = z.object({ low: z.number(), high: z.number() })
const Sample = z.object({
  requests: z.number(),
  found: z.object({
    n: z.number(),
    measured: z.number(),
    sources: z.number(),
    mean: z.number().nullable(),
    bounds: Limits.nullable(),
    interval: Limits.nullable(),
    method: z.string(),
    reason: z.string(),
  }),
})

const Declared = z.object({
  category: z.string().exactOptional(),
  subcategory: z.string().exactOptional(),
  taxonomy: TaxonomyFields.exactOptional(),
  homepage: z.string().exactOptional(),
  size: Size.exactOptional(),
  licence: z.string().exactOptional(),
  contact: z.string().exactOptional(),
  checked: Checked.exactOptional(),
  citation: z.string().exactOptional(),
  errata: z.array(Erratum),
})

/** What we know of a run beyond HELM's five files: what it takes to score it again without its benchmark. */
const RunCardFile = z.object({
  format: z.literal(1),
  suite: FileName,
  name: FileName,
  /** Its place among the release's runs; absent in older releases. */
  position: z.number().exactOptional(),
  benchmark: z.object({
    name: z.string(),
    displayName: z.string(),
    description: z.string(),
    access: z.enum(['public', 'gated', 'private']),
    /** Place in the taxonomy. */
    category: z.string().exactOptional(),
    subcategory: z.string().exactOptional(),
    mainMetric: z.object({ name: z.string(), split: z.string() }),
    /** Which of its errata the run puts right; absent: none. */
    errata: z.object({ corrected: z.array(z.string()), uncorrected: z.array(z.string()) }).exactOptional(),
    /** What its declaration says for readers, its known errata among it; absent in older releases. */
    declared: Declared.exactOptional(),
    /** Key of the instances: data digests, protocol, loader version, errata. */
    identity: JsonRecord,
  }),
  /** The dialect in which its replies were read. */
  profile: z.enum(PROFILES),
  model: z.string(),
  deployment: Identity,
  /** What run_spec.json does not say of its metrics, in the order of its metric_specs. */
  metrics: z.array(
    z.object({
      /** Our id. */
      metric: z.string(),
      bertScore: JsonRecord.exactOptional(),
      /** Errata that the run puts right. */
      corrected: z.array(z.string()).exactOptional(),
    }),
  ),
  jury: Jury.nullable(),
  /** Whether answers are executed on a database, which no release holds. */
  queries: z.boolean(),
  /** The workspace's own annotators, whose code the release lacks; absent where there are none. */
  ownAnnotators: z.array(z.string()).exactOptional(),
  /** That database, and how the gold queries are run on it; absent in older releases. */
  database: z
    .object({
      /** Key of the annotations. */
      annotator: z.string(),
      digest: z.string(),
      gold: z
        .object({
          currentTime: z.string().exactOptional(),
          noRows: z.enum(['values', 'stay']),
          errors: z.enum(['rows', 'fail']),
        })
        .exactOptional(),
    })
    .exactOptional(),
  /** Tokens of each request's prompt; null where the run is withheld. */
  promptTokens: z.array(z.number().nullable()).nullable(),
  /** Epoch seconds of the newest call; 0 where no server was called. */
  newestCall: z.number(),
  target: z.object({ digest: z.string(), key: JsonRecord }),
  record: z.object({
    rows: z.number(),
    rowsDigest: z.string(),
    counts: z.record(z.string(), z.number()),
    failures: z.array(Failure),
    /** `floor`: the share of measured requests under which the model is not ranked. */
    coverage: z.object({
      evaluated: z.number(),
      measured: z.number(),
      judgements: z.object({ wanted: z.number(), read: z.number() }).exactOptional(),
      floor: z.number(),
    }),
    causes: z.partialRecord(z.enum(CAUSES), z.number()),
    /** Means of our own stats; none where the run is withheld and small. */
    ownStats: z.array(z.object({ name: z.string(), split: z.string(), mean: z.number() })),
    /** What the interval of a withheld run is formed of; null where its values are here, or too few to be told. */
    sample: Sample.nullable(),
    /** What clinicians' labels made of the jury's score: numbers alone; absent without, or of too few labels where the run is withheld. */
    calibrated: z
      .object({
        value: z.number(),
        interval: Limits.nullable(),
        labels: z.int(),
        bias: z.object({ value: z.number(), interval: Limits }).exactOptional(),
        uncovered: z.int().exactOptional(),
      })
      .exactOptional(),
    /** Ids of the instances of which a score could not be read in full; absent where nothing is missing, or is told. */
    lost: z.array(z.string()).exactOptional(),
    /** Ids of the instances that come from one source, such as a patient, and what they share; `names`: digests of the sources' names, the same in all benchmarks. */
    sources: z
      .object({
        by: z.string(),
        instances: z.array(z.array(z.string())),
        names: z.array(z.string()).exactOptional(),
      })
      .exactOptional(),
    /** What is known of the instances: ids by group. Absent where nothing is, where the run is withheld, and in older releases. */
    attributes: z
      .array(
        z.object({
          name: z.string(),
          column: z.string(),
          bands: z.array(z.number()).exactOptional(),
          groups: z.array(z.tuple([z.string(), z.array(z.string())])),
        }),
      )
      .exactOptional(),
    /** Absent without a jury, and where its scores are withheld. */
    judged: Judged.exactOptional(),
    /** Its replies that were taken from published files; absent where each was asked for. */
    imported: Imported.exactOptional(),
    omitted: z.array(z.string()),
    served: z.array(z.string()),
    usage: Tokens.extend({ judges: z.record(z.string(), Tokens.extend({ deployment: z.string() })) }),
  }),
  /** Why only aggregates are here, which files are not, and how many stats were suppressed. */
  withheld: z
    .object({ reason: z.string(), files: z.array(z.string()), suppressedStats: z.number() })
    .nullable(),
})

export type RunCard = Fixed<z.output<typeof RunCardFile>>
export type CardDeployment = RunCard['deployment']

/** Where the parts of a run lie below a bundle. */
export const OUTPUT = 'benchmark_output'
export const runPath = (suite: string, name: string): string => `${OUTPUT}/runs/${suite}/${name}`
export const cardPath = (suite: string, name: string): string => `records/${suite}/${name}.json`
export const repliesPath = (suite: string, name: string): string => `replies/${suite}/${name}.jsonl`

export const printCard = (card: RunCard): string => `${JSON.stringify(card, undefined, 1)}\n`

/** @throws ProblemError `release/bad-record` */
export const readCard = async (bundle: string, path: string): Promise<RunCard> => {
  const file = join(bundle, path)
  try {
    return RunCardFile.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (cause) {
    throw badRelease(
      'release/bad-record',
      `${path} is no record of a run: ${reasonOf(cause instanceof z.ZodError ? faultsOf(cause) : cause)}`,
      { file },
      { cause },
    )
  }
}
