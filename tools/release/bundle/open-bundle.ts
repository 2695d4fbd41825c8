import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../../cache/files/write.ts'
import { listPaths } from './list-files.ts'
import { RELEASE_FILE } from '../release-file.ts'
import { EXIT } from '../../../cache/problems/problem.ts'
import { badRelease } from '../bad-release.ts'
import { unpackArchive } from './untar.ts'

/**
 * Lends the folder of a release, given as that folder or as its archive; what was unpacked goes afterwards.
 * @throws ProblemError `release/bad-archive`, `release/odd-file`
 */
export const withBundle = <T>(given: string, use: (bundle: string) => Promise<T>): Promise<T> =>
  withUnpacked(given, async (bundle) => {
    await refuseOddFiles(bundle)
    return use(bundle)
  })

/** The same for any folder of runs. @throws ProblemError `release/bad-archive` */
export const withUnpacked = async <T>(given: string, use: (folder: string) => Promise<T>): Promise<T> => {
  if ((await stat(given).catch(() => undefined))?.isFile() !== true) return use(given)
  const folder = temporaryFolder('release')
  try {
    await unpackArchive(given, folder)
    return await use(await bundleIn(folder, given))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** An archive holds one folder, named for the release. */
const bundleIn = async (folder: string, archive: string): Promise<string> => {
  const [name, ...others] = await readdir(folder)
  if (name !== undefined && others.length === 0 && name !== RELEASE_FILE) return join(folder, name)
  throw badRelease(
    'release/bad-archive',
    `${archive} is no archive of a release: it holds ${others.length + 1} things where one folder is expected`,
    { file: archive },
    { exitCode: EXIT.incomplete },
  )
}

/** Nothing is read before it is known to be a file: a FIFO never ends, a link may lead anywhere. Of no release that is told. */
const refuseOddFiles = async (bundle: string): Promise<void> => {
  if (existsSync(join(bundle, RELEASE_FILE))) await listPaths(bundle)
}
