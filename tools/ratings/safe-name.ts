import { ProblemError } from '../../cache/problems/problem.ts'
import { RATER } from '../../targets/ratings/study.ts'

/**
 * A name of a study or rater, which becomes part of a file's name: some disks make one of two that differ in capitals alone,
 * or in how one letter is put together.
 * @throws ProblemError `cli/bad-flag`
 */
export const safeName = (name: string, field: string, known: readonly string[] = []): string => {
  const alike = known.find((each) => written(each) === written(name))
  const isApart = alike === undefined || known.includes(name)
  if (isApart && RATER.test(name)) return name
  throw new ProblemError({
    code: 'cli/bad-flag',
    message: `${field} ${JSON.stringify(name)} is ${isApart ? 'no name of up to 40 letters, digits, dots, dashes and underscores' : `like ${alike} but for capitals`}`,
    where: { field },
    remedy: 'Write a code such as dr-7: names of people need not be in it.',
  })
}

/** Alike for names that a reader takes for one. */
const written = (name: string): string => name.normalize().toLowerCase()
