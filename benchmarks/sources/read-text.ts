import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { machineProblem } from '../../cache/problems/system-problem.ts'
import { decodeUtf8 } from '../../cache/files/utf8.ts'
import { readFile, requirePlainFile, readFileSync } from '../../cache/files/read.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { FileDigests } from '../context/context.ts'

/**
 * Reads a file.
 * @param what what the user knows the file as, e.g. `prompt file`
 * @throws ProblemError `benchmarks/missing-file`, `benchmarks/unreadable-file`
 */
export const readBytes = async (file: string, what: string, where: Place = { file }): Promise<Buffer> => {
  try {
    return await readFile(file)
  } catch (error) {
    throw unreadableFile(file, what, error, where) ?? error
  }
}

/** The problem of a file that can't be opened or read; undefined for errors of any other kind. */
export const unreadableFile = (
  file: string,
  what: string,
  cause: unknown,
  where: Place = { file },
): ProblemError | undefined => {
  const { code, syscall } = cause as NodeJS.ErrnoException
  if (syscall === undefined) return undefined
  const passing = machineProblem(cause)
  if (passing !== undefined) return passing
  const missing = code === 'ENOENT'
  return new ProblemError(
    {
      code: missing ? 'benchmarks/missing-file' : 'benchmarks/unreadable-file',
      message: missing
        ? `the ${what} ${file} does not exist`
        : `the ${what} ${file} can't be read: ${code ?? syscall}`,
      where,
      remedy: missing ? 'Check the path.' : 'Check that it is a file and that you may read it.',
    },
    { cause },
  )
}

/**
 * Bytes as UTF-8 text, a byte order mark kept as U+FEFF.
 * @throws ProblemError `benchmarks/not-utf8` with line, column and the offset of the first bad byte
 */
export const decodeText = (bytes: Uint8Array, file: string): string =>
  decodeUtf8(bytes, file, 'benchmarks/not-utf8')

/**
 * UTF-16 of a file that does not say so, whose first letter every reader would take for two.
 * @throws ProblemError `benchmarks/not-utf8`
 */
export const refuseUtf16 = (bytes: Uint8Array, file: string): void => {
  if (bytes[0] !== 0 && bytes[1] !== 0) return
  throw new ProblemError({
    code: 'benchmarks/not-utf8',
    message: 'the file begins with a NUL character: it is UTF-16 without its mark, or no text',
    where: { file, line: 1, column: 1 },
    remedy: 'Save it as UTF-8 (in Excel: "CSV UTF-8").',
  })
}

const REPLACEMENT = Buffer.from('\ufffd')

/** Bytes as text without those that are no UTF-8: Python's `errors="ignore"`. */
export const decodeIgnoring = (bytes: Uint8Array): string => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  // The decoder writes U+FFFD for what it can't read: between those that the file itself holds, none may stay.
  for (let start = 0; start <= buffer.length;) {
    const found = buffer.indexOf(REPLACEMENT, start)
    const end = found === -1 ? buffer.length : found
    parts.push(decoder.decode(buffer.subarray(start, end)).replaceAll('\ufffd', ''))
    start = end + (found === -1 ? 1 : REPLACEMENT.length)
  }
  return parts.join('\ufffd')
}

/** Text of which single lines may be no UTF-8. */
interface DecodedLines {
  readonly text: string
  /** The problem of each such line, by its number; bytes that don't decode are U+FFFD in the text. */
  readonly bad: ReadonlyMap<number, ProblemError>
}

/** As `decodeText`, but line by line: a line that does not decode leaves the others as they are. */
export const decodeLines = (bytes: Uint8Array, file: string): DecodedLines => {
  const parts: string[] = []
  const bad = new Map<number, ProblemError>()
  let line = 1
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start) + 1 || bytes.length
    const part = bytes.subarray(start, end)
    let text: string
    try {
      text = decodeText(part, file)
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      bad.set(line, error)
      text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(part)
    }
    parts.push(text)
    line += universalNewlines(text).split('\n').length - 1
    start = end
  }
  return { text: parts.join(''), bad }
}

/** Python's text mode: `\r\n` and a lone `\r` read as `\n`. */
export const universalNewlines = (text: string): string =>
  text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text

/** Up to so many bytes are read in one go. */
const SMALL = 100_000

/**
 * sha256 of a file's bytes. Costs one stat when the file did not change since it was last digested.
 * @throws Node's error when there is no such file; ProblemError `benchmarks/unreadable-file` when it can't be read
 */
export const fileDigest = async (path: string, digests: FileDigests): Promise<Digest<'file'>> => {
  try {
    return await digestOf(path, digests)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'ENOENT' || code === 'ENOTDIR'
      ? error
      : (unreadableFile(path, 'data file', error) ?? error)
  }
}

const digestOf = async (path: string, digests: FileDigests): Promise<Digest<'file'>> => {
  // Data sets of two thousand notes: a hop to another thread costs ten times what stat and read do.
  const now = Date.now()
  const { size, mtimeNs, ctimeNs, ino } = requirePlainFile(path)
  const seen = { size: Number(size), mtimeNs, ctimeNs, inode: ino, seen: now }
  const known = digests.get(path, seen)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  if (seen.size <= SMALL) hash.update(readFileSync(path))
  else for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  const digest = hash.digest('hex') as Digest<'file'>
  await digests.put(path, seen, digest)
  return digest
}
