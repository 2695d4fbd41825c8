import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { oneByOne } from '../../../cache/claims/holding.ts'
import { makeFolder } from '../../../cache/files/folders.ts'
import { digestOf, type Digest } from '../../../cache/values/digest.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { BenchmarkContext } from '../../context/context.ts'
import { fileDigest } from '../read-text.ts'
import { faultOfDownload } from './looks-whole.ts'
import { readFile, exists } from '../../../cache/files/read.ts'
import { replaceFile } from '../../../cache/files/write.ts'

/** A file on the web as a benchmark declares it. */
interface RemoteFile {
  readonly url: string
  /** Expected digest; where absent, what was first seen counts (datasets.lock). */
  readonly sha256?: string
}

/** A file on this machine with its digest. */
export interface LocalFile {
  readonly path: string
  readonly digest: Digest<'file'>
  /** The files of a source that is several: `path` is then what lists them, `digest` is over all of them. */
  readonly parts?: readonly LocalPart[]
}

export interface LocalPart {
  /** Its name in the listing. */
  readonly name: string
  readonly path: string
}

/**
 * The file behind a URL: from the mirror where one is set, else from the download folder, else from the web.
 * Its digest is compared on every use, so a changed or damaged file is never taken for the right one.
 *
 * @throws ProblemError `benchmarks/not-mirrored`, `benchmarks/download`, `benchmarks/changed-data`
 */
export const remoteFile = async (remote: RemoteFile, context: BenchmarkContext): Promise<LocalFile> => {
  const path = await fetchedPath(remote.url, context)
  const digest = await fileDigest(path, context.fileDigests)
  await checkDigest(remote, { path, digest }, context)
  return { path, digest }
}

/** @throws ProblemError `benchmarks/changed-data` when the data is not what the declaration or datasets.lock says */
export const checkDigest = async (
  remote: RemoteFile,
  found: LocalFile,
  context: BenchmarkContext,
): Promise<void> => {
  const { path, digest } = found
  const expected = remote.sha256 ?? (await recorded(remote.url, found, context))
  if (expected !== digest) throw changedData(remote, path, expected, digest, context)
}

/**
 * As `remoteFile`, but nothing is compared: for a listing, whose form may change while what it lists does not.
 * @throws ProblemError `benchmarks/not-mirrored`, `benchmarks/download`
 */
export const fetchedPath = async (url: string, context: BenchmarkContext): Promise<string> => {
  if (context.mirror !== undefined) return mirrored(url, context.mirror)
  const path = join(context.dataPath, mirrorPath(url))
  if (await exists(path)) return path
  makeFolder(dirname(path))
  const onWait = (holder: number): void => context.onEvent({ type: 'source-waiting', file: path, holder })
  // One folder for all: what a killed process leaves there goes with the next download, of whatever file.
  const claims = join(context.dataPath, '.claims')
  const name = digestOf(mirrorPath(url))
  await oneByOne(claims, name, { signal: context.signal, onWait }, async () => {
    if (await exists(path)) return
    // Loaded late: most invocations download nothing, and the HTTP client costs start-up time.
    const { download } = await import('./download.ts')
    await download(url, path, context)
  })
  return path
}

const mirrored = (url: string, mirror: string): string => {
  const path = join(mirror, mirrorPath(url))
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path
  throw new ProblemError({
    code: 'benchmarks/not-mirrored',
    message: `the mirror ${mirror} does not hold ${url}`,
    where: { file: path },
    remedy: `Put the file at ${mirrorPath(url)} in the mirror, or run without a mirror to download it.`,
  })
}

/** The digest that counts; on first sight the file's own, unless it is plainly not what was wanted. */
const recorded = async (
  url: string,
  { path, digest, parts = [] }: LocalFile,
  context: BenchmarkContext,
): Promise<string> => {
  const known = (await readDatasetLock(context.workspace)).get(url)
  if (known !== undefined) return known
  if ((await stat(path)).size === 0) throw damaged(url, path, 'it is empty')
  for (const file of [{ path, name: new URL(url).pathname }, ...parts]) {
    const fault = await faultOfDownload(file.path, file.name)
    if (fault !== undefined) throw damaged(url, file.path, fault)
  }
  return context.readOnly === true ? digest : recordDataset(url, digest, context)
}

const damaged = (url: string, path: string, fault: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/damaged-download',
    message: `what came from ${url} is not its data: ${fault}. Its digest was not recorded`,
    where: { file: path },
    remedy: 'Delete the file to fetch it again, or fetch it by hand and put it there.',
  })

const changedData = (
  remote: RemoteFile,
  path: string,
  expected: string,
  found: string,
  context: BenchmarkContext,
): ProblemError => {
  const by =
    remote.sha256 === undefined ? `recorded in ${lockFile(context.workspace)}` : 'named by the benchmark'
  return new ProblemError({
    code: 'benchmarks/changed-data',
    message: `the data of ${remote.url} is not what it was: its sha256 is ${found}, ${by} is ${expected}`,
    where: { file: path },
    remedy:
      remote.sha256 === undefined
        ? 'Results from the two can not be compared. Delete the file to fetch it again. If its publisher changed it and you want the new one, or if the recorded one was damaged, take the line that ends with this URL out of datasets.lock, too.'
        : 'Delete the file to fetch it again. If the digest still differs, the publisher changed data that should not change: do not use it.',
  })
}

/** Data sets that no declaration pins: URL → sha256 of what was first seen there. */
type DatasetLock = ReadonlyMap<string, string>

export const lockFile = (workspace: string): string => join(workspace, 'benchmarks', 'datasets.lock')

/** @throws ProblemError `benchmarks/datasets-lock` with the line that can't be read */
export const parseDatasetLock = (text: string, file: string): DatasetLock => {
  const entries = new Map<string, string>()
  // With line ends of Windows, as Git may check it out.
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue
    const [, sha256, url] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? []
    if (sha256 === undefined || url === undefined || entries.has(url))
      throw new ProblemError({
        code: 'benchmarks/datasets-lock',
        message: url === undefined ? 'this line is no entry' : `${url} is listed twice`,
        where: { file, line: index + 1 },
        remedy: 'An entry is a sha256, two spaces and a URL. Restore the file from version control.',
      })
    entries.set(url, sha256)
  }
  return entries
}

/** Sorted by URL, so that two branches that add data sets merge. */
export const printDatasetLock = (entries: DatasetLock): string =>
  [
    '# sha256 of each data set that no benchmark pins, as first downloaded. Keep this file in version control.\n',
    ...[...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([url, sha256]) => `${sha256}  ${url}\n`),
  ].join('')

export const readDatasetLock = async (workspace: string): Promise<DatasetLock> => {
  const file = lockFile(workspace)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return parseDatasetLock(text, file)
}

/** Adds an entry unless another process was first; returns the digest that now stands. */
export const recordDataset = async (
  url: string,
  sha256: string,
  context: BenchmarkContext,
): Promise<string> => {
  const file = lockFile(context.workspace)
  makeFolder(dirname(file))
  return oneByOne(`${file}.claims`, 'writing', { signal: context.signal }, async () => {
    const entries = await readDatasetLock(context.workspace)
    const known = entries.get(url)
    if (known !== undefined) return known
    replaceFile(file, printDatasetLock(new Map([...entries, [url, sha256]])), { mode: 0o666 })
    context.onEvent({ type: 'source-recorded', url, sha256 })
    return sha256
  })
}

/**
 * Where a URL's file lies in a mirror or in the download folder: `HOST/PATH__QUERY`, with PATH percent-encoded as it
 * is sent, runs of `/` as one, and every character of QUERY outside `A-Za-z0-9-._~=&` as `%XX`. Relative, with `/`.
 */
export const mirrorPath = (address: string): string => {
  const url = new URL(address)
  const query = url.search
    .slice(1)
    .replace(
      /[^A-Za-z0-9\-._~=&]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
  return `${url.host}${url.pathname.replace(/\/+/g, '/')}${query === '' ? '' : `__${query}`}`
}
