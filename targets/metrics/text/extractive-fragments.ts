import { lower } from '../../../benchmarks/python/text.ts'

/** How much of a summary is copied, and how much shorter than its source it is. All counts are tokens. */
interface DataStats {
  /** Share of the summary's tokens that lie in fragments copied from the source, 0–1. */
  readonly coverage: number
  /** Mean length of the fragment that a token of the summary lies in, from 0. */
  readonly density: number
  /** Length of the source over that of the summary, from 0. */
  readonly compression: number
}

type Positions = ReadonlyMap<string, readonly number[]>

const positionsOf = (tokens: readonly string[]): Positions => {
  const positions = new Map<string, number[]>()
  tokens.forEach((token, index) => {
    const found = positions.get(token)
    if (found === undefined) positions.set(token, [index])
    else found.push(index)
  })
  return positions
}

const commonLength = (left: readonly string[], i: number, right: readonly string[], j: number): number => {
  let length = 0
  while (i + length < left.length && j + length < right.length && left[i + length] === right[j + length])
    length++
  return length
}

/**
 * Longest stretch of the source that starts as the summary does at `start`. After a stretch the search goes on behind
 * it, not at its second token, so a longer one that begins inside it is missed: the reference does the same.
 */
const longestFragment = (
  summary: readonly string[],
  start: number,
  source: readonly string[],
  positions: Positions,
): number => {
  let longest = 0
  let next = 0
  for (const position of positions.get(summary[start] ?? '') ?? []) {
    if (position < next) continue
    const length = commonLength(summary, start, source, position)
    if (length > longest) longest = length
    next = position + length
  }
  return longest
}

/**
 * Coverage, density and compression of a summary (Grusky et al. 2018), equal to summ_eval 0.892's for the same tokens
 * (HELM.md T18). All 0 for an empty summary.
 */
export const dataStats = (summaryTokens: readonly string[], sourceTokens: readonly string[]): DataStats => {
  const summary = summaryTokens.map(lower)
  const source = sourceTokens.map(lower)
  if (summary.length === 0) return { coverage: 0, density: 0, compression: 0 }
  const positions = positionsOf(source)
  let covered = 0
  let squares = 0
  for (let start = 0; start < summary.length;) {
    const length = longestFragment(summary, start, source, positions)
    covered += length
    squares += length ** 2
    start += Math.max(length, 1)
  }
  return {
    coverage: covered / summary.length,
    density: squares / summary.length,
    compression: source.length / summary.length,
  }
}
