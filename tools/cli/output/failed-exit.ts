import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { problemsText } from './print-problems.ts'

/** What stopped targets of a run, of which the others are done. */
export const tellFailed = (errors: readonly unknown[], warn: (text: string) => void): void => {
  const problems = problemsText(errors, process.stderr.isTTY)
  if (problems !== '') warn(problems)
}

/**
 * The exit code of a run of which some targets failed: that a text must not be sent weighs most, and a full disk, which
 * is no mistake in the input, least. Undefined where none failed.
 *
 * @throws what is no problem of the user's but a fault of ours, once the others are done and told of
 */
export const failedExit = (errors: readonly unknown[]): ExitCode | undefined => {
  const fault = errors.find((error) => !(error instanceof ProblemError))
  if (fault !== undefined) throw fault
  if (errors.length === 0) return undefined
  const codes = new Set(errors.flatMap((error) => (error instanceof ProblemError ? [error.exitCode] : [])))
  if (codes.has(EXIT.dataAgreement)) return EXIT.dataAgreement
  return codes.size === 1 && codes.has(EXIT.incomplete) ? EXIT.incomplete : EXIT.badInput
}
