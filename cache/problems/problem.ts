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

/** Characters of it that are kept: results hold what a failed call or a metric ended with. */
const LONGEST = 2000

/**
 * What was thrown, in words. A user's code throws texts, nothing, and errors that can't be read.
 * @param hide takes out of it what is not told
 */
export const reasonOf = (error: unknown, hide = (text: string): string => text): string =>
  hide(textOf(error).toWellFormed()).slice(0, LONGEST).toWellFormed()

const WORDLESS = 'what can’t be told in words'

const textOf = (error: unknown): string => {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return WORDLESS
  }
}

/** What a user's code threw; an error in its place where it can't even be asked for its kind, as a proxy can't. */
export const thrown = (error: unknown): unknown => {
  try {
    return error instanceof Error ? error : error
  } catch {
    return new Error(WORDLESS)
  }
}

/** A field of what was thrown; undefined where it has none, or none that can be read. */
export const fieldOf = (error: unknown, name: string): unknown => {
  try {
    return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
  } catch {
    return undefined
  }
}

declare const safe: unique symbol

/** A text that quotes no data, since it can be made of nothing but numbers and words of the program's own source. */
export type SafeText = string & { readonly [safe]: true }

/** A text whose value is not known to the source is no word of it. */
type Word<Part> = Part extends number | SafeText ? Part : string extends Part ? never : Part

/** Puts a safe text together: a part that comes from elsewhere is an error of types. */
export const safeText = <const Parts extends readonly (string | number)[]>(
  strings: TemplateStringsArray,
  ...parts: { readonly [Index in keyof Parts]: Word<Parts[Index]> } & Parts
): SafeText => String.raw({ raw: strings }, ...parts) as SafeText

/** Why something that should have been measured was not. `code` is stable, `detail` is for people. */
export interface Failure {
  readonly code: string
  readonly detail: string
  /** How many attempts were made before giving up. */
  readonly attempts?: number
}

/**
 * What became of one piece of work. There is no default value in it on purpose:
 * whoever turns a failure into a number does so under a named profile.
 */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly cause: Failure }
  | { readonly kind: 'absent'; readonly reason: string }

export const done = <T>(value: T): Outcome<T> => ({ kind: 'done', value })
export const failed = (code: string, detail: string, attempts?: number): Outcome<never> => ({
  kind: 'failed',
  cause: attempts === undefined ? { code, detail } : { code, detail, attempts },
})
export const absent = (reason: string): Outcome<never> => ({ kind: 'absent', reason })
