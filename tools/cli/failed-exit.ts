import { EXIT, ProblemError, type ExitCode } from '../../cache/problem.ts'

/** The exit code of a run of which some targets failed: that a text must not be sent weighs most. */
export const failedExit = (errors: readonly unknown[]): ExitCode =>
  errors.some((error) => error instanceof ProblemError && error.exitCode === EXIT.dataAgreement)
    ? EXIT.dataAgreement
    : EXIT.badInput
