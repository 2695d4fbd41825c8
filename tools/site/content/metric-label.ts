import { measureNamed } from '../../../targets/metrics/catalog.ts'
import type { ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'

/** What a reader calls a stat: its declared name, else its own in words. `name@5` is the best of five answers. */
export const metricLabel = (name: string, specs: readonly ObjectSpec[]): string => {
  const known = measureNamed(name, specs)?.displayName
  const [, best] = /@(\d+)$/.exec(name) ?? []
  return known === undefined ? inWords(name) : `${known}${best === undefined ? '' : `, best of ${best}`}`
}

/** `quasi_exact_match` → `Quasi exact match` */
export const inWords = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
