import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { statedFacts, type StatedFact } from '../declaration/about.ts'
import type { Taxonomy } from '../taxonomy.ts'
import type { BenchmarkSummary } from './list.ts'

/** A subcategory and what asks about it. */
export interface TaxonomyCoverage {
  readonly category: string
  readonly subcategory: string
  readonly tasks: readonly string[]
  readonly benchmarks: readonly CoveringBenchmark[]
}

export interface CoveringBenchmark {
  readonly name: string
  readonly inSuites: boolean
  /** Why it can't be run here; absent where it can. */
  readonly needs?: string
  /** Size, licence and contact of its data. */
  readonly facts: readonly StatedFact[]
}

/** Subcategories in the taxonomy's order, with their benchmarks by name and whether a suite runs these. */
export const coverageOf = (
  taxonomy: Taxonomy,
  benchmarks: readonly BenchmarkSummary[],
  inSuites: ReadonlySet<string>,
): readonly TaxonomyCoverage[] =>
  taxonomy.categories.flatMap(({ name: category, subcategories }) =>
    subcategories.map(({ name: subcategory, tasks }) => ({
      category,
      subcategory,
      tasks,
      benchmarks: benchmarks
        .filter((benchmark) => benchmark.category === category && benchmark.subcategory === subcategory)
        .map(({ needs, ...benchmark }) => ({
          name: benchmark.name,
          facts: statedFacts(benchmark),
          inSuites: needs === undefined && inSuites.has(benchmark.name),
          ...(needs === undefined ? {} : { needs }),
        })),
    })),
  )

/** A line for each benchmark that stands in no subcategory: it names none, or one that the taxonomy lacks. */
export const unplacedLines = (
  taxonomy: Taxonomy,
  benchmarks: readonly BenchmarkSummary[],
): readonly string[] =>
  benchmarks.flatMap(({ name, category, subcategory }) => {
    if (category === undefined) return [`${name} names no category`]
    const found = taxonomy.categories.find((each) => each.name === category)
    const categories = taxonomy.categories.map((each) => each.name)
    if (found === undefined)
      return [
        `${name}: no category ${JSON.stringify(category)}. ${suggestion(category, categories)}`.trimEnd(),
      ]
    if (subcategory === undefined) return [`${name} names no subcategory of ${category}`]
    const names = found.subcategories.map((each) => each.name)
    return names.includes(subcategory)
      ? []
      : [
          `${name}: no subcategory ${JSON.stringify(subcategory)} in ${category}. ${suggestion(subcategory, names)}`.trimEnd(),
        ]
  })
