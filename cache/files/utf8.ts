import { ProblemError } from '../problems/problem.ts'

/**
 * Bytes as UTF-8 text, a byte order mark kept as U+FEFF.
 * @throws ProblemError of that code with line, column and the offset of the first bad byte
 */
export const decodeUtf8 = (bytes: Uint8Array, file: string, code: string = NOT_UTF8): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw notUtf8(bytes, { file, code, cause: error })
  }
}

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
    for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) line += 1
  }
  check(new Uint8Array(), false)
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
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, offset)).split('\n')
  const byte = (bytes[offset] ?? 0).toString(16).padStart(2, '0')
  const [message, remedy] = kindOf(bytes) ?? [
    `the file is not UTF-8: byte 0x${byte} at offset ${start + offset}`,
    'Save the file as UTF-8 (in Excel: "CSV UTF-8").',
  ]
  const where = { file, line: line + before.length - 1, column: (before.at(-1)?.length ?? 0) + 1 }
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
