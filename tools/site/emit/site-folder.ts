import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../../cache/files/read.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { readManifest } from './manifest.ts'

/** Of every site, whatever became of its manifest. */
const OURS = 'assets/board.js'

/** What hosts of static sites and file managers keep beside one: `.git`, `.nojekyll`, `.DS_Store`, and the host's name. */
const BESIDE = /^(?:\..*|CNAME)$/

/**
 * Refuses a folder that was named for a site and holds something else: a site would lie among it and take the place of
 * its index.html. A writer that was cut short leaves a manifest.
 * @throws ProblemError `cli/not-empty`
 */
export const requireSiteFolder = (folder: string): void => {
  if (namesIn(folder).every((name) => BESIDE.test(name))) return
  if (readManifest(folder) !== undefined || existsSync(join(folder, OURS))) return
  throw new ProblemError({
    code: 'cli/not-empty',
    message: `${folder} is not empty, and holds no site that \`medmake report\` wrote`,
    where: { file: folder, field: '--site' },
    remedy: 'Name a new folder, or an empty one.',
  })
}
