import { groupLetters } from '../compare/group-letters.ts'
import { holm } from '../statistics/multiple/holm.ts'
import { pairedP, type PairedStratum } from '../statistics/paired-difference.ts'
import { significanceGroups } from '../statistics/significance-groups.ts'
import type { BoardColumn } from './board-columns.ts'

const ALPHA = 0.05

/**
 * Letters of the significance groups of a column's models: of every two that share a letter no paired test found a
 * difference (Holm over all pairs of the column, 5 %).
 *
 * @param scores the ranked models' values, by row; undefined for a row that takes no part
 * @returns by row, '' where there is nothing to compare
 */
export const columnGroups = (
  column: BoardColumn,
  scores: readonly (number | undefined)[],
  { lowerIsBetter, isBinary }: { readonly lowerIsBetter?: boolean; readonly isBinary: boolean },
): readonly string[] => {
  const none = scores.map(() => '')
  if (lowerIsBetter === undefined) return none
  const order = scores
    .flatMap((score, row) => (score === undefined ? [] : [{ row, score }]))
    .sort((a, b) => (lowerIsBetter ? a.score - b.score : b.score - a.score) || a.row - b.row)
    .map(({ row }) => row)
  if (order.length < 2) return none
  const apart = differing(column, order, isBinary)
  const groups = significanceGroups(order.length, (a, b) => apart.has(a * order.length + b))
  for (const [place, row] of order.entries()) none[row] = groupLetters(groups, place)
  return none
}

/** Pairs of places in the order, as `a * count + b` with a before b. */
const differing = (
  { strata }: BoardColumn,
  order: readonly number[],
  isBinary: boolean,
): ReadonlySet<number> => {
  const pairs: number[] = []
  const ps: number[] = []
  for (const [a, left] of order.entries())
    for (let b = a + 1; b < order.length; b += 1) {
      pairs.push(a * order.length + b)
      ps.push(pairedP(pairStrata(strata, left, order[b] ?? left), isBinary))
    }
  const adjusted = holm(ps)
  return new Set(pairs.filter((_, index) => (adjusted[index] ?? 1) < ALPHA))
}

/** Scenarios that both were run on. */
const pairStrata = (strata: BoardColumn['strata'], left: number, right: number): readonly PairedStratum[] =>
  strata.flatMap(({ values, clusters }) => {
    const [a, b] = [values[left], values[right]]
    return a === undefined || b === undefined
      ? []
      : [{ a, b, ...(clusters === undefined ? {} : { clusters }) }]
  })
