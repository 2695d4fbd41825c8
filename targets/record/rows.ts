import { digestOf, type Digest } from '../../cache/values/digest.ts'

const BYTES = 32

/** The first columns of a row. Behind them stand the judgements, and at the end a set of values per metric object. */
export const COLUMN = { prompt: 0, completion: 1, judgements: 2 } as const

/**
 * The digests of every evaluated request, packed: 100,000 requests with seven digests each take 22 MB here and would
 * take ten times that as strings. A column left empty (a failed request) is all zeros.
 */
export class RowTable {
  readonly columns: number
  readonly length: number
  private readonly bytes: Buffer

  constructor(columns: number, length: number, bytes: Buffer = Buffer.alloc(columns * length * BYTES)) {
    this.columns = columns
    this.length = length
    this.bytes = bytes
  }

  set(row: number, column: number, digest: Digest): void {
    this.bytes.write(digest, this.at(row, column), BYTES, 'hex')
  }

  get(row: number, column: number): Digest | undefined {
    const start = this.at(row, column)
    const hex = this.bytes.toString('hex', start, start + BYTES)
    return /^0+$/.test(hex) ? undefined : (hex as Digest)
  }

  /** sha256 over all rows. */
  digest(): string {
    return digestOf(this.bytes)
  }

  /** Packed rows from `from` up to `to`, as base64 text. */
  slice(from: number, to: number): string {
    return this.bytes.toString('base64', this.at(from, 0), this.at(to, 0))
  }

  /** Puts rows that `slice` packed in their place again. */
  fill(from: number, packed: string): void {
    this.bytes.write(packed, this.at(from, 0), 'base64')
  }

  private at(row: number, column: number): number {
    return (row * this.columns + column) * BYTES
  }
}
