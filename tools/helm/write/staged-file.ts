import { writeFileSync, statSync } from 'node:fs'
import { chmod, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { makeFolder } from '../../../cache/files/folders.ts'
import { named, stagedName } from '../../../cache/files/write.ts'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'

export type Chunks = Iterable<string> | AsyncIterable<string>

/** Characters gathered before a write: few system calls, little memory. */
const BLOCK = 1 << 16

/** A file that is written beside its place and put there in one step: readers see the old file or the whole new one. */
export class StagedFile {
  readonly #path: string
  readonly #temporary: string
  readonly #file: FileHandle
  #block = ''

  private constructor(path: string, temporary: string, file: FileHandle) {
    this.#path = path
    this.#temporary = temporary
    this.#file = file
  }

  /** Opens a temporary file in the directory of `path`, which is made if need be. */
  static async open(path: string, widest = 0o666): Promise<StagedFile> {
    makeFolder(dirname(path))
    const temporary = stagedName(path)
    // No more open than its folder: those of gated and private runs are for their owner only.
    const mode = widest & (await stat(dirname(path))).mode
    return new StagedFile(path, temporary, await open(temporary, 'wx', mode))
  }

  /** True where a block was written. */
  write(chunk: string): boolean {
    this.#block += chunk
    if (this.#block.length < BLOCK) return false
    this.#flush()
    return true
  }

  /** At once: the system takes a block in less time than another thread would need to be told of it. */
  #flush(): void {
    try {
      writeFileSync(this.#file.fd, this.#block)
    } catch (error) {
      throw named(error, this.#temporary)
    }
    this.#block = ''
  }

  async writeAll(chunks: Chunks): Promise<void> {
    // Between blocks, calls of other runs go on.
    for await (const chunk of chunks) if (this.write(chunk)) await setImmediate()
  }

  /** Whether the file's place already holds all that was written. */
  async isThere(): Promise<boolean> {
    this.#flush()
    return haveSameContent(this.#temporary, this.#path)
  }

  /** Brings everything to disk: a name that survives a power cut must not lead to bytes that did not. */
  async finish(): Promise<void> {
    this.#flush()
    await this.#file.sync().catch((error: unknown) => {
      throw named(error, this.#temporary)
    })
    await this.#file.close()
  }

  /** After `finish`. */
  async commit(): Promise<void> {
    await rename(this.#temporary, this.#path)
  }

  /** Leaves nothing behind; may be called at any time before `commit`. */
  async discard(): Promise<void> {
    await this.#file.close()
    await rm(this.#temporary, { force: true })
  }
}

/**
 * Opens several files, lets `fill` write them and puts them in place, the last path last, when all are on disk.
 * If anything fails, every file stays as it was.
 */
export const writeTogether = async (
  paths: readonly string[],
  fill: (files: readonly StagedFile[]) => Promise<void>,
): Promise<void> => {
  const files: StagedFile[] = []
  try {
    for (const path of paths) files.push(await StagedFile.open(path))
    await fill(files)
    await Promise.all(files.map((file) => file.finish()))
    for (const file of files) await file.commit()
  } catch (error) {
    await Promise.all(files.map((file) => file.discard()))
    throw error
  }
}

/** Writes several files so that none is in place before all are on disk. */
export const writeFilesTogether = (contents: ReadonlyMap<string, Chunks>): Promise<void> =>
  writeTogether([...contents.keys()], async (files) => {
    const chunks = [...contents.values()]
    for (const [index, file] of files.entries()) await file.writeAll(chunks[index] ?? [])
  })

/** Writes a whole file in one step. */
export const writeWholeFile = (path: string, chunks: Chunks): Promise<void> =>
  writeFilesTogether(new Map([[path, chunks]]))

/**
 * Writes a whole file in one step, unless it stands there as it would be written.
 * @param closed whether nobody but its owner may read it, whatever its folder's mode is
 */
export const writeChangedFile = async (path: string, chunks: Chunks, closed = false): Promise<void> => {
  const file = await StagedFile.open(path, closed ? 0o600 : 0o666)
  try {
    await file.writeAll(chunks)
    if (await file.isThere()) {
      await file.discard()
      // Not for nothing: a change of mode is taken for one of content.
      if (closed && ((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
      return
    }
    await file.finish()
    await file.commit()
  } catch (error) {
    await file.discard()
    throw error
  }
}

/**
 * What tells a folder's files from edited ones, though an edit left size and time as they were; undefined when one is
 * missing. Synchronous: 2,405 of these take 20 ms.
 */
export const stampOf = (directory: string, names: readonly string[]): string | undefined => {
  const parts: string[] = []
  for (const name of names) {
    const stat = statSync(join(directory, name), { bigint: true, throwIfNoEntry: false })
    if (stat === undefined) return undefined
    parts.push(`${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.ino}`)
  }
  return parts.join(' ')
}

/** A value as Python's json.dumps(…, indent=2) prints it inside `depth` containers. */
export const indented = (value: PyValue, depth: number): string => dumps(value, { indent: 2, depth })

export type Stream<T> = Iterable<T> | AsyncIterable<T>

/** A list inside `depth` containers, printed element by element. */
export const arrayChunks = async function* <T>(
  elements: Stream<T>,
  valueOf: (element: T) => PyValue,
  depth = 0,
): AsyncGenerator<string> {
  const margin = '  '.repeat(depth)
  let opened = false
  for await (const element of elements) {
    yield `${opened ? ',' : '['}\n${margin}  ${indented(valueOf(element), depth + 1)}`
    opened = true
  }
  yield opened ? `\n${margin}]` : '[]'
}

export const jsonChunks = (value: PyValue): readonly string[] => [dumps(value, { indent: 2 })]

const COMPARED = 1 << 18

/** Whether two files hold the same bytes; false where there is no second one. Holds a block of each. */
const haveSameContent = async (path: string, other: string): Promise<boolean> => {
  const two = await open(other).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (two === undefined) return false
  const one = await open(path)
  try {
    return (await one.stat()).size === (await two.stat()).size && (await sameBlocks(one, two))
  } finally {
    await one.close()
    await two.close()
  }
}

const sameBlocks = async (one: FileHandle, two: FileHandle): Promise<boolean> => {
  const [a, b] = [Buffer.alloc(COMPARED), Buffer.alloc(COMPARED)]
  for (let at = 0; ;) {
    const [{ bytesRead }] = await Promise.all([one.read(a, 0, COMPARED, at), two.read(b, 0, COMPARED, at)])
    if (!a.equals(b)) return false
    if (bytesRead === 0) return true
    at += bytesRead
  }
}
