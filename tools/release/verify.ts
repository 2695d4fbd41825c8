import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { readAssets } from '../site/emit/assets.ts'
import { archiveFault, archivedFiles } from './bundle/archive.ts'
import { assemble, readCards } from './assemble.ts'
import { README_FILE } from './bundle/bundle-readme.ts'
import { cardProblems, namesProblems } from './bundle/compare-names.ts'
import { digestFiles, type ReleaseFile } from './bundle/list-files.ts'
import { copyFiles, isPrimary } from './bundle/primary-files.ts'
import { givenOf, readRelease, RELEASE_FILE, type ReleaseDocument } from './release-file.ts'
import { signerOf, SIGNATURE_FILE } from './bundle/signature.ts'
import { toolVersion } from './tool-version.ts'
import { GET_AGAIN } from './bad-release.ts'
import { reasonOf } from '../../cache/problems/reason.ts'

export interface Verification {
  readonly digest: string
  /** Whom the file of signers names for the key that signed it. */
  readonly signedBy?: string
  readonly files: number
  /** Files that were computed anew from the runs and compared. */
  readonly recomputed: number
  /** Why the site was not computed anew, where it was not. */
  readonly skipped?: string
  /** What follows from values that the release does not hold, and can't be computed anew. */
  readonly untold: readonly string[]
  /** Empty when the release is what it was. */
  readonly problems: readonly Problem[]
}

export interface VerifyOptions {
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
  const computed = await recompute(bundle, release)
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

const recompute = async (
  bundle: string,
  release: ReleaseDocument,
): Promise<Omit<Verification, 'digest' | 'files'>> => {
  const temporary = await mkdtemp(join(tmpdir(), 'medmake-verify-'))
  try {
    await copyFiles(
      bundle,
      temporary,
      release.files.filter(({ path }) => isPrimary(path)),
    )
    const again = await assemble(temporary, givenOf(release), { assets: await readAssets(), withheld: [] })
    const names = [
      ...namesProblems(release, again.release),
      ...(await cardProblems(bundle, await readCards(bundle))),
    ]
    const compared = await compareComputed(release, again.release.files)
    return { ...compared, untold: again.untold, problems: [...names, ...compared.problems] }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return { recomputed: 0, untold: [], problems: error.problems }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Pages and words differ different from version to version; numbers do not. */
export const compareComputed = async (
  release: ReleaseDocument,
  again: readonly ReleaseFile[],
): Promise<Pick<Verification, 'recomputed' | 'problems' | 'skipped'>> => {
  const version = await toolVersion()
  const isCompared =
    version === release.version
      ? () => true
      : ({ path }: ReleaseFile) => !path.startsWith('site/') && path !== README_FILE
  const compared = again.filter(isCompared)
  return {
    recomputed: compared.filter(({ path }) => !isPrimary(path)).length,
    ...(version === release.version
      ? {}
      : { skipped: `the site was made by medmake ${release.version}, this is ${version}` }),
    problems: compareFiles(release.files.filter(isCompared), compared, {
      code: 'release/other-result',
      lacks: 'does not follow from the runs',
      differs: 'differs from what the runs give',
      extra: 'follows from the runs and is not in the release',
      remedy: 'Do not trust the release: its numbers are not those of its runs.',
    }),
  }
}

/** How a problem of a file is reported: its code, what is wrong, what to do. */
interface FileFaults {
  readonly code: string
  readonly lacks: string
  readonly differs: string
  readonly extra: string
  readonly remedy: string
}

/** One problem a file that is missing, has other bytes or should not be there, in the order of the paths. */
const compareFiles = (
  expected: readonly ReleaseFile[],
  found: readonly ReleaseFile[],
  { code, lacks, differs, extra, remedy }: FileFaults,
): readonly Problem[] => {
  const byPath = new Map(found.map((file) => [file.path, file]))
  const known = new Set(expected.map(({ path }) => path))
  const problem = (path: string, message: string): Problem => ({
    code,
    message: `${path} ${message}`,
    where: { file: path },
    remedy,
  })
  return [
    ...expected.flatMap(({ path, sha256 }) => {
      const file = byPath.get(path)
      if (file === undefined) return [problem(path, lacks)]
      return file.sha256 === sha256 ? [] : [problem(path, differs)]
    }),
    ...found.filter(({ path }) => !known.has(path)).map(({ path }) => problem(path, extra)),
  ]
}
