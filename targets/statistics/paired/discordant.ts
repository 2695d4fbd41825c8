import type { PairedCounts } from './tango.ts'

/**
 * Counts pairs that just one side got right. Undefined where a value is neither 0 nor 1: trials were averaged.
 * @param missing what stands for a value that could not be read
 */
export const discordantOf = (
  { a, b }: { readonly a: readonly (number | undefined)[]; readonly b: readonly (number | undefined)[] },
  missing: { readonly a: number; readonly b: number },
): PairedCounts | undefined => {
  let [onlyA, onlyB] = [0, 0]
  for (const [at, value] of a.entries()) {
    const [left, right] = [value ?? missing.a, b[at] ?? missing.b]
    if (!isAnswer(left) || !isAnswer(right)) return undefined
    if (left > right) onlyA += 1
    else if (right > left) onlyB += 1
  }
  return { onlyA, onlyB, n: a.length }
}

const isAnswer = (value: number): boolean => value === 0 || value === 1
