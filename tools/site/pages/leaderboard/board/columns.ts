import { present } from '../../../../../cache/lists.ts'
import { bestGroups, type BenchmarkView, type BoardView, type CategoryView } from './board-view.ts'
import { costOf, isPerThousand, latencyOf } from '../tie.ts'

/** A column of the board after place and model. */
export type ShownColumn =
  | { readonly kind: 'win'; readonly key: 'win' }
  | { readonly kind: 'average'; readonly key: 'average' }
  | { readonly kind: 'category'; readonly key: string; readonly category: CategoryView; readonly at: number }
  | { readonly kind: 'benchmark'; readonly key: string; readonly column: BenchmarkView }
  | { readonly kind: 'cost' | 'latency' | 'failed'; readonly key: string; readonly label: string }

/** Columns in their order: a category’s benchmarks follow it where it is open; what nobody knows has no column. */
export const columnsOf = (view: BoardView): readonly ShownColumn[] => {
  const { all } = view
  return present(
    all.some(({ winRate }) => winRate !== null) && { kind: 'win', key: 'win' },
    all.some(({ average }) => average.mean !== null) && { kind: 'average', key: 'average' },
    ...view.categories.flatMap((category, at): readonly ShownColumn[] => [
      { kind: 'category', key: `category:${category.name}`, category, at },
      ...(category.isOpen
        ? category.columns.map((column) => ({
            kind: 'benchmark' as const,
            key: `benchmark:${column.key}`,
            column: { ...column, bestGroups: bestGroups(view, column.index) },
          }))
        : []),
    ]),
    all.some((row) => costOf(row) !== null) && {
      kind: 'cost',
      key: 'cost',
      label: isPerThousand(view) ? 'Cost per 1,000' : 'Cost in all',
    },
    all.some((row) => latencyOf(row) !== null) && {
      kind: 'latency',
      key: 'latency',
      label: 'Latency',
    },
    all.some(({ failed }) => failed !== null) && {
      kind: 'failed',
      key: 'failed',
      label: 'No score %',
    },
  )
}
