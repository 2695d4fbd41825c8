import { groupBy } from '../../../cache/group-by.ts'
import type { RandomStream } from './random-stream.ts'

/** The places of each source's items, in the order in which the sources first come; each item by itself without sources. */
export const itemsBySource = (
  items: number,
  sources: readonly string[] | undefined,
): readonly (readonly number[])[] =>
  sources === undefined
    ? Array.from({ length: items }, (_, at) => [at])
    : [...groupBy(Array(items).keys(), (at) => sources[at] ?? '').values()]

/** How often each item comes up when as many sources are drawn as there are, with replacement, each with all its items. */
export const drawSources = (
  sources: readonly (readonly number[])[],
  items: number,
  stream: RandomStream,
): readonly number[] => {
  const times = Array.from({ length: items }, () => 0)
  for (let drawn = 0; drawn < sources.length; drawn += 1)
    for (const at of sources[stream.below(sources.length)] ?? []) times[at] = (times[at] ?? 0) + 1
  return times
}
