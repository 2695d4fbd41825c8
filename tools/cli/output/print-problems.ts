import { styleText } from 'node:util'
import { groupBy } from '../../../cache/lists.ts'
import {
  ProblemError,
  type Place,
  type Problem,
  EXIT,
  type ExitCode,
} from '../../../cache/problems/problem.ts'

/** Places of one kind of mistake that are worth a line each. */
const SHOWN = 5

/**
 * What the user sees of mistakes: what, where, how to mend it. Each once: a bad file is met by all its targets alike. What is
 * mended alike stands together above its remedy, the first few places by name.
 */
export const formatProblems = (problems: readonly Problem[], colour: boolean): string => {
  const alike = groupBy(problems, ({ code, remedy }) => JSON.stringify([code, remedy]))
  return Array.from(alike.values(), (own) => {
    const heads = [...new Set(own.map((problem) => headOf(problem, colour)))]
    // One more line names what a line would count.
    const shown = heads.length > SHOWN + 1 ? heads.slice(0, SHOWN) : heads
    const more = heads.length - shown.length
    return [
      ...shown,
      ...(more > 0 ? [`  and ${more} more like these`] : []),
      ...own.slice(0, 1).map(({ remedy }) => `  ${remedy}`),
    ].join('\n')
  }).join('\n')
}

const headOf = ({ code, message, where }: Problem, colour: boolean): string => {
  const place = where === undefined ? '' : placeText(where)
  return `${paint('red', 'error', colour)} ${place === '' ? '' : `${paint('bold', place, colour)}: `}${message} [${code}]`
}

/** The problems among errors. Empty without any. */
export const problemsText = (errors: readonly unknown[], colour: boolean): string =>
  formatProblems(
    errors.flatMap((error) => (error instanceof ProblemError ? error.problems : [])),
    colour,
  )

const paint = (style: 'red' | 'bold', text: string, colour: boolean): string =>
  colour ? styleText(style, text, { validateStream: false }) : text

/** `file:line:column row 3 column "note"` */
const placeText = ({ file, line, column, row, field }: Place): string => {
  const position = [file, line, column].filter((part) => part !== undefined).join(':')
  const cell = [row === undefined ? [] : [`row ${row}`], field === undefined ? [] : [field]].flat().join(', ')
  return [position, cell].filter((part) => part !== '').join(' ')
}

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

/** For callers that print an error's message and no more, as Nx does: it tells places and remedies, too. */
export const toldWhole = (error: unknown): unknown =>
  error instanceof ProblemError ? new Error(formatProblems(error.problems, false), { cause: error }) : error
