import type { SafeText } from './safe-text.ts'

/** Where a problem sits. Lines, columns and rows count from 1; a row is a data row, its header left out. */
export interface Place {
  readonly file?: string
  readonly line?: number
  readonly column?: number
  readonly row?: number
  /** Column name, YAML path or flag, as the user wrote it. */
  readonly field?: string
}

/** A mistake that a user can mend: the only thing the CLI prints on exit code 2. */
export interface Problem {
  /** Stable, `room/what-is-wrong`, e.g. `benchmarks/missing-column`. */
  readonly code: string
  readonly message: string
  /** The message without what may quote data: all that is shown of it where data must not be shown. */
  readonly safe?: SafeText
  readonly where?: Place
  /** What to write or do instead. */
  readonly remedy: string
  /** The remedy lists what may be texts of the data: a header in which nothing is known, names of files or tags. */
  readonly listsData?: true
}

/** Exit codes of every verb. */
export const EXIT = {
  done: 0,
  incomplete: 1,
  badInput: 2,
  regression: 3,
  spendingCap: 4,
  dataAgreement: 5,
  inconclusive: 6,
  /** Stopped, and to be gone on with: sysexits' EX_TEMPFAIL. */
  goOn: 75,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Carries problems to the CLI. Library code throws this and nothing else for what a user can mend. */
export class ProblemError extends Error {
  readonly problems: readonly Problem[]
  readonly exitCode: ExitCode

  constructor(
    problems: Problem | readonly Problem[],
    options: { exitCode?: ExitCode; cause?: unknown } = {},
  ) {
    const list: readonly Problem[] = Array.isArray(problems) ? problems : [problems as Problem]
    super(list.map((problem) => `${problem.code}: ${problem.message}`).join('\n'), { cause: options.cause })
    this.name = 'ProblemError'
    this.problems = list
    this.exitCode = options.exitCode ?? EXIT.badInput
  }
}
