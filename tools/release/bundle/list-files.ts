import { createHash } from 'node:crypto'
import { createReadStream, type Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { plain } from '../../../cache/files/read.ts'
import { compareCodePoints } from '../../../benchmarks/python/text.ts'
import { EXIT, type ProblemError } from '../../../cache/problems/problem.ts'
import { badRelease } from '../bad-release.ts'

/** A file of a release by its path below the bundle, `/` between the parts. */
export interface ReleaseFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string
}

/**
 * Paths of all files below a folder, ordered by code points.
 * @throws ProblemError `release/odd-file` for links, FIFOs, sockets and devices, of which a release has none
 */
export const listPaths = async (directory: string): Promise<readonly string[]> => {
  const paths: string[] = []
  const visit = async (below: string): Promise<void> => {
    const entries = await readdir(join(directory, below), { withFileTypes: true })
    for (const entry of entries) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) await visit(path)
      else if (entry.isFile()) paths.push(path)
      else throw oddFile(join(directory, path), path, entry)
    }
  }
  await visit('')
  return paths.sort(compareCodePoints)
}

const oddFile = (file: string, path: string, entry: Dirent): ProblemError => {
  const kind = entry.isSymbolicLink() ? 'a link' : entry.isFIFO() ? 'a FIFO' : 'a device or socket'
  return badRelease('release/odd-file', `${path} is ${kind}`, { file }, { exitCode: EXIT.incomplete })
}

/** Digest and size of one file, read in pieces. */
export const digestFile = async (directory: string, path: string): Promise<ReleaseFile> => {
  const file = join(directory, path)
  const hash = createHash('sha256')
  await pipeline(createReadStream(plain(file)), hash)
  return { path, size: (await stat(file)).size, sha256: hash.digest('hex') }
}

/** All files of a folder with their digests, ordered by path. */
export const digestFiles = async (directory: string): Promise<readonly ReleaseFile[]> => {
  const files: ReleaseFile[] = []
  for (const path of await listPaths(directory)) files.push(await digestFile(directory, path))
  return files
}
