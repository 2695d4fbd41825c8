import type { Json } from '../../cache/json.ts'
import type { Store } from '../../cache/store.ts'
import { sampleOf } from '../../targets/aggregate/board-sample.ts'
import type { PerInstanceStats } from '../../targets/record/stat.ts'

type Sampled = ReturnType<typeof sampleOf>

/** Raised when the same values give another summary. */
const VERSION = 1

/** A record's values of its main metric, summed up. Kept by the record's digest: a board of thousands of runs reads few. */
export const storedSample = async (
  digest: string,
  metric: { readonly name: string; readonly split: string },
  store: Store,
  values: () => Promise<Iterable<PerInstanceStats>>,
): Promise<Sampled> => {
  const id = `sample:${VERSION}:${digest}:${metric.name}:${metric.split}`
  const known = store.get('files', id) as Sampled | undefined
  if (known !== undefined) return known
  const made = sampleOf(await values(), metric)
  await store.put('files', id, made as unknown as Json)
  return made
}
