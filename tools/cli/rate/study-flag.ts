import { ProblemError } from '../../../cache/problem.ts'
import { RATER } from '../../../targets/ratings/study.ts'
import { listStudies } from '../../ratings/study-folder.ts'
import { textFlag } from '../flags.ts'
import type { FlagValues } from '../verb.ts'

const DEFAULT = 'main'

/** `--study`, else the only study that there is, else `main`. @throws ProblemError `cli/bad-flag`, `ratings/which-study` */
export const studyFlag = (flags: FlagValues, root: string): string => {
  const named = textFlag(flags, 'study')
  if (named !== undefined) return safeName(named, '--study')
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

/** A name of a study or rater, which becomes part of a file's name. @throws ProblemError `cli/bad-flag` */
export const safeName = (name: string, field: string): string => {
  if (RATER.test(name)) return name
  throw new ProblemError({
    code: 'cli/bad-flag',
    message: `${field} ${JSON.stringify(name)} is no name of up to 40 letters, digits, dots, dashes and underscores`,
    where: { field },
    remedy: 'Write a code such as dr-7: names of people need not be in it.',
  })
}
