import { remembered } from '../../../../cache/once.ts'
import type { InstanceIndex } from '../run/run-index.ts'

/** An instance that both runs have; values are means over its trials, NaN where there is none. */
export interface PairedRow {
  readonly id: string
  readonly a: number
  readonly b: number
  /** Rows of its first trial. */
  readonly rowA: number
  readonly rowB: number
}

/** Instances that both runs have, in A's order. An instance is known again by its id. */
export const pairRows = (a: InstanceIndex, b: InstanceIndex): readonly PairedRow[] => {
  const others = byId(b)
  return [...byId(a)].flatMap(([id, own]) => {
    const other = others.get(id)
    return other === undefined
      ? []
      : [
          {
            id,
            a: own.count === 0 ? NaN : own.sum / own.count,
            b: other.count === 0 ? NaN : other.sum / other.count,
            rowA: own.row,
            rowB: other.row,
          },
        ]
  })
}

interface Tally {
  readonly row: number
  sum: number
  count: number
}

const byId = ({ ids, scores }: InstanceIndex): ReadonlyMap<string, Tally> => {
  const tallies = new Map<string, Tally>()
  for (const [row, id] of ids.entries()) {
    const tally = remembered(tallies, id, () => ({ row, sum: 0, count: 0 }))
    const score = scores[row] ?? null
    if (score === null) continue
    tally.sum += score
    tally.count += 1
  }
  return tallies
}

/**
 * The rows that a reader asks for, those furthest apart first; without a value on one side last.
 * @param show `all`, `differ`, `a` or `b`
 */
export const shownRows = (
  rows: readonly PairedRow[],
  show: string,
  lowerIsBetter: boolean,
): readonly PairedRow[] => {
  const lead = ({ a, b }: PairedRow): number => (lowerIsBetter ? a - b : b - a)
  const kept = rows.filter((row) => {
    if (show === 'differ') return row.a !== row.b
    if (show === 'a') return lead(row) < 0
    return show !== 'b' || lead(row) > 0
  })
  const distance = (row: PairedRow): number => {
    const apart = Math.abs(lead(row))
    return Number.isNaN(apart) ? -1 : apart
  }
  return kept.toSorted((one, two) => distance(two) - distance(one))
}
