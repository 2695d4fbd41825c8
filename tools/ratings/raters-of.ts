import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Study } from '../../targets/ratings/study.ts'

/** All raters of a plan, or the one who is named. @throws ProblemError `ratings/no-rater` */
export const ratersOf = (study: Study, named: string | undefined): Study['raters'] => {
  const found = named === undefined ? study.raters : study.raters.filter(({ name }) => name === named)
  if (found.length > 0) return found
  const known = study.raters.map(({ name }) => name)
  throw new ProblemError({
    code: 'ratings/no-rater',
    message: `the study ${study.id} has no rater ${named ?? ''}`,
    where: { field: '--rater' },
    remedy: `${suggestion(named ?? '', known)}Raters are ${known.join(', ')}; \`medmake rate plan --study ${study.id} --raters ${named ?? 'ann'}\` adds one.`,
  })
}
