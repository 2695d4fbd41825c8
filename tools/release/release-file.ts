import { join } from 'node:path'
import { z } from 'zod'
import { TaxonomyFile } from '../../benchmarks/taxonomy.ts'
import { readFile } from '../../cache/files/read.ts'
import { digestOf } from '../../cache/values/digest.ts'
import type { Fixed, Json } from '../../cache/values/json.ts'
import { EXIT, ProblemError, reasonOf } from '../../cache/problems/problem.ts'
import { faultsOf } from '../../cache/problems/zod-problems.ts'
import { badRelease } from './bad-release.ts'

export const RELEASE_FILE = 'release.json'

const JsonRecord = z.record(
  z.string(),
  z.custom<Json>((value) => value !== undefined),
)

const Model = z.object({
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  creatorOrganization: z.string(),
  access: z.enum(['open', 'limited', 'closed']),
  releaseDate: z.string().exactOptional(),
  tags: z.array(z.string()),
  numParameters: z.number().exactOptional(),
})

const Price = z.object({
  deployment: z.string(),
  input: z.number(),
  output: z.number(),
  cachedInput: z.number().exactOptional(),
  batchInput: z.number().exactOptional(),
  batchOutput: z.number().exactOptional(),
  date: z.string(),
  source: z.string(),
})

/** A path below the bundle, and nowhere else: files are copied by it. */
const Path = z
  .string()
  .regex(/^[^\\\0]+$/)
  .refine((path) => path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'))

/** The name of one folder or file. */
export const FileName: z.ZodString = z.string().regex(/^(?!\.{1,2}$)[^/\\\0]+$/)

/** What a release is made from besides its runs: everything that its bytes depend on and that they do not tell. */
const Given = z.object({
  release: FileName,
  /** Version of medmake that wrote the files. */
  version: z.string(),
  profile: z.string(),
  suites: z.array(FileName),
  /** `YYYY-MM-DD` (UTC) of the newest model call in it: a release does not know the day on which it is made. */
  date: z.string(),
  models: z.array(Model),
  /** Of its deployments and judges, in US dollars per million tokens, each as of its date; absent in older releases. */
  prices: z.array(Price).exactOptional(),
  /** What medical work there is; absent in older releases. */
  taxonomy: TaxonomyFile.exactOptional(),
  /** Data sets that no benchmark pins: URL and sha256 of datasets.lock. */
  datasets: z.array(z.object({ url: z.string(), sha256: z.string() })),
  errata: z.array(z.object({ benchmark: z.string(), id: z.string(), about: z.string() })),
  /** Benchmarks of restricted access whose texts were released by name. */
  includedText: z.array(z.string()),
})

/** Replies by who gave them. */
export const Imported: z.ZodObject<{ answers: z.ZodNumber; judgements: z.ZodNumber }> = z.object({
  answers: z.number(),
  judgements: z.number(),
})

const Release = Given.extend({
  format: z.literal(1),
  benchmarks: z.array(
    z.object({
      name: z.string(),
      access: z.string(),
      identity: JsonRecord,
      /** Digest of the judges' rubric. */
      judgePrompt: z.string().nullable(),
    }),
  ),
  runs: z.array(
    z.object({
      suite: z.string(),
      name: z.string(),
      model: z.string(),
      deployment: z.string(),
      modelString: z.string(),
      /** Model ids and fingerprints that the provider named. */
      served: z.array(z.string()),
      judges: z.array(z.string()),
      /** Errata of the benchmark that the run puts right; the others are reproduced. */
      corrected: z.array(z.string()),
      target: z.string(),
      /** Its replies that were taken from published files; absent where each was asked for. */
      imported: Imported.exactOptional(),
      /** What its answers and its judges' replies took at those prices; null where that is not known. */
      usd: z.number().nullable().exactOptional(),
      juryUsd: z.number().nullable().exactOptional(),
    }),
  ),
  withheld: z.array(
    z.object({
      suite: z.string(),
      run: z.string(),
      reason: z.string(),
      files: z.array(z.string()),
      suppressedStats: z.number(),
    }),
  ),
  files: z.array(z.object({ path: Path, size: z.number(), sha256: z.string() })),
})

const ReleaseDocument = Release.extend({
  /** sha256 of this file without this field. */
  digest: z.string(),
})

export type ReleaseGiven = Fixed<z.output<typeof Given>>
export type Release = Fixed<z.output<typeof Release>>
export type ReleaseDocument = Fixed<z.output<typeof ReleaseDocument>>

const print = (value: Release | ReleaseDocument): string => `${JSON.stringify(value, undefined, 1)}\n`

/** Text of release.json, and its digest: the name under which a release can be cited. */
export const printRelease = (release: Release): { readonly text: string; readonly digest: string } => {
  // Parsing puts the fields into the order of their declaration.
  const ordered = Release.parse(release)
  const digest = digestOf<'file'>(print(ordered))
  return { text: print({ ...ordered, digest }), digest }
}

export const givenOf = (release: ReleaseDocument): ReleaseGiven => Given.parse(release)

const damaged = (file: string, reason: string, cause?: unknown): ProblemError =>
  badRelease(
    'release/damaged',
    `${RELEASE_FILE} is damaged: ${reason}`,
    { file },
    { cause, exitCode: EXIT.incomplete },
  )

/**
 * release.json of a bundle, byte for byte as it was written.
 * @throws ProblemError `release/missing`; `release/damaged` with exit code 1
 */
export const readRelease = async (bundle: string): Promise<ReleaseDocument> => {
  const file = join(bundle, RELEASE_FILE)
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    if (cause instanceof ProblemError) throw damaged(file, cause.message, cause)
    throw new ProblemError(
      {
        code: 'release/missing',
        message: `there is no release in ${bundle}`,
        where: { file },
        remedy: 'Name a release of this workspace, its tar.gz, or a folder that holds a release.json.',
      },
      { cause },
    )
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw damaged(file, reasonOf(cause), cause)
  }
  const parsed = ReleaseDocument.safeParse(value)
  if (!parsed.success) throw damaged(file, reasonOf(faultsOf(parsed.error)), parsed.error)
  const { digest, ...release } = parsed.data
  if (printRelease(release).text !== text || printRelease(release).digest !== digest)
    throw damaged(file, 'its content does not match its own digest')
  return parsed.data
}
