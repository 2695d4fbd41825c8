import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { suggestion } from '../../cache/did-you-mean.ts'
import { ProblemError } from '../../cache/problem.ts'

/**
 * One member of a zip archive. Others are not unpacked.
 * @throws ProblemError `benchmarks/zip`, `benchmarks/missing-member`
 */
export const zipMember = (bytes: Uint8Array, member: string, file: string): Uint8Array => {
  const names: string[] = []
  let entries: Readonly<Record<string, Uint8Array>>
  try {
    entries = unzipSync(bytes, {
      filter: ({ name }) => {
        names.push(name)
        return name === member
      },
    })
  } catch (error) {
    throw damaged('zip', file, 'it is no whole zip archive', error)
  }
  const entry = entries[member]
  if (entry !== undefined && isEncrypted(bytes, member))
    throw damaged('zip', file, `${member} is encrypted`, new Error('it takes a password'))
  if (entry !== undefined) return entry
  throw new ProblemError({
    code: 'benchmarks/missing-member',
    message: `the archive has no ${member}`,
    where: { file, field: member },
    remedy: `${suggestion(member, names)}Fetch the archive again; if it is whole, its publisher changed it.`,
  })
}

/** The first bit of the flags in the member's central header (APPNOTE 4.3.12, 4.4.4); fflate looks past it. */
const isEncrypted = (bytes: Uint8Array, member: string): boolean => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const name = Buffer.from(member)
  for (
    let at = buffer.indexOf('PK\x01\x02', 0, 'latin1');
    at !== -1;
    at = buffer.indexOf('PK\x01\x02', at + 1, 'latin1')
  )
    if (
      buffer.length >= at + 46 + name.length &&
      buffer.subarray(at + 46, at + 46 + buffer.readUInt16LE(at + 28)).equals(name)
    )
      return (buffer.readUInt16LE(at + 8) & 1) === 1
  return false
}

/**
 * Unpacks a gzip file.
 * @throws ProblemError `benchmarks/gzip` for a file that is none or ends early
 */
export const gunzip = (bytes: Uint8Array, file: string): Uint8Array => {
  try {
    return gunzipSync(bytes)
  } catch (error) {
    const early = (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR'
    throw damaged('gzip', file, early ? 'the gzip file ends early' : 'it is no gzip file', error)
  }
}

const damaged = (kind: 'zip' | 'gzip', file: string, what: string, cause: unknown): ProblemError =>
  new ProblemError(
    {
      code: `benchmarks/${kind}`,
      message: `${file} can't be unpacked: ${what} (${cause instanceof Error ? cause.message : String(cause)})`,
      where: { file },
      remedy: 'The file is damaged or was not fetched whole. Delete it and fetch or copy it again.',
    },
    { cause },
  )
