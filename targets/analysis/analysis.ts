import { groupBy } from '../../cache/lists.ts'
import type { SubgroupRow, Subgroups } from '../board/board-subgroups.ts'
import { categoryMeans, type CategoryMean } from './category-means.ts'
import type { DetectableEffect } from './detectable-effects.ts'
import { isNormal, isShared, normalized, OTHER, type ScoreColumn, type ScoreTable } from './score-table.ts'
import { standings, type ModelStanding } from './standings.ts'

/** The paper's analysis of a leaderboard. */
export interface Analysis {
  /** The suite or file. */
  readonly name: string
  /** Table 1, best win rate first. */
  readonly standings: readonly ModelStanding[]
  /** Models in the order of the standings: that of all values below. */
  readonly models: readonly string[]
  /** §2.3.1. */
  readonly categories: readonly CategoryMean[]
  readonly subcategories: readonly CategoryMean[]
  /** Normalised scores, benchmarks × models. */
  readonly heatmap: readonly HeatmapRow[]
  /** Benchmarks that win rates compare, but no mean takes in: nobody says what their values can be. */
  readonly unscaled: readonly string[]
  /** Benchmarks that no mean takes in, since fewer than two models have a score there. */
  readonly unshared: readonly string[]
  /** Greatest distance between the win rates that the leaderboard tells itself and ours; null where it tells none. */
  readonly winRateGap: number | null
  /** Appendix E; null where there are no instances to tell it from. */
  readonly detectable: readonly DetectableEffect[] | null
  /** Benchmarks without any: a scale without ends, or no two models that share instances. */
  readonly undetectable: readonly { readonly benchmark: string; readonly lacks: 'scale' | 'pairs' }[] | null
  /** Scores by attribute of the instances; null likewise. */
  readonly subgroups: readonly NamedSubgroups[] | null
}

/** Scores of a benchmark by one attribute, with the names of readers. */
interface NamedSubgroups extends Omit<Subgroups, 'rows'> {
  readonly rows: readonly (SubgroupRow & { readonly model: string })[]
}

interface HeatmapRow {
  readonly benchmark: string
  readonly category: string | null
  readonly subcategory: string | null
  readonly values: readonly (number | null)[]
}

/** @param known.winRates as published, in the order of the table's models */
export const analyze = (
  name: string,
  table: ScoreTable,
  {
    detectable = null,
    undetectable = null,
    subgroups = null,
    winRates = [],
  }: {
    readonly detectable?: Analysis['detectable']
    readonly undetectable?: Analysis['undetectable']
    readonly subgroups?: readonly NamedSubgroups[] | null
    readonly winRates?: readonly (number | null)[]
  },
): Analysis => {
  const ranked = standings(table)
  const ordered = inOrder(
    table,
    ranked.map(({ row }) => row),
  )
  return {
    name,
    standings: ranked.map(({ standing }) => standing),
    models: ordered.models,
    categories: categoryMeans(ordered, ({ category = OTHER }) => category),
    subcategories: categoryMeans(ordered, subcategoryNames(table.columns)),
    heatmap: ordered.columns.filter(isNormal).map((column) => ({
      benchmark: column.benchmark,
      category: column.category ?? null,
      subcategory: column.subcategory ?? null,
      values: column.values.map((value) => normalized(column, value)),
    })),
    unscaled: table.columns.filter((column) => !isNormal(column)).map(({ benchmark }) => benchmark),
    unshared: table.columns.filter((column) => !isShared(column)).map(({ benchmark }) => benchmark),
    winRateGap: greatest(
      ranked.map(({ row, standing: { winRate } }) => distance(winRate, winRates[row] ?? null)),
    ),
    detectable,
    undetectable,
    subgroups,
  }
}

const distance = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.abs(a - b)

const greatest = (values: readonly (number | null)[]): number | null =>
  values.reduce((most, value) => (most === null || (value !== null && value > most) ? value : most), null)

/** A name that two categories use, such as `Other`, stands with the category's: their benchmarks are no part of one. */
const subcategoryNames = (columns: readonly ScoreColumn[]): ((column: ScoreColumn) => string | undefined) => {
  const named = groupBy(columns, ({ subcategory }) => subcategory)
  return ({ category, subcategory }) =>
    category !== undefined &&
    named.get(subcategory ?? '')?.every((each) => each.category === category) === false
      ? `${category}: ${subcategory}`
      : subcategory
}

const inOrder = ({ models, columns }: ScoreTable, rows: readonly number[]): ScoreTable => ({
  models: rows.map((row) => models[row] ?? ''),
  columns: columns.map((column) => ({
    ...column,
    values: rows.map((row) => column.values[row] ?? null),
  })),
})
