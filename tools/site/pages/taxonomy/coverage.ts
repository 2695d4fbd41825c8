import type { Taxonomy } from '../../../../benchmarks/taxonomy.ts'
import type { BoardBenchmark } from '../../../../targets/runs/board-run.ts'
import { benchmarkPath } from '../../paths.ts'
import type { SiteSuite } from '../../site.ts'

/** A subcategory, and the benchmarks that ask about it. */
export interface Covered {
  readonly category: string
  readonly subcategory: string
  readonly tasks: readonly string[]
  /** On the board. */
  readonly run: readonly { readonly label: string; readonly path: string }[]
  /** Declared, but not on the board. */
  readonly others: readonly string[]
}

/** Subcategories in the taxonomy's order. */
export const coverageOf = (
  { categories }: Taxonomy,
  { board, catalog = [] }: Pick<SiteSuite, 'board' | 'catalog'>,
): readonly Covered[] => {
  const onBoard = new Set(board.benchmarks.map(({ name }) => name))
  return categories.flatMap(({ name: category, subcategories }) =>
    subcategories.map(({ name: subcategory, tasks }) => ({
      category,
      subcategory,
      tasks,
      run: board.benchmarks
        .filter((each) => each.category === category && each.subcategory === subcategory)
        .map((each) => linkOf(board.suite, each)),
      others: catalog
        .filter(
          (each) => each.category === category && each.subcategory === subcategory && !onBoard.has(each.name),
        )
        .map(({ displayName }) => displayName),
    })),
  )
}

/** Benchmarks of the board that stand in no subcategory. */
export const unplaced = (
  coverage: readonly Covered[],
  { board }: Pick<SiteSuite, 'board'>,
): Covered['run'] => {
  const placed = new Set(coverage.flatMap(({ run }) => run.map(({ path }) => path)))
  return board.benchmarks.map((each) => linkOf(board.suite, each)).filter(({ path }) => !placed.has(path))
}

const linkOf = (suite: string, { name, displayName }: BoardBenchmark): Covered['run'][number] => ({
  label: displayName,
  path: benchmarkPath(suite, name),
})
