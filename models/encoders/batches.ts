/** Tokens of one batch: its activations stay within some hundred megabytes. */
const TOKENS = 4096

/** What an encoder can take of a text: its first tokens, and the mark at its end. */
export const cutTo = (longest: number, ids: readonly number[]): readonly number[] =>
  ids.length <= longest ? ids : [...ids.slice(0, longest - 1), ...ids.slice(-1)]

/**
 * Indexes of sequences in batches of equal length, the shortest first. Unequal ones are never batched: what padding
 * there is would show in the last bits of the vectors, and so would the company that a text happens to be in.
 */
export const sameLength = (sequences: readonly (readonly number[])[]): readonly (readonly number[])[] => {
  const byLength = new Map<number, number[]>()
  for (const [index, { length }] of sequences.entries()) {
    const batch = byLength.get(length)
    if (batch === undefined) byLength.set(length, [index])
    else batch.push(index)
  }
  return [...byLength]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([length, indexes]) => {
      const most = Math.max(1, Math.floor(TOKENS / Math.max(1, length)))
      return Array.from({ length: Math.ceil(indexes.length / most) }, (_, batch) =>
        indexes.slice(batch * most, (batch + 1) * most),
      )
    })
}
