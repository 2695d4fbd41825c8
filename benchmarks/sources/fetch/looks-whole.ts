import { open, type FileHandle } from 'node:fs/promises'
import { extname } from 'node:path'

/** Bytes at either end that are looked at: a zip archive's last record may be followed by a comment of 65,535 bytes. */
const ENDS = 66_000

interface Ends {
  readonly head: Buffer
  readonly tail: Buffer
  readonly size: number
}

/**
 * Why a downloaded file can't be what it is taken for: empty, a web page, or a container whose end is missing. Undefined
 * where nothing speaks against it. Reads both ends only.
 */
export const faultOfDownload = async (path: string, url: string): Promise<string | undefined> => {
  const file = await open(path, 'r')
  try {
    const ends = await endsOf(file)
    if (ends.size === 0) return 'it is empty'
    const container = CONTAINERS.find(({ magic }) => ends.head.subarray(0, magic.length).equals(magic))
    if (container !== undefined) return container.fault(ends)
    const extension = extname(new URL(url).pathname).toLowerCase()
    const promised = CONTAINERS.find(({ extensions }) => extensions.includes(extension))
    if (promised !== undefined) return `it is no ${promised.name}`
    const isPage = /^\s*<(?:!doctype html|html)/i.test(ends.head.subarray(0, 200).toString('latin1'))
    return isPage && !/^\.x?html?$/.test(extension) ? 'it is a web page, such as one to sign in' : undefined
  } finally {
    await file.close()
  }
}

const endsOf = async (file: FileHandle): Promise<Ends> => {
  const { size } = await file.stat()
  const length = Math.min(size, ENDS)
  const read = async (position: number): Promise<Buffer> =>
    (await file.read(Buffer.alloc(length), 0, length, position)).buffer
  return { head: await read(0), tail: await read(size - length), size }
}

interface Container {
  readonly name: string
  readonly magic: Buffer
  readonly extensions: readonly string[]
  readonly fault: (ends: Ends) => string | undefined
}

const CUT = 'its end is missing'

const closedBy =
  (magic: Buffer): Container['fault'] =>
  ({ tail }) =>
    tail.subarray(-magic.length).equals(magic) ? undefined : CUT

const CONTAINERS: readonly Container[] = [
  {
    name: 'zip archive',
    magic: Buffer.from('PK'),
    extensions: ['.zip', '.xlsx', '.docx'],
    fault: ({ tail }) => (tail.includes(Buffer.from('PK\x05\x06', 'latin1')) ? undefined : CUT),
  },
  {
    name: 'Parquet file',
    magic: Buffer.from('PAR1'),
    extensions: ['.parquet'],
    fault: closedBy(Buffer.from('PAR1')),
  },
  {
    name: 'Arrow file',
    magic: Buffer.from('ARROW1'),
    extensions: [],
    fault: closedBy(Buffer.from('ARROW1')),
  },
  {
    name: 'gzip file',
    magic: Buffer.of(0x1f, 0x8b),
    extensions: ['.gz'],
    // Header and trailer alone take 18 bytes; what lies between tells only whoever unpacks it.
    fault: ({ size }) => (size < 18 ? CUT : undefined),
  },
  {
    name: 'SQLite database',
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
