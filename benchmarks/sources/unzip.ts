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
  if (entry !== undefined) return entry
  throw new ProblemError({
    code: 'benchmarks/missing-member',
    message: `the archive has no ${member}`,
    where: { file, field: member },
    remedy: `${suggestion(member, names)}Fetch the archive again; if it is whole, its publisher changed it.`,
  })
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
