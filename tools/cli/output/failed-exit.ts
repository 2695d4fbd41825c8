import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'

/**
 * The exit code of a run of which some targets failed: that a text must not be sent weighs most, and a full disk, which
 * is no mistake in the input, least.
 */
export const failedExit = (errors: readonly unknown[]): ExitCode => {
  const codes = new Set(
    errors.map((error) => (error instanceof ProblemError ? error.exitCode : EXIT.badInput)),
  )
  if (codes.has(EXIT.dataAgreement)) return EXIT.dataAgreement
  return codes.size === 1 && codes.has(EXIT.incomplete) ? EXIT.incomplete : EXIT.badInput
}
