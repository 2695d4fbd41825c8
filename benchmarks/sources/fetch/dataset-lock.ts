import { dirname, join } from 'node:path'
import { readFile } from '../../../cache/files/plain-file.ts'
import { oneByOne } from '../../../cache/claims/holding.ts'
import { makeFolder } from '../../../cache/files/make-folder.ts'
import { replaceFile } from '../../../cache/files/whole-file.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { BenchmarkContext } from '../../context/context.ts'

/** Data sets that no declaration pins: URL → sha256 of what was first seen there. */
export type DatasetLock = ReadonlyMap<string, string>

export const lockFile = (workspace: string): string => join(workspace, 'benchmarks', 'datasets.lock')

/** @throws ProblemError `benchmarks/datasets-lock` with the line that can't be read */
export const parseDatasetLock = (text: string, file: string): DatasetLock => {
  const entries = new Map<string, string>()
  for (const [index, line] of text.split('\n').entries()) {
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
