import { safeText, ProblemError } from '../../cache/problems/problem.ts'
import { FormatError } from '../../cache/problems/format-error.ts'
import { unreadProblem } from './unread-problem.ts'
import { UnpackBudget, unpackLimit } from './unpack-limit.ts'
import { crc32, gunzipSync, type Gunzip } from 'node:zlib'
import { unzipSync } from 'fflate'
import { suggestion } from '../../cache/problems/did-you-mean.ts'

/**
 * One member of a zip archive. Others are not unpacked.
 * @throws ProblemError `benchmarks/zip`, `benchmarks/missing-member`
 */
export const zipMember = (bytes: Uint8Array, member: string, file: string): Uint8Array =>
  new ZipArchive(bytes, file).member(member)

/** A zip archive of which members are unpacked one by one, all together within the limit. */
export class ZipArchive {
  private readonly bytes: Uint8Array
  private readonly file: string
  private readonly budget: UnpackBudget

  constructor(bytes: Uint8Array, file: string) {
    this.bytes = bytes
    this.file = file
    this.budget = new UnpackBudget(bytes.length)
  }

  // `*/x` is `x` at the top, or in one folder there.
  /** A member's whole name. */
  nameOf(member: string): string {
    if (!member.startsWith('*/')) return member
    const plain = member.slice(2)
    const { names } = this.unpack(plain)
    const inFolder = names.find((name) => name.endsWith(`/${plain}`) && name.split('/').length === 2)
    return names.includes(plain) ? plain : (inFolder ?? plain)
  }

  /** Undefined where the archive has no such member. @throws ProblemError `benchmarks/zip` */
  find(member: string): Uint8Array | undefined {
    return this.unpack(member).entry
  }

  /** @throws ProblemError `benchmarks/zip`, `benchmarks/missing-member` */
  member(member: string): Uint8Array {
    const { entry, names } = this.unpack(member)
    if (entry !== undefined) return entry
    throw new ProblemError({
      code: 'benchmarks/missing-member',
      safe: safeText`the archive lacks a file`,
      message: `the archive has no ${member}`,
      where: { file: this.file, field: member },
      remedy: `${suggestion(member, names)}Fetch the archive again; if it is whole, its publisher changed it.`,
      listsData: true,
    })
  }

  private unpack(member: string): {
    readonly entry: Uint8Array | undefined
    readonly names: readonly string[]
  } {
    const names: string[] = []
    try {
      const entry = unzipSync(this.bytes, {
        filter: ({ name, originalSize }) => {
          names.push(name)
          if (name === member) this.budget.take(originalSize)
          return name === member
        },
      })[member]
      if (entry !== undefined) checkEntry(this.bytes, member, entry)
      return { entry, names }
    } catch (error) {
      throw damaged(
        'zip',
        this.file,
        error instanceof FormatError
          ? error
          : new FormatError(safeText`it is no whole archive, or a damaged one`),
      )
    }
  }
}

/**
 * The flags and the checksum of a member's central header (APPNOTE 4.3.12), which fflate looks past. Of members of one name
 * the last is meant, as by Python; whatever looks like a header before is of other members' bytes.
 */
const checkEntry = (bytes: Uint8Array, member: string, entry: Uint8Array): void => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const name = Buffer.from(member)
  for (
    let at = buffer.lastIndexOf('PK\x01\x02', buffer.length, 'latin1');
    at > 0;
    at = buffer.lastIndexOf('PK\x01\x02', at - 1, 'latin1')
  )
    if (
      buffer.length >= at + 46 + name.length &&
      buffer.subarray(at + 46, at + 46 + buffer.readUInt16LE(at + 28)).equals(name)
    ) {
      if ((buffer.readUInt16LE(at + 8) & 1) === 1)
        throw new FormatError(safeText`a file in it is encrypted`, 'Pack it again without a password.')
      if (buffer.readUInt32LE(at + 16) !== crc32(entry))
        throw new FormatError(safeText`a file in it is damaged: its checksum is another`)
      return
    }
}

/**
 * Unpacks a gzip file.
 * @throws ProblemError `benchmarks/gzip` for a file that is none, ends early, or unpacks to too much
 */
export const gunzip = (bytes: Uint8Array, file: string): Uint8Array => {
  try {
    const options = { maxOutputLength: unpackLimit(bytes.length), info: true }
    const { buffer, engine } = gunzipSync(bytes, options) as unknown as { buffer: Buffer; engine: Gunzip }
    // Zeros may fill up the end. Node takes whatever follows them for nothing; Python reads on.
    if (bytes.subarray(engine.bytesWritten).some((byte) => byte !== 0))
      throw new FormatError(safeText`more follows behind zeros`)
    return buffer
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof FormatError) throw damaged('gzip', file, error)
    const what =
      code === 'Z_BUF_ERROR'
        ? safeText`the gzip file ends early`
        : code === 'ERR_BUFFER_TOO_LARGE'
          ? safeText`it unpacks to more than a file of its size can hold`
          : safeText`it is none`
    throw damaged('gzip', file, new FormatError(what))
  }
}

const damaged = (kind: 'zip' | 'gzip', file: string, cause: FormatError): ProblemError =>
  unreadProblem(
    {
      code: `benchmarks/${kind}`,
      format: kind === 'zip' ? 'a zip archive' : 'a gzip file',
      file,
      remedy: 'The file is damaged or was not fetched whole. Delete it and fetch or copy it again.',
    },
    cause,
  )
