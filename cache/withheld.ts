import { digestOf } from './digest.ts'
import { ProblemError, type Problem } from './problem.ts'

/** The digest of a shorter text could be found by trying texts. */
const GUESSABLE = 32
const SHOWN = 12

/** What stands in logs, errors and output for a text of a gated or private benchmark. */
export const withheld = (text: string): string => {
  const digest = text.length < GUESSABLE ? '' : `, sha256 ${digestOf<'text'>(text).slice(0, SHOWN)}`
  return `[${text.length} characters withheld${digest}]`
}

/** Rooms whose problems speak of files, declarations and settings, never of a data set's texts. */
const OPEN_ROOMS: ReadonlySet<string> = new Set(['cache', 'cli', 'config', 'git', 'models', 'nx'])

const OPEN_CODES: ReadonlySet<string> = new Set([
  'benchmarks/missing-data',
  'benchmarks/missing-file',
  'benchmarks/not-mirrored',
  'benchmarks/download',
  'benchmarks/datasets-lock',
  'benchmarks/changed-data',
  'targets/no-tokenizer',
])

/** These name what a declaration wants; their remedies list what the file has, which without a header is its first row. */
const OPEN_MESSAGES: ReadonlySet<string> = new Set(['benchmarks/missing-column'])

const isOpen = (code: string): boolean => OPEN_CODES.has(code) || OPEN_ROOMS.has(code.split('/')[0] ?? '')

const discreetProblem = (problem: Problem): Problem => {
  const { code, message, where } = problem
  if (isOpen(code)) return problem
  return {
    code,
    message: OPEN_MESSAGES.has(code)
      ? message
      : `the text of this problem may quote the data: ${withheld(message)}`,
    ...(where === undefined ? {} : { where }),
    remedy: 'Look at the place that is named: the code says what is wrong there.',
  }
}

/**
 * An error met in the texts of a gated or private benchmark, without what it may quote of them. Codes and places stay;
 * so does the stack of a fault of ours.
 */
export const discreetError = (error: unknown): unknown => {
  if (error instanceof ProblemError)
    return new ProblemError(error.problems.map(discreetProblem), { exitCode: error.exitCode })
  if (!(error instanceof Error)) return new Error(withheld(String(error)))
  const discreet = new Error(withheld(error.message))
  discreet.name = error.name
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line))
  discreet.stack = [`${discreet.name}: ${discreet.message}`, ...frames].join('\n')
  return discreet
}
