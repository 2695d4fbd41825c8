import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { machineProblem } from '../../cache/problems/system-problem.ts'
import { readFile } from '../../cache/files/plain-file.ts'

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
export const decodeText = (bytes: Uint8Array, file: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    const offset = firstBadByte(bytes)
    const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, offset)).split('\n')
    const byte = (bytes[offset] ?? 0).toString(16).padStart(2, '0')
    throw new ProblemError(
      {
        code: 'benchmarks/not-utf8',
        message: isArchive(bytes)
          ? 'the file is an archive or a workbook of Excel, no text'
          : `the file is not UTF-8: byte 0x${byte} at offset ${offset}`,
        where: { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
        remedy:
          bytes[0] === 0xff || bytes[0] === 0xfe
            ? 'The file looks like UTF-16. Save it as UTF-8.'
            : `Save ${isArchive(bytes) ? 'the sheet' : 'the file'} as UTF-8 (in Excel: "CSV UTF-8").`,
      },
      { cause: error },
    )
  }
}

/** Workbooks are zip archives, too. */
const isArchive = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3

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
export interface DecodedLines {
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

/** Start of the first character that does not decode; found by halving, since only the decoder knows. */
const firstBadByte = (bytes: Uint8Array): number => {
  let good = 0
  let bad = bytes.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (decodes(bytes.subarray(0, middle), true)) good = middle
    else bad = middle
  }
  while (good > 0 && !decodes(bytes.subarray(0, good), false)) good--
  return good
}

/** @param unfinished whether the last character may lack bytes */
const decodes = (bytes: Uint8Array, unfinished: boolean): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: unfinished })
    return true
  } catch {
    return false
  }
}
