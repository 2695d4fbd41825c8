import type { ColumnView } from './view.ts'

/** Columns beside each other that share a name. */
export interface ColumnGroup {
  readonly name: string
  readonly columns: readonly ColumnView[]
}

/** Runs of columns with the same category; summaries have an empty one. */
export const byCategory = (columns: readonly ColumnView[]): readonly ColumnGroup[] =>
  inRuns(columns, ({ benchmark }) => benchmark?.category ?? '')

/** Runs of columns with the same subcategory of the same category. */
export const bySubcategory = (columns: readonly ColumnView[]): readonly ColumnGroup[] =>
  byCategory(columns).flatMap((group) =>
    inRuns(group.columns, ({ benchmark }) => benchmark?.subcategory ?? ''),
  )

const inRuns = (
  columns: readonly ColumnView[],
  nameOf: (column: ColumnView) => string,
): readonly ColumnGroup[] => {
  const groups: { name: string; columns: ColumnView[] }[] = []
  for (const column of columns) {
    const last = groups.at(-1)
    if (last?.name === nameOf(column)) last.columns.push(column)
    else groups.push({ name: nameOf(column), columns: [column] })
  }
  return groups
}
