import { styleText } from 'node:util'
import { ProblemError, type Place, type Problem } from '../../../cache/problems/problem.ts'

/** What the user sees of mistakes: what, where, how to mend it. Each once: a bad file is met by all its targets alike. */
export const formatProblems = (problems: readonly Problem[], colour: boolean): string => {
  const texts = problems.map(({ code, message, where, remedy }) => {
    const place = where === undefined ? '' : placeText(where)
    const head = `${paint('red', 'error', colour)} ${place === '' ? '' : `${paint('bold', place, colour)}: `}${message}`
    return `${head} [${code}]\n  ${remedy}`
  })
  return [...new Set(texts)].join('\n')
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
