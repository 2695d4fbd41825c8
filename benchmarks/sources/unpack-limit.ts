import { FormatError } from '../../cache/problems/format-error.ts'
import { safeText } from '../../cache/problems/problem.ts'

const MEBIBYTE = 2 ** 20

/** What a small file may unpack to; no published file of clinical texts comes near it. */
const SMALL = 128 * MEBIBYTE

/** How often its own size a large file may unpack to: texts are packed three to six times. */
const RATIO = 8

/** Rows that any file may say it has; beyond that it must bring a byte for each. */
const ROWS = 2 ** 20

/** Bytes that a packed file may unpack to, all its parts together. What goes beyond is a bomb, not data. */
export const unpackLimit = (packed: number): number => Math.max(SMALL, RATIO * packed)

/** Rows that a file of so many bytes may declare: a few bytes can declare billions of equal or missing cells. */
export const rowLimit = (bytes: number): number => Math.max(ROWS, bytes)

/** Counts what parts of a file unpack to. */
export class UnpackBudget {
  private left: number
  private readonly packed: number

  constructor(packed: number) {
    this.packed = packed
    this.left = unpackLimit(packed)
  }

  /** @throws FormatError where the parts so far and this one are more than the limit */
  take(bytes: number): void {
    if (!Number.isSafeInteger(bytes) || bytes < 0)
      throw new FormatError(safeText`a part has an impossible size`)
    this.left -= bytes
    if (this.left < 0)
      throw new FormatError(
        safeText`it unpacks to more than ${unpackLimit(this.packed) / MEBIBYTE} MiB from ${this.packed} bytes`,
      )
  }
}
