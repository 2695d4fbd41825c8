import { digestOf } from '../values/digest.ts'
import { defined } from '../values/defined.ts'
import { ProblemError, type Problem } from './problem.ts'

/** The digest of a shorter text could be found by trying texts. */
const GUESSABLE = 32
const SHOWN = 12
const WITHHELD = /^\[\d+ characters withheld(?:, sha256 [0-9a-f]{12})?\]$/

/** What stands in logs, errors and output for a text of a gated or private benchmark; what is withheld already stays. */
export const withheld = (text: string): string => {
  if (WITHHELD.test(text)) return text
  const digest = text.length < GUESSABLE ? '' : `, sha256 ${digestOf<'text'>(text).slice(0, SHOWN)}`
  return `[${text.length} characters withheld${digest}]`
}

/** Rooms whose problems speak of files, declarations, settings and money, never of a data set's texts. */
const OPEN_ROOMS: ReadonlySet<string> = new Set('cache cli config git models nx spend system'.split(' '))

/** Neither message nor remedy of these quotes a cell or a text: they count, name columns, or speak of prompts. */
const OPEN_CODES: ReadonlySet<string> = new Set([
  'benchmarks/answer',
  'benchmarks/byte-order-mark',
  'benchmarks/changed-data',
  'benchmarks/csv',
  'benchmarks/datasets-lock',
  'benchmarks/download',
  'benchmarks/empty-file',
  'benchmarks/incorrect-answers',
  'benchmarks/json',
  'benchmarks/json-rows',
  'benchmarks/judge-prompt',
  'benchmarks/missing-answer',
  'benchmarks/missing-column',
  'benchmarks/missing-data',
  'benchmarks/missing-file',
  'benchmarks/not-mirrored',
  'benchmarks/not-utf8',
  'benchmarks/ragged-row',
  'benchmarks/rubric-criteria',
  'benchmarks/short-row',
  'benchmarks/unexpected-value',
  'benchmarks/unnamed-cluster',
  'benchmarks/unreadable-file',
  'targets/no-tokenizer',
])

/** Their messages quote a cell; their remedies name what the declaration or the format allows. */
const OPEN_REMEDIES: ReadonlySet<string> = new Set([
  'benchmarks/duplicate-id',
  'benchmarks/template',
  'benchmarks/unknown-answer',
])

const QUOTING = 'the text of this problem may quote the data: '
const REMEDY = 'Look at the place that is named: the code says what is wrong there.'

const isOpen = (code: string): boolean => OPEN_CODES.has(code) || OPEN_ROOMS.has(code.split('/')[0] ?? '')

/** One that went through here before stays as it is: benchmarks and what runs them both ask for it. */
const discreetProblem = (problem: Problem): Problem => {
  const { code, message, safe, where, remedy, listsData } = problem
  if (message.startsWith(QUOTING) && WITHHELD.test(message.slice(QUOTING.length))) return problem
  if (isOpen(code)) return listsData === true ? { ...problem, remedy: REMEDY } : problem
  return defined({
    code,
    message: safe ?? `${QUOTING}${withheld(message)}`,
    safe,
    where,
    remedy: listsData !== true && (safe !== undefined || OPEN_REMEDIES.has(code)) ? remedy : REMEDY,
  })
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
