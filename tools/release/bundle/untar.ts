import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { plain } from '../../../cache/files/read.ts'
import { makeFolder } from '../../../cache/files/folders.ts'
import { named } from '../../../cache/files/write.ts'
import { createGunzip } from 'node:zlib'
import { EXIT, type ProblemError } from '../../../cache/problems/problem.ts'
import { badRelease } from '../bad-release.ts'

const BLOCK = 512
/** Bytes of the longest name that an archive may announce. */
const LONGEST_NAME = 65_536
/** Bytes that an archive of any size may hold, and how many times its own size beyond that: JSON packs 30 to 1. */
const ALLOWED = { bytes: 256e6, ratio: 200 }

/** What a header's type letter stands for, for those that no release may hold. */
const ODD_TYPES: Readonly<Record<string, string>> = {
  '1': 'a link',
  '2': 'a link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a FIFO',
}

/**
 * Unpacks a gzipped tar archive (ustar, pax and GNU names) into an empty folder: files and folders, nothing else, and
 * none outside of it.
 * @throws ProblemError `release/bad-archive`
 */
export const unpackArchive = async (archive: string, folder: string): Promise<void> => {
  const limit = Math.max(ALLOWED.bytes, ALLOWED.ratio * (await stat(archive)).size)
  const reader = new Reader(archive, limit)
  try {
    for (let name: string | undefined; ;) {
      const header = await reader.header()
      if (header === undefined) return await reader.end()
      const { type, size } = header
      if (type === 'x' || type === 'L') {
        name = nameIn(type, await reader.name(size)) ?? name
        continue
      }
      const path = name ?? header.name
      name = undefined
      if (type === 'g') await reader.name(size)
      else if (type === '5') reader.folder(inside(folder, path, reader))
      else if (type === '0' || type === '\0') await reader.write(inside(folder, path, reader), size)
      else throw reader.fault(`${path} is ${ODD_TYPES[type] ?? 'neither a file nor a folder'}`)
    }
  } catch (error) {
    throw isZlib(error) ? reader.fault(error.message, error) : error
  } finally {
    reader.close()
  }
}

const isZlib = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

const inside = (folder: string, path: string, reader: Reader): string => {
  const parts = path.replace(/\/+$/, '').split('/')
  const isPlain = parts.every((part) => part !== '' && part !== '..')
  if (!isPlain || /[\\\0]/.test(path)) throw reader.fault(`${JSON.stringify(path)} is no path of a release`)
  return join(folder, ...parts)
}

/** The name that an extra record gives to the entry after it. */
const nameIn = (type: 'x' | 'L', text: string): string | undefined => {
  if (type === 'L') return text.replace(/\0.*$/s, '')
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at)
    const [, key, value] = /^\d+ ([^=]+)=(.*)$/s.exec(text.slice(at, end === -1 ? undefined : end)) ?? []
    if (key === 'path') return value
    at = end === -1 ? text.length : end + 1
  }
  return undefined
}

interface Header {
  readonly name: string
  readonly type: string
  /** Bytes. */
  readonly size: number
}

/** The unpacked bytes of an archive, in the pieces that are asked for. */
class Reader {
  readonly #archive: string
  readonly #limit: number
  readonly #stream: ReturnType<typeof createGunzip>
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  #read = 0

  constructor(archive: string, limit: number) {
    this.#archive = archive
    this.#limit = limit
    // Both end together; what went wrong is thrown to whoever reads.
    this.#stream = pipeline(createReadStream(plain(archive)), createGunzip(), () => undefined)
    this.#chunks = this.#stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  fault(reason: string, cause?: unknown): ProblemError {
    return badRelease(
      'release/bad-archive',
      `${this.#archive} is no archive of a release: ${reason}`,
      { file: this.#archive },
      { cause, exitCode: EXIT.incomplete },
    )
  }

  /** Undefined at the archive's end: a block of zeros. */
  async header(): Promise<Header | undefined> {
    const block = await this.#take(BLOCK)
    if (block.every((byte) => byte === 0)) return undefined
    const field = (from: number, length: number): string =>
      block.toString('utf8', from, from + length).replace(/\0.*$/s, '')
    const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0)
    if (Number.parseInt(field(148, 8), 8) !== sum) throw this.fault('a header has another checksum')
    const size = Number.parseInt(field(124, 12), 8)
    if (!Number.isSafeInteger(size) || size < 0) throw this.fault('a header tells no size')
    const prefix = field(257, 5) === 'ustar' && block[263] === 0x30 ? field(345, 155) : ''
    const name = prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`
    return { name, type: String.fromCodePoint(block[156] ?? 0), size }
  }

  async name(size: number): Promise<string> {
    if (size > LONGEST_NAME) throw this.fault(`a name takes ${size} bytes`)
    const bytes = await this.#take(size)
    await this.#skipPadding(size)
    return bytes.toString('utf8')
  }

  folder(path: string): void {
    try {
      makeFolder(path)
    } catch (error) {
      this.#refuse(error as NodeJS.ErrnoException)
    }
  }

  async write(path: string, size: number): Promise<void> {
    this.folder(dirname(path))
    const file = await open(path, 'wx').catch(this.#refuse)
    try {
      for (let left = size; left > 0;) {
        if (this.#rest.length === 0) await this.#more()
        const piece = this.#rest.subarray(0, left)
        await file.writeFile(piece).catch((error: unknown) => {
          throw named(error, path)
        })
        this.#rest = this.#rest.subarray(piece.length)
        left -= piece.length
      }
    } finally {
      await file.close()
    }
    await this.#skipPadding(size)
  }

  /** Two entries of one name, a file that is a folder to others, names that no file system takes. */
  readonly #refuse = (error: NodeJS.ErrnoException): never => {
    if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) throw error
    throw this.fault(`a name in it can't be a file here (${error.code})`, error)
  }

  close(): void {
    this.#stream.destroy()
  }

  async #skipPadding(size: number): Promise<void> {
    await this.#take((BLOCK - (size % BLOCK)) % BLOCK)
  }

  async #take(size: number): Promise<Buffer> {
    while (this.#rest.length < size) await this.#more()
    const taken = this.#rest.subarray(0, size)
    this.#rest = this.#rest.subarray(size)
    return taken
  }

  /** Reads what is left, for the stream's checksum comes last. */
  async end(): Promise<void> {
    do this.#rest = Buffer.alloc(0)
    while (await this.#next())
  }

  async #more(): Promise<void> {
    if (!(await this.#next())) throw this.fault('it ends in the middle')
  }

  /** False at the stream's end. */
  async #next(): Promise<boolean> {
    const { value, done } = await this.#chunks.next()
    if (done === true) return false
    this.#read += value.length
    if (this.#read > this.#limit) throw this.fault(`it unpacks to more than ${this.#limit} bytes`)
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
    return true
  }
}
