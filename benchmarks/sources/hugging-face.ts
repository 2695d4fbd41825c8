import { ProblemError } from '../../cache/problem.ts'
import type { BenchmarkContext } from '../context.ts'
import type { PyValue } from '../python/value.ts'
import { parseJson } from './parse-json.ts'
import { decodeText, readBytes } from './read-text.ts'
import { fetchedPath, type LocalFile } from './remote-file.ts'
import { severalFiles, type ListedFile } from './several-files.ts'

/** One split of a data set on the Hugging Face Hub. */
export interface HubDataset {
  readonly dataset: string
  readonly config: string
  readonly split: string
  /** A commit, whose own Parquet files are read; without one, the newest state as the Hub converts it to Parquet. */
  readonly revision?: string
  readonly sha256?: string
}

const HUB = 'https://huggingface.co'

/**
 * The Parquet files of a split, in order.
 * @throws ProblemError `benchmarks/listing` where the Hub names no Parquet file for it, and those of a download
 */
export const hubDataset = async (source: HubDataset, context: BenchmarkContext): Promise<LocalFile> => {
  const url = listingOf(source)
  const path = await fetchedPath(url, context)
  const listing = parseJson(decodeText(await readBytes(path, 'listing'), path), path)
  const files = source.revision === undefined ? convertedFiles(listing) : filesAt(source, listing)
  if (files.length === 0)
    throw new ProblemError({
      code: 'benchmarks/listing',
      message: `the Hub lists no Parquet file for ${source.dataset}, config ${source.config}, split ${source.split}`,
      where: { file: path },
      remedy: 'Delete the file to ask again. If the answer stays, the data set changed its form.',
    })
  const pinned = source.sha256 === undefined ? {} : { sha256: source.sha256 }
  return severalFiles({ url, path, ...pinned }, files, context)
}

/** What lists the files: the Hub's conversion to Parquet, or a commit's tree. */
const listingOf = ({ dataset, config, split, revision }: HubDataset): string =>
  revision === undefined
    ? `${HUB}/api/datasets/${dataset}/parquet/${config}/${split}`
    : `${HUB}/api/datasets/${dataset}/tree/${revision}?recursive=true`

const convertedFiles = (listing: PyValue): readonly ListedFile[] =>
  (Array.isArray(listing) ? (listing as readonly PyValue[]) : [])
    .filter((url) => typeof url === 'string')
    .map((url) => ({ name: url.split('/').slice(-3).join('/'), url }))

/** `<config>/<split>-00000-of-00002.parquet` or `<config>/<split>.parquet`; the default config may be named `data`. */
const filesAt = (
  { dataset, config, split, revision }: HubDataset,
  listing: PyValue,
): readonly ListedFile[] => {
  const folders = config === 'default' ? ['data', 'default', ''] : [config, `data/${config}`]
  return (Array.isArray(listing) ? (listing as readonly PyValue[]) : [])
    .map((entry) => (entry instanceof Map ? (entry as ReadonlyMap<string, PyValue>).get('path') : undefined))
    .filter((path) => typeof path === 'string')
    .filter((path) => {
      const [folder, name] = [path.split('/').slice(0, -1).join('/'), path.split('/').at(-1) ?? '']
      if (!folders.includes(folder) || !name.endsWith('.parquet')) return false
      return name === `${split}.parquet` || name.startsWith(`${split}-`)
    })
    .toSorted()
    .map((path) => ({ name: path, url: `${HUB}/datasets/${dataset}/resolve/${revision}/${path}` }))
}
