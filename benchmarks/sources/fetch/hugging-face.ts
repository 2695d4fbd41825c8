import { ProblemError } from '../../../cache/problems/problem.ts'
import type { BenchmarkContext } from '../../context/context.ts'
import { isDict, isList } from '../../python/kinds.ts'
import type { PyValue } from '../../python/value.ts'
import { parseJson } from '../parse-json.ts'
import { decodeText, readBytes } from '../read-text.ts'
import { fetchedPath, type LocalFile } from './remote-file.ts'
import { severalFiles } from './several-files.ts'

/** One split of a data set on the Hugging Face Hub. */
interface HubDataset {
  readonly dataset: string
  readonly config: string
  readonly split: string
  /** A commit, whose own Parquet files are read; without one, the newest state as the Hub converts it to Parquet. */
  readonly revision?: string
  readonly sha256?: string
}

const HUB = 'https://huggingface.co'
/** The Hub's own branch with every data set as Parquet. */
const CONVERTED = 'refs/convert/parquet'

/**
 * The Parquet files of a split, in order.
 * @throws ProblemError `benchmarks/listing` where the Hub names no Parquet file for it, and those of a download
 */
export const hubDataset = async (source: HubDataset, context: BenchmarkContext): Promise<LocalFile> => {
  const { dataset, config, split } = source
  const revision = encodeURIComponent(source.revision ?? CONVERTED)
  const url = `${HUB}/api/datasets/${dataset}/tree/${revision}?recursive=true`
  const path = await fetchedPath(url, context)
  const files = listedPaths(parseJson(decodeText(await readBytes(path, 'listing'), path), path))
    .filter((name) => belongs(name, config, split))
    .toSorted()
    .map((name) => ({ name, url: `${HUB}/datasets/${dataset}/resolve/${revision}/${name}` }))
  if (files.length === 0)
    throw new ProblemError({
      code: 'benchmarks/listing',
      message: `the Hub lists no Parquet file for ${dataset}, config ${config}, split ${split}`,
      where: { file: path },
      remedy: 'Delete the file to ask again. If the answer stays, the data set changed its form.',
    })
  const pinned = source.sha256 === undefined ? {} : { sha256: source.sha256 }
  return severalFiles({ url, path, part: `${config}/${split}`, ...pinned }, files, context)
}

const listedPaths = (listing: PyValue): readonly string[] =>
  (isList(listing) ? listing : [])
    .map((entry) => (isDict(entry) ? entry.get('path') : undefined))
    .filter((path) => typeof path === 'string')

/** `<config>/<split>/0000.parquet` in the Hub's branch, `<config>/<split>-00000-of-00002.parquet` in a publisher's. */
const belongs = (path: string, config: string, split: string): boolean => {
  const [folder, name] = [path.split('/').slice(0, -1).join('/'), path.split('/').at(-1) ?? '']
  if (!name.endsWith('.parquet')) return false
  if (folder === `${config}/${split}`) return true
  const folders = config === 'default' ? ['data', 'default', ''] : [config, `data/${config}`]
  return folders.includes(folder) && (name === `${split}.parquet` || name.startsWith(`${split}-`))
}
