import { dirname, resolve } from 'node:path'
import type { BenchmarkContext } from '../../context/context.ts'
import { fileDigest } from '../../sources/file-digest.ts'
import { gitHubFolder } from '../../sources/fetch/github-folder.ts'
import { hubDataset } from '../../sources/fetch/hugging-face.ts'
import { localData } from '../../sources/fetch/local-data.ts'
import { readBytes } from '../../sources/read-text.ts'
import { remoteFile, type LocalFile } from '../../sources/fetch/remote-file.ts'
import { fillText, type Placeholders } from '../fill.ts'
import { missingData } from './missing-data.ts'
import type { Declaration } from '../read-declaration.ts'
import type { Source } from './source-section.ts'

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
