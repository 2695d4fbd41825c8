import { packed } from '../exact-sum.ts'
import type { PairedCounts } from './tango.ts'

/**
 * Counts pairs that just one side got right. Undefined where a value is neither 0 nor 1: trials were averaged.
 * @param missing what stands for a value that could not be read, NaN
 */
export const discordantOf = (
  { a, b }: { readonly a: ArrayLike<number>; readonly b: ArrayLike<number> },
  missing: { readonly a: number; readonly b: number },
): PairedCounts | undefined => {
  let [onlyA, onlyB] = [0, 0]
  const [lefts, rights] = [packed(a), packed(b)]
  for (let at = 0; at < lefts.length; at += 1) {
    const left = readOr(lefts[at] ?? NaN, missing.a)
    const right = readOr(rights[at] ?? NaN, missing.b)
    if (!isAnswer(left) || !isAnswer(right)) return undefined
    if (left > right) onlyA += 1
    else if (right > left) onlyB += 1
  }
  return { onlyA, onlyB, n: a.length }
}

const readOr = (value: number, missing: number): number => (Number.isNaN(value) ? missing : value)

const isAnswer = (value: number): boolean => value === 0 || value === 1
