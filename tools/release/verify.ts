import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ProblemError, type Problem, reasonOf } from '../../cache/problems/problem.ts'
import { archiveFault, archivedFiles } from './bundle/archive.ts'
import { readCards } from './assemble.ts'
import { compareFiles } from './bundle/compare-files.ts'
import { digestFiles, type ReleaseFile } from './bundle/list-files.ts'
import { readRelease, RELEASE_FILE, type ReleaseDocument } from './release-file.ts'
import { signerOf, SIGNATURE_FILE } from './bundle/signature.ts'
import { remakeRelease, type Remade } from './remake.ts'
import { GET_AGAIN } from './bad-release.ts'

/** The release is what it was where there are no problems. */
interface Verification extends Remade {
  readonly digest: string
  /** Whom the file of signers names for the key that signed it. */
  readonly signedBy?: string
}

interface VerifyOptions {
  /** The release's tar.gz, looked at if it is there. */
  readonly archive?: string
  /** File of allowed signers, as ssh-keygen reads it: one of them must have signed. */
  readonly signers?: string
}

/**
 * Looks at every file of a release, then computes its aggregates and site again from its runs and compares them.
 * @throws ProblemError `release/missing`, `release/damaged`
 */
export const verifyRelease = async (
  bundle: string,
  { archive, signers }: VerifyOptions = {},
): Promise<Verification> => {
  const release = await readRelease(bundle)
  const found = await releasedFiles(bundle)
  const signer = signers === undefined ? undefined : await signerOf(bundle, signers)
  const problems = [
    ...changesOf(release, found),
    ...(await archiveProblems(bundle, release, archive)),
    ...(signer?.problems ?? []),
  ]
  const signedBy = signer?.principal === undefined ? {} : { signedBy: signer.principal }
  const base = { digest: release.digest, files: found.length + 1, ...signedBy }
  // What is computed from changed files differs of course: naming that, too, would hide the cause.
  if (problems.length > 0) return { ...base, recomputed: 0, untold: [], problems }
  const { files: _made, ...computed } = await remade(bundle, release)
  const isUnchecked = signers === undefined && existsSync(join(bundle, SIGNATURE_FILE))
  const unchecked = isUnchecked ? ['who signed it, which --signers holds against its publisher’s keys'] : []
  return { ...base, ...computed, untold: [...computed.untold, ...unchecked] }
}

/**
 * A release every file of which is what was released: for those who take more of it than its numbers.
 * @throws ProblemError `release/changed-file` with exit code 1, `release/missing`, `release/damaged`
 */
export const unchangedRelease = async (bundle: string): Promise<ReleaseDocument> => {
  const release = await readRelease(bundle)
  const changed = changesOf(release, await releasedFiles(bundle))
  if (changed.length > 0) throw new ProblemError(changed, { exitCode: 1 })
  return release
}

const releasedFiles = async (bundle: string): Promise<readonly ReleaseFile[]> =>
  (await digestFiles(bundle)).filter(({ path }) => path !== RELEASE_FILE && path !== SIGNATURE_FILE)

const changesOf = ({ files }: ReleaseDocument, found: readonly ReleaseFile[]): readonly Problem[] =>
  compareFiles(files, found, {
    code: 'release/changed-file',
    lacks: 'is missing',
    differs: 'is not the file that was released',
    extra: 'is not part of the release',
    remedy: GET_AGAIN,
  })

const archiveProblems = async (
  bundle: string,
  release: ReleaseDocument,
  archive: string | undefined,
): Promise<readonly Problem[]> => {
  if (archive === undefined || !existsSync(archive)) return []
  const files = await archivedFiles(bundle, release.files)
  const fault = await archiveFault(archive, bundle, release.release, files).catch((error: unknown) => {
    // A file of the bundle is missing or has another length: it is named by itself.
    return `it can't be compared: ${reasonOf(error)}`
  })
  if (fault === undefined) return []
  return [
    {
      code: 'release/changed-archive',
      message: `${archive}: ${fault}`,
      where: { file: archive },
      remedy: 'Run `medmake release create` again, or get the archive again.',
    },
  ]
}

const remade = async (bundle: string, release: ReleaseDocument): Promise<Remade> => {
  try {
    return await remakeRelease(bundle, release, await readCards(bundle))
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return { files: 0, recomputed: 0, untold: [], problems: error.problems }
  }
}
