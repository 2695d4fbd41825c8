import type { InstanceIndex } from './run-index.ts'
import type { PageState } from './state.ts'

/** Rows that a state asks for, in its order; words are looked for elsewhere. @param wrong the score of a wrong answer */
export const selectRows = (
  index: InstanceIndex,
  state: Pick<PageState, 'show' | 'apart' | 'from' | 'to' | 'sort'>,
  wrong: number | undefined,
  flagged: ReadonlySet<number> = new Set(),
): readonly number[] => {
  const [from, to] = [endOf(state.from, -Infinity), endOf(state.to, Infinity)]
  const unbounded = from === -Infinity && to === Infinity
  const isShown = filterOf(index, state, wrong, flagged)
  const rows: number[] = []
  for (let row = 0; row < index.ids.length; row += 1) {
    const score = index.scores[row] ?? null
    if (isShown(row) && (unbounded || (score !== null && score >= from && score <= to))) rows.push(row)
  }
  return sorted(rows, index, state.sort)
}

/** Whether a text can be the end of a range. */
export const isEnd = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

const endOf = (text: string, none: number): number => (isEnd(text) ? Number(text) : none)

const filterOf = (
  { scores, spreads, failed }: InstanceIndex,
  { show, apart }: Pick<PageState, 'show' | 'apart'>,
  wrong: number | undefined,
  flagged: ReadonlySet<number>,
): ((row: number) => boolean) => {
  if (show === 'flagged') return (row) => flagged.has(row)
  if (show === 'wrong' && wrong !== undefined) return (row) => scores[row] === wrong
  if (show === 'failed') return (row) => failed.has(row) || (scores[row] ?? null) === null
  if (show === 'apart') {
    const least = endOf(apart, 1)
    return (row) => (spreads[row] ?? -1) >= least
  }
  return () => true
}

/** Rows without a value come last. Equal ones stay in order. */
const sorted = (
  rows: readonly number[],
  { scores, spreads }: InstanceIndex,
  sort: string,
): readonly number[] => {
  if (sort !== 'low' && sort !== 'high' && sort !== 'apart') return rows
  const values = sort === 'apart' ? spreads : scores
  const sign = sort === 'low' ? 1 : -1
  const keyOf = (row: number): number => {
    const value = values[row] ?? null
    return value === null ? Infinity : sign * value
  }
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)]
    return left === right ? a - b : left - right
  })
}

/** Row of an instance's trial; undefined where there is none. */
export const rowOf = (
  { ids, trials }: InstanceIndex,
  { instance, trial }: Pick<PageState, 'instance' | 'trial'>,
): number | undefined => {
  const wanted = Number(trial) - 1
  const row = ids.findIndex((id, at) => id === instance && trials[at] === wanted)
  return row === -1 ? undefined : row
}

export interface Page<Row = number> {
  /** From 0. */
  readonly page: number
  readonly pages: number
  readonly rows: readonly Row[]
}

/** The rows of the page that a state names, or of the one with the row that it links to. @param asked `page`: from 1 */
export const pageOf = <Row>(
  rows: readonly Row[],
  { page: asked, size }: { readonly page: string; readonly size: number },
  linked: Row | undefined,
): Page<Row> => {
  const pages = Math.max(1, Math.ceil(rows.length / size))
  const at = linked === undefined ? -1 : rows.indexOf(linked)
  const wanted = at === -1 ? Math.trunc(Number(asked)) - 1 : Math.floor(at / size)
  const page = Math.min(Math.max(Number.isNaN(wanted) ? 0 : wanted, 0), pages - 1)
  return { page, pages, rows: rows.slice(page * size, (page + 1) * size) }
}
