import { EXIT, ProblemError, type ExitCode, type Place } from '../../cache/problems/problem.ts'

/** What is to be done about a release that is not what was published. */
export const GET_AGAIN = 'Get the release again from where it was published.'

/** A part of a release that nobody can have published so. */
export const badRelease = (
  code: `release/${string}`,
  message: string,
  where: Place,
  { cause, exitCode = EXIT.badInput }: { readonly cause?: unknown; readonly exitCode?: ExitCode },
): ProblemError => new ProblemError({ code, message, where, remedy: GET_AGAIN }, { cause, exitCode })
