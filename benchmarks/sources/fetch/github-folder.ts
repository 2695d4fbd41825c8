import { ProblemError } from '../../../cache/problems/problem.ts'
import type { BenchmarkContext } from '../../context/context.ts'
import { isDict } from '../../python/kinds.ts'
import type { PyValue } from '../../python/value.ts'
import { parseJson } from '../parse-json.ts'
import { decodeText, readBytes } from '../read-text.ts'
import { fetchedPath, type LocalFile } from './remote-file.ts'
import { severalFiles } from './several-files.ts'

interface GitHubFolder {
  /** Answer of the contents API, whose order is kept (HELM.md B14). It names at most 1,000 files. */
  readonly listing: string
  /** Start of each file's URL; the name follows. */
  readonly files: string
  /** Names that end otherwise are left out. */
  readonly suffix: string
  readonly sha256?: string
}

/**
 * The files of a GitHub folder in the listing's order. A name with `#` is listed but never fetched: HELM sends names as
 * they are, so from the `#` on nothing reaches the server, which then has no such file (HELM.md B14).
 * Other names that the server lacks are left out as well: the listing may be newer than the files.
 *
 * @throws ProblemError `benchmarks/listing`, and those of a download
 */
export const gitHubFolder = async (folder: GitHubFolder, context: BenchmarkContext): Promise<LocalFile> => {
  const path = await fetchedPath(folder.listing, context)
  const names = listedNames(parseJson(decodeText(await readBytes(path, 'listing'), path), path), path)
  const files = names
    .filter((name) => name.endsWith(folder.suffix))
    .map((name) =>
      name.includes('#') ? { name } : { name, url: new URL(folder.files + name).href, optional: true },
    )
  const pinned = folder.sha256 === undefined ? {} : { sha256: folder.sha256 }
  return severalFiles({ url: folder.listing, path, part: folder.suffix, ...pinned }, files, context)
}

const listedNames = (listing: PyValue, file: string): readonly string[] => {
  const entries: readonly PyValue[] = Array.isArray(listing) ? listing : []
  const names = entries.map((entry): PyValue | undefined => (isDict(entry) ? entry.get('name') : undefined))
  if (names.length > 0 && names.every((name) => typeof name === 'string')) return names
  throw new ProblemError({
    code: 'benchmarks/listing',
    message: 'the file is no list of files with names, as GitHub answers for a folder',
    where: { file },
    remedy: 'Delete the file to fetch it again.',
  })
}
