import type { AlignedVectors } from '../../runs/aligned-vectors.ts'
import { contrastOf } from '../../statistics/paired/contrast.ts'
import { orderOf, pairOrder, type PairOrder } from '../../statistics/paired/pair-difference.ts'
import { PairSums, placeOfPair } from '../../statistics/paired/sums.ts'
import { isOnScale, rangeOf, sharesOf } from '../../statistics/scale.ts'
import { pairSides, type RankColumn } from './rank-column.ts'

/** A column's runs as shares of its scale, turned so that more is better. */
export interface UnitColumn {
  readonly benchmark: string
  readonly strata: readonly UnitStratum[]
  readonly isBinary: boolean
  /** The column's own test of two models: 1 where the first is better. */
  readonly of: (one: number, other: number) => PairOrder
}

/** One of them, with what the differences of every two models sum up to. */
interface UnitStratum extends AlignedVectors {
  readonly sums: PairSums
}

/** In place of a p. */
const UNTESTED = 2

/** The tests of a column's models, each made once, and what averages over columns are formed from. */
export class ColumnTests {
  readonly column: Omit<RankColumn, 'lowerIsBetter'>
  private readonly models: number
  private readonly sums: readonly PairSums[]
  /** By model: a value lies off the scale. */
  private readonly off: readonly boolean[]
  /** By pair, NaN where none was asked for yet. */
  private ps: Float64Array | undefined
  private directions: Int8Array | undefined
  private readonly units: { low?: UnitColumn; high?: UnitColumn } = {}

  constructor(column: Omit<RankColumn, 'lowerIsBetter'>) {
    this.column = column
    this.models = Math.max(0, ...column.strata.map(({ values }) => values.length))
    const { range, strata } = column
    this.off = Array.from(
      { length: this.models },
      (_, model) =>
        range !== undefined && strata.some(({ values }) => !isOnScale(values[model] ?? [], range)),
    )
    const size = column.range === undefined ? 1 : rangeOf(column.range)
    this.sums = column.strata.map(({ values, sources }) => new PairSums(values, sources, size))
  }

  /** Its direction is 1 where the first is greater. */
  of(one: number, other: number): PairOrder {
    if (one > other) {
      const { p, direction } = this.of(other, one)
      return { p, direction: -direction }
    }
    const count = (this.models * (this.models - 1)) / 2
    this.ps ??= new Float64Array(count).fill(NaN)
    this.directions ??= new Int8Array(count)
    const at = placeOfPair(one, other, this.models)
    if (Number.isNaN(this.ps[at])) {
      const { p, direction } = this.make(one, other)
      this.ps[at] = p ?? UNTESTED
      this.directions[at] = direction
    }
    const p = this.ps[at] ?? UNTESTED
    return { p: p === UNTESTED ? null : p, direction: this.directions[at] ?? 0 }
  }

  /** Undefined on a scale without ends, or that values lie off. */
  unit(isLowerBetter: boolean): UnitColumn | undefined {
    const { range, strata, benchmark } = this.column
    if (range === undefined || this.off.includes(true)) return undefined
    return (this.units[isLowerBetter ? 'low' : 'high'] ??= {
      benchmark,
      isBinary: this.column.isBinary,
      of: (one, other) => (isLowerBetter ? this.of(other, one) : this.of(one, other)),
      strata: strata.map((run, at) => {
        const own = this.sums[at]
        if (own !== undefined && range.low === 0 && range.high === 1 && !isLowerBetter)
          return { ...run, sums: own }
        const values = run.values.map((each) => each && sharesOf(each, range, isLowerBetter))
        return { ...run, values, sums: new PairSums(values, run.sources, 1) }
      }),
    })
  }

  private make(one: number, other: number): PairOrder {
    return this.bySums(one, other) ?? pairOrder(pairSides(this.column, other, one), this.column)
  }

  /** Undefined where something is missing, or sources are shared. */
  private bySums(one: number, other: number): PairOrder | undefined {
    if (this.off[one] === true || this.off[other] === true) return undefined
    const both = this.sums.filter(({ values }) => values[one] !== undefined && values[other] !== undefined)
    // Answers of one run that are right or wrong are counted, not summed up.
    if (this.column.isBinary && both.length === 1) return undefined
    const samples = both.flatMap((run) => {
      const sums = run.of(one, other)
      return sums === undefined ? [] : [{ benchmark: this.column.benchmark, sums }]
    })
    return samples.length === 0 || samples.length < both.length
      ? undefined
      : orderOf(contrastOf(samples), this.column)
  }
}
