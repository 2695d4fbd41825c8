import { z } from 'zod'

const Text = z.string().min(1, 'it must be some text')

export const FORMATS = [
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
