import { ProblemError, type Problem } from '../../cache/problems/problem.ts'

type Work = Promise<unknown> | (() => unknown)

/** The problems that some work ends in; any other error, or none, fails the test. */
export const problemsOf = async (work: Work): Promise<readonly Problem[]> => {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    return problemsIn(error)
  }
  throw new Error('nothing was thrown')
}

export const problemOf = async (work: Work): Promise<Problem | undefined> => (await problemsOf(work))[0]

/** The same of what nobody has to wait for. */
export const problemsAtOnce = (work: () => unknown): readonly Problem[] => {
  try {
    work()
  } catch (error) {
    return problemsIn(error)
  }
  throw new Error('nothing was thrown')
}

export const problemAtOnce = (work: () => unknown): Problem | undefined => problemsAtOnce(work)[0]

const problemsIn = (error: unknown): readonly Problem[] => {
  if (error instanceof ProblemError) return error.problems
  throw error
}
