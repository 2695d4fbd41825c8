import type { Row, Table } from '../../benchmarks/sources/table.ts'
import { parsedJson } from '../../cache/values/json.ts'
import { OPENED } from '../../targets/ratings/reasons.ts'
import type { RatingContent } from '../../targets/ratings/event.ts'

/** What a column of an export is called where a criterion has its name, such as safety. */
export const besideCriterion = (name: string): string => `rating_${name}`

/** An export's JSON lines as its table is: a column a criterion, and one of the jury's. Any other table as it is. */
export const exportedTable = (table: Table): Table => {
  if (!['scores', 'jury', 'answer'].every((column) => table.columns.includes(column))) return table
  const named = new Set(table.rows.flatMap((row) => scoresIn(row, 'scores', '').map(([name]) => name)))
  const own = (name: string): string => (named.has(name) ? besideCriterion(name) : name)
  const rows = table.rows.map((row) => ({
    ...row,
    cells: new Map([
      ...[...row.cells].map(([name, value]) => [own(name), value] as const),
      ...scoresIn(row, 'scores', ''),
      ...scoresIn(row, 'jury', 'jury_'),
    ]),
  }))
  return { ...table, columns: [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))], rows }
}

const scoresIn = (row: Row, column: string, prefix: string): readonly (readonly [string, string])[] =>
  Object.entries(parsedJson(textIn(row, column)) ?? {}).map(
    ([name, score]) => [prefix + name, String(score)] as const,
  )

const textIn = ({ cells }: Row, column: string): string => {
  const value = cells.get(besideCriterion(column)) ?? cells.get(column)
  return typeof value === 'string' ? value : ''
}

const countIn = (row: Row, column: string): number | undefined => {
  const text = textIn(row, column)
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

export const exportedExtras = (
  row: Row,
): {
  readonly order?: number
  readonly comment: string
  readonly content: Pick<RatingContent, 'safety' | 'comment' | 'active_ms' | 'opened'>
} => {
  const order = countIn(row, 'order')
  const ms = countIn(row, 'active_ms')
  // The apostrophe keeps a spreadsheet from reading a formula.
  const comment = textIn(row, 'comment').replace(/^'(?=[=+\-@\s＝＋－＠])/, '')
  return {
    ...(order !== undefined && order > 0 && { order }),
    comment,
    content: {
      ...(['yes', 'true'].includes(textIn(row, 'safety')) && { safety: true }),
      ...(comment.trim() !== '' && { comment: true as const }),
      // Both or none are of a desk.
      ...(ms !== undefined && {
        active_ms: ms,
        opened: OPENED.filter((part) => textIn(row, 'opened').includes(part)),
      }),
    },
  }
}
