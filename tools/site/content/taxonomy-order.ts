import type { Taxonomy } from '../../../benchmarks/taxonomy.ts'
import type { BoardBenchmark } from '../../../targets/runs/board-run.ts'

interface Placed {
  readonly run: { readonly benchmark: Pick<BoardBenchmark, 'category' | 'subcategory'> }
}

/**
 * Runs by their benchmarks' places in the taxonomy, so that a board's columns stand in its order; those without a place
 * come last, and equals stay as they are.
 */
export const inTaxonomyOrder = <Item extends Placed>(
  runs: readonly Item[],
  { categories }: Taxonomy,
): readonly Item[] => {
  const places = new Map<string, number>()
  for (const { name, subcategories } of categories)
    for (const place of [...subcategories.map((each) => each.name), ''])
      places.set(placeKey(name, place), places.size)
  const placeOf = ({ run: { benchmark } }: Item): number =>
    places.get(placeKey(benchmark.category ?? '', benchmark.subcategory ?? '')) ?? places.size
  return runs.toSorted((a, b) => placeOf(a) - placeOf(b))
}

const placeKey = (category: string, subcategory: string): string => JSON.stringify([category, subcategory])
