import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { packageRoot } from '../../../cache/package-root.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { SiteAssets } from '../site.ts'

/** The scripts and the style sheet that the build made. @throws ProblemError `site/not-built` */
export const readAssets = async (): Promise<SiteAssets> => {
  const [script, answers, style] = await Promise.all([
    readBuilt('site', 'board.js', 'the site'),
    readBuilt('site', 'answers.js', 'the site'),
    readBuilt('site', 'board.css', 'the site'),
  ])
  return { script, answers, style }
}

/** A file that the build made. @param of whose it is, in words @throws ProblemError `site/not-built` */
export const readBuilt = async (folder: 'site' | 'desk', name: string, of: string): Promise<string> => {
  const file = join(packageRoot(), 'dist', folder, `${name}.br`)
  try {
    return brotliDecompressSync(await readFile(file)).toString('utf8')
  } catch (cause) {
    throw new ProblemError(
      {
        code: 'site/not-built',
        message: `${of}’s script and style sheet are not there`,
        where: { file },
        remedy: 'Install medmake again; in its own repository run `npm run build`.',
      },
      { cause },
    )
  }
}
