import type { RandomStream } from '../statistics/random-stream.ts'
import type { RankColumn, RankStratum } from './rank-column.ts'

/** Draws whose sums are formed at once: each value that is read serves all of them. */
export const DRAWS_AT_ONCE = 2

/** Means of a column in resamples of its sources: the same ones for all models, and their instances with them. */
export interface DrawnMeans {
  /** Random words that one resample takes. */
  readonly words: number
  /**
   * Means by model, NaN where undefined; those of the second stream follow the first's.
   * The array is the same at every call.
   */
  readonly means: (streams: readonly (RandomStream | undefined)[]) => Float64Array
}

export const drawnMeans = ({ strata }: Pick<RankColumn, 'strata'>, models: number): DrawnMeans => {
  const tables = strata.map(tableOf)
  const means = new Float64Array(DRAWS_AT_ONCE * models)
  return {
    words: tables.reduce((sum, { sources }) => sum + sources, 0),
    means: (streams) => {
      means.fill(tables.length === 0 ? NaN : 0)
      for (const table of tables) {
        drawSums(table, streams)
        addMeans(table, means, models)
      }
      for (let at = 0; at < means.length; at += 1) means[at] = toTenDigits((means[at] ?? NaN) / tables.length)
      return means
    },
  }
}

/** Equal sums of thirds can differ in the last digit, which must not decide who wins. */
const toTenDigits = (mean: number): number => {
  const shifted = mean * (2 ** 20 + 1)
  return shifted - (shifted - mean)
}

/** A stratum's values, summed up by source. */
interface SourceTable {
  readonly sources: number
  /**
   * Rows of one number a source: each model's sums, then how many values a source has, once for all models that lack
   * the same ones. Their number is a multiple of four.
   */
  readonly rows: Float64Array
  readonly width: number
  /** By model, in which row its sums and its counts are; -1 for a model that was not run. */
  readonly sumRow: Int32Array
  readonly countRow: Int32Array
  /** How often each source was drawn, one draw after the other, and what the rows add up to. */
  readonly drawn: Float64Array
  readonly sums: Float64Array
}

const ROWS_AT_ONCE = 4

const tableOf = ({ instances, values, clusters }: RankStratum): SourceTable => {
  const sourceOf = clusters ?? Int32Array.from({ length: instances }, (_, instance) => instance)
  const sources = sourceOf.reduce((most, source) => Math.max(most, source + 1), 0)
  const bySource: Float64Array[] = []
  const sumRow = new Int32Array(values.length).fill(-1)
  const countRow = new Int32Array(values.length).fill(-1)
  const patterns: { readonly of: Float64Array; readonly row: number }[] = []
  for (const [model, own] of values.entries()) {
    if (own === undefined) continue
    sumRow[model] = bySource.push(summed(own, sourceOf, sources)) - 1
    let pattern = patterns.find(({ of }) => lackTheSame(of, own))
    if (pattern === undefined) {
      const ones = own.map((value) => (Number.isNaN(value) ? NaN : 1))
      pattern = { of: own, row: bySource.push(summed(ones, sourceOf, sources)) - 1 }
      patterns.push(pattern)
    }
    countRow[model] = pattern.row
  }
  const width = Math.ceil(bySource.length / ROWS_AT_ONCE) * ROWS_AT_ONCE
  const rows = new Float64Array(width * sources)
  for (const [row, own] of bySource.entries()) rows.set(own, row * sources)
  return {
    sources,
    rows,
    width,
    sumRow,
    countRow,
    drawn: new Float64Array(DRAWS_AT_ONCE * sources),
    sums: new Float64Array(DRAWS_AT_ONCE * width),
  }
}

/** Finite, as a source that was not drawn is counted 0 times; so large a value keeps its place in any order. */
const BOUND = 1e300

const summed = (values: Float64Array, sourceOf: Int32Array, sources: number): Float64Array => {
  const sums = new Float64Array(sources)
  for (const [instance, value] of values.entries()) {
    const source = sourceOf[instance] ?? 0
    if (!Number.isNaN(value)) sums[source] = (sums[source] ?? 0) + Math.min(BOUND, Math.max(-BOUND, value))
  }
  return sums
}

const lackTheSame = (one: Float64Array, other: Float64Array): boolean =>
  one.every((value, instance) => Number.isNaN(value) === Number.isNaN(other[instance]))

const drawSums = (table: SourceTable, streams: readonly (RandomStream | undefined)[]): void => {
  const { sources, drawn } = table
  drawn.fill(0)
  for (let draw = 0; draw < DRAWS_AT_ONCE; draw += 1) {
    const stream = streams[draw]
    if (stream === undefined) continue
    const from = draw * sources
    for (let each = 0; each < sources; each += 1) {
      const at = from + stream.below(sources)
      drawn[at] = (drawn[at] ?? 0) + 1
    }
  }
  multiply(table)
}

/** Rows × draws. Four rows and two draws are added up in registers: eight sums for six numbers read. */
const multiply = ({ sources, rows, width, drawn, sums }: SourceTable): void => {
  for (let row = 0; row < width; row += ROWS_AT_ONCE) {
    const at0 = row * sources
    const at1 = at0 + sources
    const at2 = at1 + sources
    const at3 = at2 + sources
    let [a0, a1, a2, a3, b0, b1, b2, b3] = [0, 0, 0, 0, 0, 0, 0, 0]
    for (let source = 0; source < sources; source += 1) {
      const a = drawn[source] ?? 0
      const b = drawn[sources + source] ?? 0
      const v0 = rows[at0 + source] ?? 0
      const v1 = rows[at1 + source] ?? 0
      const v2 = rows[at2 + source] ?? 0
      const v3 = rows[at3 + source] ?? 0
      a0 += a * v0
      a1 += a * v1
      a2 += a * v2
      a3 += a * v3
      b0 += b * v0
      b1 += b * v1
      b2 += b * v2
      b3 += b * v3
    }
    sums[row] = a0
    sums[row + 1] = a1
    sums[row + 2] = a2
    sums[row + 3] = a3
    sums[width + row] = b0
    sums[width + row + 1] = b1
    sums[width + row + 2] = b2
    sums[width + row + 3] = b3
  }
}

const addMeans = (
  { sums, width, sumRow, countRow }: SourceTable,
  means: Float64Array,
  models: number,
): void => {
  for (let draw = 0; draw < DRAWS_AT_ONCE; draw += 1)
    for (let model = 0; model < models; model += 1) {
      const row = sumRow[model] ?? -1
      // Without a value it is 0 / 0.
      const mean =
        row < 0 ? NaN : (sums[draw * width + row] ?? 0) / (sums[draw * width + (countRow[model] ?? 0)] ?? 0)
      const at = draw * models + model
      means[at] = (means[at] ?? NaN) + mean
    }
}
