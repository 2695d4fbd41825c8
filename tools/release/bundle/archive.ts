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

/** A file to be packed. `chunks` gives exactly `size` bytes. */
interface TarEntry {
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly chunks: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

const BLOCK = 512
const NAME_BYTES = 100

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`

/**
 * A ustar header. Owner, time and mode are the same for every file, so that an archive depends on names and bytes only.
 * @param type `0` for a file, `x` for a pax record
 */
const header = (name: string, size: number, type: '0' | 'x'): Buffer => {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0, NAME_BYTES, 'utf8')
  block.write(octal(0o644, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(size, 12), 124)
  block.write(octal(0, 12), 136)
  // The checksum counts its own field as blanks.
  block.write(' '.repeat(8), 148)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** `length key=value\n`, where the length counts itself. */
const paxRecord = (key: string, value: string): Buffer => {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest
  while (String(length).length + rest !== length) length = String(length).length + rest
  return Buffer.from(`${length} ${key}=${value}\n`)
}

/** Run names are longer than the 100 bytes of a plain header, so longer names go into a pax record. */
const nameBlocks = (path: string): readonly Buffer[] => {
  if (Buffer.byteLength(path) <= NAME_BYTES) return []
  const record = paxRecord('path', path)
  return [header('pax', record.length, 'x'), record, padding(record.length)]
}

const shortName = (path: string): string =>
  Buffer.byteLength(path) <= NAME_BYTES ? path : Buffer.from(path).subarray(0, NAME_BYTES).toString('latin1')

/** A tar archive (ustar, pax records for long names) of files in the order given: same files, same bytes. */
const tarChunks = async function* (
  entries: Iterable<TarEntry> | AsyncIterable<TarEntry>,
): AsyncGenerator<Uint8Array> {
  for await (const { path, size, chunks } of entries) {
    yield* nameBlocks(path)
    yield header(shortName(path), size, '0')
    let written = 0
    for await (const chunk of chunks()) {
      written += chunk.length
      yield chunk
    }
    if (written !== size) throw new RangeError(`${path} gave ${written} of ${size} bytes`)
    yield padding(size)
  }
  yield Buffer.alloc(2 * BLOCK)
}
