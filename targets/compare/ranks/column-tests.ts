import { pairSides } from './pair-sides.ts'
import { pairOrder } from '../../statistics/paired/pair-difference.ts'
import { isWhole } from '../../statistics/paired/paired-sides.ts'
import type { RankColumn } from './rank-column.ts'

/** What the test of two models says. */
export interface OrderTest {
  /** Two-sided; 1 where there is no test. */
  readonly p: number
  /** 1 where the first is greater by the values that gave p, −1 where the second is, else 0. */
  readonly direction: number
}

/** The tests of a column's models, each made once. */
export class ColumnTests {
  readonly column: Omit<RankColumn, 'lowerIsBetter'>
  /** By the first of two, the lesser. */
  private readonly known: OrderTest[][] = []
  private readonly whole: boolean[] = []

  constructor(column: Omit<RankColumn, 'lowerIsBetter'>) {
    this.column = column
  }

  of(one: number, other: number): OrderTest {
    if (one > other) {
      const { p, direction } = this.of(other, one)
      return { p, direction: -direction }
    }
    const known = (this.known[one] ??= [])
    return (known[other] ??= this.make(one, other))
  }

  private make(one: number, other: number): OrderTest {
    const sides = pairSides(this.column, other, one)
    const runs =
      this.isWhole(one) && this.isWhole(other)
        ? sides.map((run) => ({ ...run, isWhole: true as const }))
        : sides
    const { p, direction } = pairOrder(runs, this.column)
    return { p: p ?? 1, direction }
  }

  private isWhole(model: number): boolean {
    return (this.whole[model] ??= this.column.strata.every(
      ({ values }) => values[model] === undefined || isWhole(values[model]),
    ))
  }
}
