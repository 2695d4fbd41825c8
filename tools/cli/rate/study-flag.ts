import { ProblemError } from '../../../cache/problems/problem.ts'
import { safeName } from '../../ratings/safe-name.ts'
import { listStudies } from '../../ratings/study-folder.ts'
import { textFlag } from '../flags.ts'
import type { FlagValues } from '../verb.ts'

const DEFAULT = 'main'

/** `--study`, else the only study that there is, else `main`. @throws ProblemError `cli/bad-flag`, `ratings/which-study` */
export const studyFlag = (flags: FlagValues, root: string): string => {
  const named = textFlag(flags, 'study')
  if (named !== undefined) return safeName(named, '--study', listStudies(root))
  const [only, ...others] = listStudies(root)
  if (others.length === 0 || [only, ...others].includes(DEFAULT))
    return others.length === 0 ? (only ?? DEFAULT) : DEFAULT
  throw new ProblemError({
    code: 'ratings/which-study',
    message: `there are several studies: ${[only, ...others].join(', ')}`,
    where: { field: '--study' },
    remedy: `Name one with --study ${only}.`,
  })
}
