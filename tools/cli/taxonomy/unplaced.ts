import type { BenchmarkSummary } from '../../../benchmarks/lookup/list.ts'
import type { Taxonomy } from '../../../benchmarks/taxonomy.ts'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'

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
