import { isUtf8 } from 'node:buffer'
import { ProblemError } from '../problems/problem.ts'

/**
 * Bytes as UTF-8 text, a byte order mark kept as U+FEFF.
 * @throws ProblemError of that code with line, column and the offset of the first bad byte; `system/too-large`
 */
export const decodeUtf8 = (bytes: Uint8Array, file: string, code: string = NOT_UTF8): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw isUtf8(bytes) ? tooLarge(file, error) : notUtf8(bytes, { file, code, cause: error })
  }
}

/** Of a file of more bytes than Node reads at once, or a text of more characters than JavaScript holds. */
export const tooLarge = (file: string, cause: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'system/too-large',
      message: 'the file is larger than can be read: 2 GiB, or 512 MiB of text',
      where: { file },
      remedy: 'Take out rows and columns that are not needed, or split it.',
    },
    { cause },
  )

const NOT_UTF8 = 'system/not-utf8'

/**
 * The same for a file of any size, of which nothing is kept.
 * @throws ProblemError `system/not-utf8`
 */
export const requireUtf8 = (chunks: Iterable<Uint8Array>, file: string): void => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let [offset, line] = [0, 1]
  const check = (bytes: Uint8Array, stream: boolean): void => {
    try {
      decoder.decode(bytes, { stream })
    } catch (cause) {
      // What a chunk begins with may end a character of the one before.
      const start = Math.max(
        0,
        bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80),
      )
      throw notUtf8(bytes.subarray(start), { file, code: NOT_UTF8, cause, offset: offset + start, line })
    }
  }
  for (const bytes of chunks) {
    check(bytes, true)
    offset += bytes.length
    line += linesIn(bytes)
  }
  check(new Uint8Array(), false)
}

const linesIn = (bytes: Uint8Array): number => {
  let lines = 0
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) lines += 1
  return lines
}

interface Undecoded {
  readonly file: string
  readonly code: string
  readonly cause: unknown
  /** Of the bytes in their file. */
  readonly offset?: number
  readonly line?: number
}

const notUtf8 = (
  bytes: Uint8Array,
  { file, code, cause, offset: start = 0, line = 1 }: Undecoded,
): ProblemError => {
  const offset = firstBadByte(bytes)
  const before = bytes.subarray(0, offset)
  const own = Buffer.from(before.subarray(before.lastIndexOf(0x0a) + 1)).toString('utf8')
  const byte = (bytes[offset] ?? 0).toString(16).padStart(2, '0')
  const [message, remedy] = kindOf(bytes) ?? [
    `the file is not UTF-8: byte 0x${byte} at offset ${start + offset}`,
    'Save the file as UTF-8 (in Excel: "CSV UTF-8").',
  ]
  const where = { file, line: line + linesIn(before), column: own.length + 1 }
  return new ProblemError({ code, message, where, remedy }, { cause })
}

/** gzip, bzip2, xz, zstd, 7-Zip, RAR, LZ4. */
const PACKED = /^(?:1f8b08|425a683|fd377a58|28b52ffd|377abcaf|52617221|04224d18)/

/** What a file is, seen by its first bytes, and what to do; undefined for what may be text. */
const kindOf = (bytes: Uint8Array): readonly [message: string, remedy: string] | undefined => {
  const head = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  if (PACKED.test(head)) return ['the file is packed', 'Unpack it.']
  // Workbooks are zip archives, too.
  if (head.startsWith('504b03'))
    return [
      'the file is an archive or a workbook of Excel, no text',
      'Save the sheet as UTF-8 (in Excel: "CSV UTF-8").',
    ]
  if (/^f[fe]/.test(head))
    return [
      `the file is not UTF-8: it begins with the byte 0x${head.slice(0, 2)}`,
      'The file looks like UTF-16. Save it as UTF-8.',
    ]
  return bytes.subarray(0, 1000).includes(0)
    ? [
        'the file holds bytes that no text has, as Parquet and files of SPSS, Stata or SAS do',
        'Export it as CSV, UTF-8.',
      ]
    : undefined
}

/** Start of the first character that does not decode: up to there, and not a character further, the bytes are UTF-8. */
const firstBadByte = (bytes: Uint8Array): number => {
  const isGood = (end: number): boolean => isUtf8(bytes.subarray(0, end))
  // A character has four bytes at most.
  const isNear = (end: number): boolean => [0, 1, 2, 3].some((back) => back <= end && isGood(end - back))
  let good = 0
  let bad = bytes.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isNear(middle)) good = middle
    else bad = middle
  }
  while (!isGood(good)) good--
  return good
}
