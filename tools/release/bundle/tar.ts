/** A file to be packed. `chunks` gives exactly `size` bytes. */
export interface TarEntry {
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
export const tarChunks = async function* (
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
