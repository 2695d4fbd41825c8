import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../../cache/package-root.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { SiteAssets } from '../site.ts'

/** The scripts and the style sheet that the build made. @throws ProblemError `site/not-built` */
export const readAssets = async (): Promise<SiteAssets> => {
  const folder = join(packageRoot(), 'dist/site')
  try {
    const [script, answers, style] = await Promise.all(
      ['board.js', 'answers.js', 'board.css'].map((name) => readFile(join(folder, name), 'utf8')),
    )
    return { script: script ?? '', answers: answers ?? '', style: style ?? '' }
  } catch (cause) {
    throw new ProblemError(
      {
        code: 'site/not-built',
        message: 'the site’s script and style sheet are not there',
        where: { file: folder },
        remedy: 'Install medmake again; in its own repository run `npm run build`.',
      },
      { cause },
    )
  }
}
