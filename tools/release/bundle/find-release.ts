import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { RELEASE_FILE } from '../release-file.ts'
import { restoreFolder } from './staging.ts'

const ARCHIVE = /\.tar\.gz$/

/** A release's name, given as that or as its archive. */
export const releaseName = (given: string): string => given.replace(ARCHIVE, '')

/** Where a release lies: its folder or its archive. */
export interface ReleasePlace {
  readonly bundle: string
  /** Its archive beside it. */
  readonly archive?: string
}

/** A release by its name, by its bundle's folder, the folder around that or its archive. */
export const findRelease = (name: string, outputPath: string, cwd: string): ReleasePlace => {
  const folder = join(outputPath, 'releases', name)
  restoreFolder(join(folder, 'bundle'))
  if (existsSync(join(folder, 'bundle')))
    return { bundle: join(folder, 'bundle'), archive: join(folder, `${basename(name)}.tar.gz`) }
  const given = resolve(cwd, name)
  const within = join(given, 'bundle')
  for (const each of [given, within]) restoreFolder(each)
  if (existsSync(join(within, RELEASE_FILE))) return { bundle: within }
  if (existsSync(given)) return { bundle: given }
  const packed = join(releaseName(folder), basename(name))
  if (ARCHIVE.test(name)) return { bundle: existsSync(packed) ? packed : given }
  return { bundle: join(folder, 'bundle') }
}
