import { ProblemError, type Problem } from '../../cache/problems/problem.ts'

/** The first problem that some work ends in; any other error, or none, fails the test. */
export const problemOf = async (work: () => unknown): Promise<Problem | undefined> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof ProblemError) return error.problems[0]
    throw error
  }
  throw new Error('nothing was thrown')
}
