import type { LoadChunk } from '../../components/text/whole-text.ts'
import { outcomeKey, type OutcomeChunk } from './outcomes.ts'

/** What every request of a run came to; a request is a row, from 0. */
export interface InstanceIndex {
  readonly ids: readonly string[]
  readonly trials: readonly number[]
  readonly scores: readonly (number | null)[]
  readonly spreads: readonly (number | null)[]
  readonly failed: ReadonlySet<number>
  /** First row of each page. */
  readonly starts: readonly number[]
  /** Blocks of searched texts. */
  readonly texts: number
}

/** Loads a run's whole index, chunk after chunk up to the last. */
export const loadRunIndex = async (load: LoadChunk): Promise<InstanceIndex> => {
  const chunks: OutcomeChunk[] = []
  do chunks.push((await load(outcomeKey(chunks.length))) as OutcomeChunk)
  while (chunks.at(-1)?.last === false)
  return joinOutcomes(chunks)
}

export const joinOutcomes = (chunks: readonly OutcomeChunk[]): InstanceIndex => {
  const failed = new Set<number>()
  const starts: number[] = []
  let first = 0
  for (const chunk of chunks) {
    for (const row of chunk.failed) failed.add(first + row)
    let start = first
    for (const size of chunk.sizes) {
      starts.push(start)
      start += size
    }
    first += chunk.ids.length
  }
  const column = <Item>(of: (chunk: OutcomeChunk) => readonly Item[] | undefined, none: Item): Item[] =>
    chunks.flatMap((chunk) => of(chunk) ?? chunk.ids.map(() => none))
  return {
    ids: chunks.flatMap(({ ids }) => ids),
    trials: column(({ trials }) => trials, 0),
    scores: chunks.flatMap(({ scores }) => scores),
    spreads: column<number | null>(({ spreads }) => spreads, null),
    failed,
    starts,
    texts: chunks.at(-1)?.texts ?? 0,
  }
}

/** The page that holds a row, and the row's place on it. */
export const pageOfRow = (
  { starts }: Pick<InstanceIndex, 'starts'>,
  row: number,
): { readonly page: number; readonly place: number } => {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? Infinity) <= row) low = middle
    else high = middle - 1
  }
  return { page: low, place: row - (starts[low] ?? 0) }
}
