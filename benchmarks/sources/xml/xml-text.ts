import { safeText, ProblemError } from '../../../cache/problems/problem.ts'
import { decodeText } from '../read-text.ts'
import { applyDoctype } from './xml-doctype.ts'

/**
 * The text of an XML file, decoded by its byte order mark, else by its declaration, else as UTF-8, and with what its
 * own DTD declares put in. Python's parser decodes the same way; no other file is ever read.
 * @throws ProblemError `benchmarks/not-utf8`, `benchmarks/xml`, with the line where one can be named
 */
export const xmlText = (bytes: Uint8Array, file: string): string => {
  const found = encodingOf(bytes)
  const text = found === 'utf-8' ? decodeText(bytes, file) : found && decode(bytes, found)
  if (text === undefined)
    throw new ProblemError({
      code: 'benchmarks/xml',
      safe: safeText`the file is not in the encoding that its first line names`,
      message: `the file is not in the encoding that its first line names${found === undefined ? '' : ` (${found})`}`,
      where: { file, line: 1 },
      remedy: 'Save it as UTF-8, and name that in the first line.',
    })
  return applyDoctype(text.replace(/^\ufeff/, ''), file)
}

/** How files of two bytes a character begin: with a mark, or with the first bracket. */
const WIDE: readonly (readonly [string, readonly number[]])[] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0x3c, 0x00]],
  ['utf-16be', [0x00, 0x3c]],
]

/** Names that say UTF-8 or nothing: of UTF-16 the first bytes decide. */
const PLAIN = /^(?:utf-?8|utf-?16(?:le|be)?)$/i

/** Undefined for one that is not known here. */
const encodingOf = (bytes: Uint8Array): string | undefined => {
  const wide = WIDE.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (wide !== undefined) return wide[0]
  const head = Buffer.from(bytes.subarray(0, 300)).toString('latin1')
  // A declaration counts for more than the mark of UTF-8 before it.
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?\bencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(head)?.[1]
  if (declared === undefined || PLAIN.test(declared)) return 'utf-8'
  if (/^(?:us-)?ascii$/i.test(declared)) return 'ascii'
  return /^(?:iso-?8859-?1|iso_8859-1|latin-?1|l1)$/i.test(declared) ? 'latin1' : single(declared)
}

/** Encodings of one byte a character, which are all that Python's parser knows beside those above. */
const single = (name: string): string | undefined =>
  /^(?:windows-?125\d|cp125\d|iso-?8859-?\d+|koi8-[ru]|macintosh)$/i.test(name)
    ? name.toLowerCase().replace(/^cp/, 'windows-')
    : undefined

/** Bytes 0x80 to 0x9f of windows-1252; Node's decoder takes them for control characters. */
const WINDOWS_1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ'

/** Undefined where bytes stand for no character. */
const decode = (bytes: Uint8Array, encoding: string): string | undefined => {
  // WHATWG takes ASCII and latin1 for windows-1252, Python does not.
  if (encoding === 'ascii') {
    const start = bytes[0] === 0xef ? 3 : 0
    return bytes.subarray(start).some((byte) => byte > 0x7f)
      ? undefined
      : Buffer.from(bytes).toString('latin1', start)
  }
  if (encoding === 'latin1' || encoding === 'windows-1252') {
    const text = Buffer.from(bytes)
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, '')
    if (encoding === 'latin1') return text
    const whole = text.replace(/[\x80-\x9f]/g, (byte) => WINDOWS_1252[byte.charCodeAt(0) - 0x80] ?? byte)
    return whole.includes('\ufffd') ? undefined : whole
  }
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
