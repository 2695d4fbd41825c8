import { dirname, resolve, isAbsolute, join, relative, sep, basename } from 'node:path'
import { z } from 'zod'
import type { BenchmarkContext } from '../../context/context.ts'
import { fileDigest, readBytes } from '../../sources/read-text.ts'
import { gitHubFolder } from '../../sources/fetch/github-folder.ts'
import { hubDataset } from '../../sources/fetch/hugging-face.ts'
import { localData } from '../../sources/fetch/local-data.ts'
import { remoteFile, type LocalFile } from '../../sources/fetch/remote-file.ts'
import { fillText, type Placeholders } from '../arguments.ts'
import type { Declaration } from '../read-declaration.ts'
import { str } from '../../python/numbers/number.ts'
import type { PyValue } from '../../python/value.ts'
import type { Argument } from '../schema.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { About, Obtain } from '../about.ts'

/**
 * Brings the files of all sources to this machine, by the names of the declaration.
 * @param placeholders arguments, those that say where data lies as full paths
 * @throws ProblemError `benchmarks/missing-data` with all that the user has yet to bring; those of downloads
 */
export const locateAll = async (
  { content, file }: Declaration,
  sources: Readonly<Record<string, Source>>,
  placeholders: Placeholders,
  context: BenchmarkContext,
): Promise<ReadonlyMap<string, LocalFile>> => {
  const files = new Map<string, LocalFile>()
  const missing: string[] = []
  for (const [name, source] of Object.entries(sources)) {
    const own = source.local === undefined ? undefined : resolve(fillText(source.local, placeholders))
    const found =
      own === undefined
        ? await locate(source, placeholders, file, context)
        : await localData(own, source.suffix, context.fileDigests)
    if (found !== undefined) files.set(name, found)
    else if (own !== undefined && !missing.includes(own)) missing.push(own)
  }
  if (missing.length > 0) throw missingData(content, missing)
  return files
}

/** Brings a source's files to this machine. @throws ProblemError */
const locate = async (
  source: Source,
  placeholders: Placeholders,
  declaration: string,
  context: BenchmarkContext,
): Promise<LocalFile> => {
  const pinned = source.sha256 === undefined ? {} : { sha256: source.sha256 }
  const filled = <Place extends Readonly<Record<string, string | undefined>>>(place: Place): Place =>
    Object.fromEntries(
      Object.entries(place).flatMap(([key, text]) =>
        text === undefined ? [] : [[key, fillText(text, placeholders)]],
      ),
    ) as Place
  if (source.url !== undefined) return remoteFile({ ...filled({ url: source.url }), ...pinned }, context)
  if (source.github_folder !== undefined)
    return gitHubFolder({ ...filled(source.github_folder), ...pinned }, context)
  if (source.hugging_face !== undefined) {
    const { revision, ...dataset } = source.hugging_face
    const at = revision === undefined ? {} : { revision }
    return hubDataset({ ...filled({ ...dataset, ...at }), ...pinned }, context)
  }
  return localFile(resolve(dirname(declaration), fillText(source.path ?? '', placeholders)), context)
}

const localFile = async (path: string, context: BenchmarkContext): Promise<LocalFile> => {
  try {
    return { path, digest: await fileDigest(path, context.fileDigests) }
  } catch (error) {
    // Reading tells what is wrong in the user's terms.
    await readBytes(path, 'data file')
    throw error
  }
}

/** Where a benchmark's own data is looked for when the run entry does not say. */
export const dataFolder = (name: string, { dataPath }: Pick<BenchmarkContext, 'dataPath'>): string =>
  join(dataPath, name)

/**
 * The given arguments, those of kind `data` that were not given filled in: as a path relative to the workspace, so that
 * run_spec.json is the same on every machine.
 */
export const withDataPaths = (
  given: ReadonlyMap<string, PyValue>,
  declared: Readonly<Record<string, Argument>>,
  name: string,
  context: BenchmarkContext,
): ReadonlyMap<string, PyValue> => {
  const absent = Object.entries(declared).filter(([key, { kind }]) => kind === 'data' && !given.has(key))
  const paths = absent.map(([key, argument]): [string, PyValue] => {
    const path = join(dataFolder(name, context), str(argument.default ?? ''))
    const inside = relative(context.workspace, path)
    return [key, inside.startsWith('..') || isAbsolute(inside) ? path : inside.split(sep).join('/')]
  })
  return new Map([...given, ...paths])
}

/** Placeholders with full paths for arguments of kind `data`: given ones are relative to the working folder. */
export const fullDataPaths = (
  placeholders: Placeholders,
  given: ReadonlyMap<string, PyValue>,
  declared: Readonly<Record<string, Argument>>,
  context: BenchmarkContext,
): Placeholders => {
  const full = [...placeholders]
    .filter(([key]) => declared[key]?.kind === 'data')
    .map(([key, path]): [string, PyValue] => [
      key,
      resolve(given.has(key) ? context.cwd : context.workspace, str(path)),
    ])
  return new Map([...placeholders, ...full])
}

/** Data that the user has to bring: a problem for each file, the first says what to ask for and whom. */
const missingData = (about: About, files: readonly string[]): ProblemError =>
  new ProblemError(
    files.map((file, index) => ({
      code: 'benchmarks/missing-data',
      message: `${about.name} needs ${basename(file)}, which is not here`,
      where: { file },
      remedy:
        index === 0
          ? `${request(about.obtain)}Put it into ${dirname(file)}, or say with data_path=<path> in the run entry where the data lies.`
          : `Put it into ${dirname(file)}.`,
    })),
  )

/** One or two sentences on how the data is got. */
export const request = (obtain: Obtain | undefined): string => {
  if (obtain === undefined) return ''
  const { what, from, url, terms } = obtain
  return `Request ${what} from ${from}${url === undefined ? '' : ` (${url})`}${terms === undefined ? '' : `; ${terms}`}. `
}

const Text = z.string().min(1, 'it must be some text')

const FORMATS = [
  'arrow',
  'csv',
  'docx',
  'file',
  'json',
  'jsonl',
  'parquet',
  'sqlite',
  'text',
  'texts',
  'xlsx',
  'xml',
  'xmls',
] as const
export type SourceFormat = (typeof FORMATS)[number]

const ENDINGS: Readonly<Record<string, SourceFormat>> = {
  tsv: 'csv',
  ndjson: 'jsonl',
  feather: 'arrow',
  txt: 'text',
  db: 'sqlite',
}

/** What a declared file mostly is: as it ends, the Hub's Parquet, and CSV where no ending is declared. */
export const usualFormat = ({
  hugging_face: hub,
  github_folder: folder,
  ...source
}: Source): SourceFormat => {
  if (hub !== undefined) return 'parquet'
  const suffix = folder?.suffix ?? source.suffix
  const place = source.member ?? source.url ?? source.path ?? source.local ?? ''
  const [, ending = 'csv'] = /\.(\w+?)(?:\.gz)?(?:\?.*)?$/.exec(suffix ?? place) ?? []
  if (suffix !== undefined) return ending === 'xml' ? 'xmls' : 'texts'
  return ENDINGS[ending] ?? FORMATS.find((format) => format === ending) ?? 'csv'
}

/** A split of a data set on the Hugging Face Hub; without a revision its newest state is read. */
const HubDataset = z.strictObject({
  dataset: Text,
  config: Text.default('default'),
  split: Text,
  revision: Text.optional(),
})

/** A folder on GitHub: the contents API's answer and the start of the files' URLs. */
const GitHubFolder = z.strictObject({ listing: Text, files: Text, suffix: z.string().default('') })

const PLACES = ['url', 'path', 'local', 'hugging_face', 'github_folder'] as const

/** A data file. `{argument}` in where it lies is filled in. */
export const SourceSection = z
  .strictObject({
    url: Text.optional(),
    /** Relative to the declaration's own folder. */
    path: Text.optional(),
    /** A file that the user brings, under an argument of kind `data`, e.g. `{data_path}/test.csv`. */
    local: Text.optional(),
    /** The local place is a folder: its files whose names end so, sorted by name. */
    suffix: z.string().optional(),
    hugging_face: HubDataset.optional(),
    github_folder: GitHubFolder.optional(),
    /** Expected digest; without one, the first seen is recorded in datasets.lock. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'it must be 64 hexadecimal digits')
      .optional(),
    // `*/x` is `x` at the top of the archive, or in one folder there.
    /** The file within the zip archive that lies there. */
    member: Text.optional(),
    /** The archive may lack that file: then it has no rows. */
    optional: z.boolean().default(false),
    /** `texts`, `xmls`: each file of a folder; `file`, `sqlite`: scenario.ts or a metric reads it. */
    format: z.enum(FORMATS),
    /** Names of the columns of a CSV file whose first line is a row already. */
    header: z.array(Text).optional(),
    /** Bytes that are no UTF-8 are dropped, as Python's `errors="ignore"` does; else they are a problem. */
    drop_undecodable: z.boolean().default(false),
    /** Who reads a CSV file: `python` csv.DictReader, `pandas` read_csv, `strict` every cell as written. */
    dialect: z.enum(['python', 'pandas', 'strict']).default('strict'),
    /** Between the cells of a CSV file. */
    separator: z.enum([',', '\t']).default(','),
    /** False keeps `NA`, empty cells and the like as text: `keep_default_na` of pandas. */
    na_texts: z.boolean().default(true),
    /** Columns that scenario.ts reads; a file without one of them is refused. */
    columns: z.array(Text).default([]),
    /** Key of a JSON object that holds the list of rows. */
    rows: Text.optional(),
  })
  .refine((source) => PLACES.filter((place) => source[place] !== undefined).length === 1, {
    message: 'it must have one of url, path, local, hugging_face and github_folder',
  })

export type Source = z.output<typeof SourceSection>
