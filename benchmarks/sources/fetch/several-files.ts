import { sideBySide } from '../../../cache/lists.ts'
import { digestJson } from '../../../cache/values/digest.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { BenchmarkContext } from '../../context/context.ts'
import { fileDigest } from '../read-text.ts'
import { checkDigest, fetchedPath, type LocalFile, type LocalPart } from './remote-file.ts'

/** A file that a listing names. Without a URL it can't be had, and the data is what it is without it. */
interface ListedFile {
  readonly name: string
  readonly url?: string
  /** The listing may name files that its server does not have: these are left out too. */
  readonly optional?: boolean
}

/** Downloads that run at the same time. */
const AT_ONCE = 8

/**
 * The files of a listing, fetched. One digest stands for all of them, in order and by name: that of a declaration or
 * of datasets.lock under the listing's URL and the part of it: other data may be read by the same listing.
 *
 * @param listing its URL, its path on this machine, and what of it is read; empty for all
 * @throws ProblemError `benchmarks/not-mirrored`, `benchmarks/download`, `benchmarks/changed-data`
 */
export const severalFiles = async (
  listing: { readonly url: string; readonly path: string; readonly part: string; readonly sha256?: string },
  files: readonly ListedFile[],
  context: BenchmarkContext,
): Promise<LocalFile> => {
  const paths: (string | undefined)[] = []
  const told = files.length > AT_ONCE ? summedUp(context, listing.url) : context
  await sideBySide([...files.entries()], AT_ONCE, async ([index, { url, optional }]) => {
    if (url !== undefined)
      paths[index] = await (optional === true ? pathIfThere(url, told) : fetchedPath(url, told))
  })
  const digests: [string, string | null][] = []
  const parts: LocalPart[] = []
  for (const [index, { name }] of files.entries()) {
    const path = paths[index]
    digests.push([name, path === undefined ? null : await fileDigest(path, context.fileDigests)])
    if (path !== undefined) parts.push({ name, path })
  }
  const found = { path: listing.path, digest: digestJson<'file'>(digests), parts }
  const { url, part } = listing
  await checkDigest({ ...listing, url: part === '' ? url : `${url}#${encodeURI(part)}` }, found, context)
  return found
}

/** Many small files are told as one download, of which each file that is done is progress. */
const summedUp = (context: BenchmarkContext, url: string): BenchmarkContext => {
  let received = 0
  return {
    ...context,
    onEvent: (event) => {
      if (event.type === 'source-download-done') {
        received += event.bytes
        context.onEvent({ type: 'source-download-progress', url, received })
      } else if (!event.type.startsWith('source-download-')) context.onEvent(event)
    },
  }
}

const pathIfThere = async (url: string, context: BenchmarkContext): Promise<string | undefined> => {
  try {
    return await fetchedPath(url, context)
  } catch (error) {
    if (error instanceof ProblemError && error.problems[0]?.code === 'benchmarks/not-found') return undefined
    throw error
  }
}
