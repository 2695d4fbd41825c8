import { isProse } from '../column-name.ts'

/** Nobody calls a column so; a row of answers begins with it. */
const VALUE = /^(?:yes|no|true|false|null|none|nan|n\/a)$/i
/** Numbers, and what holds a day. */
const FIGURE = /^[-+\d.,:/ %]*\d[-+\d.,:/ %]*$|\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2}/
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
    const reason = again === undefined ? likeCell(column) : `stands in line ${again.place}, too`
    if (reason !== undefined) return `what the first line has in column ${at + 1} ${reason}`
  }
  return undefined
}

const likeCell = (column: string): string | undefined => {
  if (VALUE.test(column.trim())) return 'is an answer'
  if (FIGURE.test(column)) return 'is a number or a day'
  return isProse(column) ? 'is a sentence' : undefined
}
