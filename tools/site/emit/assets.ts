import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { packageRoot } from '../../../cache/package-root.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { SiteAssets } from '../site.ts'

/** Scripts and style sheets that the build makes, in one file, as they hold the same parts. */
const Built = z.object({
  site: z.object({ 'board.js': z.string(), 'answers.js': z.string(), 'board.css': z.string() }),
  desk: z.object({ 'desk.js': z.string(), 'desk.css': z.string() }),
})

type Built = z.output<typeof Built>

/** The site's scripts and style sheet. @throws ProblemError `site/not-built` */
export const readAssets = async (): Promise<SiteAssets> => {
  const { site } = await readBuilt('the site')
  return { script: site['board.js'], answers: site['answers.js'], style: site['board.css'] }
}

/** @param of whose page it is for, in words @throws ProblemError `site/not-built` */
export const readBuilt = async (of: string): Promise<Built> => {
  const file = join(packageRoot(), 'dist', 'pages.json.br')
  try {
    return Built.parse(JSON.parse(brotliDecompressSync(await readFile(file)).toString('utf8')))
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
