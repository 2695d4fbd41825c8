import { open, type FileHandle } from 'node:fs/promises'
import { extname } from 'node:path'
import { plain } from '../../../cache/files/read.ts'
import { safeText, type SafeText } from '../../../cache/problems/problem.ts'

/** Bytes at either end that are looked at: a zip archive's last record may be followed by a comment of 65,535 bytes. */
const ENDS = 66_000

interface Ends {
  readonly head: Buffer
  readonly tail: Buffer
  readonly size: number
}

/**
 * Why a downloaded file can't be what it is taken for: a web page, a pointer of Git LFS, or a container whose end is
 * missing. Undefined where nothing speaks against it. Reads both ends only.
 *
 * @param name of the file where it comes from
 */
export const faultOfDownload = async (path: string, name: string): Promise<SafeText | undefined> => {
  const file = await open(plain(path), 'r')
  try {
    const ends = await endsOf(file)
    const container = CONTAINERS.find(({ magic }) => ends.head.subarray(0, magic.length).equals(magic))
    const extension = extname(name).toLowerCase()
    // Some servers pack texts on the way, whatever they are asked.
    if (container !== undefined)
      return TEXT.test(extension) ? safeText`it is a ${container.name}` : container.fault(ends)
    const stand = standIn(ends.head.subarray(0, 200).toString('latin1'), extension)
    if (stand !== undefined) return stand
    const promised = CONTAINERS.find(({ extensions }) => extensions.includes(extension))
    return promised === undefined ? undefined : safeText`it is no ${promised.name}`
  } finally {
    await file.close()
  }
}

const TEXT = /^\.(?:csv|tsv|jsonl?|ndjson|txt|xml)$/

/** Likewise of a file that the user brings, by its first bytes. */
export const faultOfGiven = async (path: string): Promise<SafeText | undefined> => {
  const file = await open(plain(path), 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(200), 0, 200, 0)
    return standIn(buffer.toString('latin1', 0, bytesRead), extname(path).toLowerCase())
  } finally {
    await file.close()
  }
}

/** What servers send in the place of a file. */
const standIn = (head: string, extension: string): SafeText | undefined => {
  if (head.startsWith('version https://git-lfs.github.com/spec/'))
    return safeText`it is a pointer of Git LFS, which stands for the file: \`git lfs pull\` brings that`
  const isPage =
    /^(?:\u00ef\u00bb\u00bf|\s|<!--(?:(?!-->)[^])*-->|<\?xml[^>]*>)*<(?:!doctype html|html|error>\s*<code>)/i.test(
      head,
    )
  return isPage && !/^\.x?html?$/.test(extension)
    ? safeText`it is a web page, such as one to sign in or of an error`
    : undefined
}

const endsOf = async (file: FileHandle): Promise<Ends> => {
  const { size } = await file.stat()
  const length = Math.min(size, ENDS)
  const read = async (position: number): Promise<Buffer> =>
    (await file.read(Buffer.alloc(length), 0, length, position)).buffer
  return { head: await read(0), tail: await read(size - length), size }
}

interface Container {
  readonly name: SafeText
  readonly magic: Buffer
  readonly extensions: readonly string[]
  readonly fault: (ends: Ends) => SafeText | undefined
}

/** The last record of a zip archive, which is all of one that holds no file. */
const EMPTY_ZIP = Buffer.from('PK\x05\x06')

const CUT = safeText`its end is missing`

const closedBy =
  (magic: Buffer): Container['fault'] =>
  ({ tail }) =>
    tail.subarray(-magic.length).equals(magic) ? undefined : CUT

const CONTAINERS: readonly Container[] = [
  {
    name: safeText`zip archive`,
    // `PK` alone begins tables whose first column is a primary key.
    magic: Buffer.from('PK\x03\x04'),
    extensions: ['.zip', '.xlsx', '.docx'],
    fault: ({ tail }) => (tail.includes(EMPTY_ZIP) ? undefined : CUT),
  },
  {
    name: safeText`zip archive`,
    magic: EMPTY_ZIP,
    extensions: [],
    fault: () => safeText`it is a zip archive that holds no file`,
  },
  {
    name: safeText`Parquet file`,
    magic: Buffer.from('PAR1'),
    extensions: ['.parquet'],
    fault: closedBy(Buffer.from('PAR1')),
  },
  {
    name: safeText`Arrow file`,
    magic: Buffer.from('ARROW1'),
    extensions: [],
    fault: closedBy(Buffer.from('ARROW1')),
  },
  {
    name: safeText`gzip file`,
    magic: Buffer.of(0x1f, 0x8b),
    extensions: ['.gz'],
    // Header and trailer alone take 18 bytes; what lies between tells only whoever unpacks it.
    fault: ({ size }) => (size < 18 ? CUT : undefined),
  },
  {
    name: safeText`SQLite database`,
    magic: Buffer.from('SQLite format 3\0', 'latin1'),
    extensions: ['.sqlite', '.db'],
    fault: ({ head, size }) => {
      if (size < 100) return CUT
      const page = head.readUInt16BE(16)
      const pages = head.readUInt32BE(28)
      return size < (page === 1 ? 65_536 : page) * pages ? CUT : undefined
    },
  },
]
