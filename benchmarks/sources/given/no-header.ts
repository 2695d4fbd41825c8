import { isProse } from '../column-name.ts'

/** Nobody calls a column so; a row of answers begins with it. */
const VALUE = /^(?:yes|no|true|false|null|none|nan|n\/a)$/i
const FIGURE = /^[-+\d.,:/ %]*\d[-+\d.,:/ %]*$/
const DAY = /\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2}/
const ANSWER = /^\W*(?:in)?correct[\W_]*answers?\W*$/i

/**
 * Why the first line of a table is one of its rows, as far as that can be seen; undefined where it may name columns, and where
 * it names one as data of a benchmark does. Quotes nothing: a patient's words may stand there.
 */
export const noHeader = (
  columns: readonly string[],
  rows: readonly { readonly texts: readonly string[]; readonly place: number }[],
): string | undefined => {
  if (columns.some((column) => ANSWER.test(column))) return undefined
  for (const [at, column] of columns.entries()) {
    const again = column === '' ? undefined : rows.find(({ texts }) => texts[at] === column)
    const reason =
      again === undefined
        ? likeCell(column.trim(), (kind) => rows.some(({ texts }) => kind.test(texts[at]?.trim() ?? '')))
        : `stands in line ${again.place}, too`
    if (reason !== undefined) return `what the first line has in column ${at + 1} ${reason}`
  }
  return undefined
}

/** `No`, for a number, a year and a day may be names above what is nothing like them. */
const likeCell = (column: string, isAbove: (kind: RegExp) => boolean): string | undefined => {
  if (VALUE.test(column)) return !/^no$/i.test(column) || isAbove(VALUE) ? 'is an answer' : undefined
  const isDay = DAY.test(column)
  if (FIGURE.test(column) ? isAbove(isDay ? DAY : FIGURE) : isDay) return 'is a number or a day'
  return isProse(column) ? 'is a sentence' : undefined
}
