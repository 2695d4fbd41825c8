import { ProblemError } from '../../cache/problems/problem.ts'
import { RATER } from '../../targets/ratings/study.ts'

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
