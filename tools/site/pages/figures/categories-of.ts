import type { Board } from '../../../../targets/board/board.ts'
import { OTHER } from '../leaderboard/board/make-board-data.ts'

/** A category and the numbers of its columns on the board. */
export interface Category {
  readonly name: string
  readonly columns: readonly number[]
}

/** Categories in the order in which the board's columns first have them. */
export const categoriesOf = ({ benchmarks }: Board): readonly Category[] => {
  const names = [...new Set(benchmarks.map(({ category }) => category ?? OTHER))]
  return names.map((name) => ({
    name,
    columns: benchmarks.flatMap(({ category }, index) => ((category ?? OTHER) === name ? [index] : [])),
  }))
}
