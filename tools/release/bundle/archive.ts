import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { named, stagedName } from '../../../cache/files/write.ts'
import { plain } from '../../../cache/files/read.ts'
import { RELEASE_FILE } from '../release-file.ts'
import { digestFile, type ReleaseFile } from './list-files.ts'
import { SIGNATURE_FILE } from './signature.ts'
import { tarChunks, type TarEntry } from './tar.ts'
import { reasonOf } from '../../../cache/problems/problem.ts'

/** No name, no time, an unknown system: zlib would write its own platform's number. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])

const entriesOf = function* (
  directory: string,
  name: string,
  files: readonly Pick<ReleaseFile, 'path' | 'size'>[],
): Generator<TarEntry> {
  for (const { path, size } of files)
    yield { path: `${name}/${path}`, size, chunks: () => createReadStream(join(directory, path)) }
}

const withFixedHeader = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const chunk of chunks) {
    // zlib gives its own header in one piece.
    if (isFirst) chunk.set(GZIP_HEADER)
    isFirst = false
    yield chunk
  }
}

/** Packs a bundle into `target`, every path below a folder `name`; the file appears when it is whole. */
export const writeArchive = async (
  directory: string,
  name: string,
  files: readonly Pick<ReleaseFile, 'path' | 'size'>[],
  target: string,
): Promise<void> => {
  const staged = stagedName(target)
  try {
    await pipeline(
      Readable.from(tarChunks(entriesOf(directory, name, files))),
      createGzip({ level: 9 }),
      withFixedHeader,
      createWriteStream(staged, { flush: true }),
    )
    await rename(staged, target)
  } catch (error) {
    await rm(staged, { force: true })
    throw named(error, staged)
  }
}

/** What is wrong with an archive of a bundle; undefined when it holds exactly the bundle's bytes. */
export const archiveFault = async (
  archive: string,
  directory: string,
  name: string,
  files: readonly Pick<ReleaseFile, 'path' | 'size'>[],
): Promise<string | undefined> => {
  if (!(await headOf(archive)).equals(GZIP_HEADER))
    return 'its first bytes are not those of a release archive'
  const packed = createHash('sha256')
  const expected = createHash('sha256')
  try {
    await pipeline(createReadStream(archive), createGunzip(), packed)
  } catch (error) {
    return `it can't be unpacked: ${reasonOf(error)}`
  }
  await pipeline(Readable.from(tarChunks(entriesOf(directory, name, files))), expected)
  return packed.digest('hex') === expected.digest('hex') ? undefined : 'it holds other bytes than the bundle'
}

const headOf = async (file: string): Promise<Buffer> =>
  Buffer.concat((await createReadStream(plain(file), { end: GZIP_HEADER.length - 1 }).toArray()) as Buffer[])

/** What a bundle's archive holds, in its order: the files that release.json names, that file, its signature. */
export const archivedFiles = async (
  bundle: string,
  named: readonly ReleaseFile[],
): Promise<readonly ReleaseFile[]> => {
  const own = [RELEASE_FILE, SIGNATURE_FILE].filter((path) => existsSync(join(bundle, path)))
  return [...named, ...(await Promise.all(own.map((path) => digestFile(bundle, path))))]
}
