import type { RequestState } from '../../record/request-state.ts'
import { judgementsOf, scoreBy, type JuryScoring } from '../jury-scoring.ts'
import { bestFirstRanks, isSwap } from './standings.ts'

/** A run's mean jury score with all judges, and without each. */
export interface JudgedScores {
  readonly benchmark: string
  readonly model: string
  /** Evaluated requests with an annotation. */
  readonly requests: number
  readonly all: number
  /** Judge → the mean of what the others gave. */
  readonly without: ReadonlyMap<string, number>
}

/** One model's standing in a benchmark. Ranks count from 1, the best first; equal scores share the mean rank. */
export interface DropoutRow {
  readonly model: string
  readonly all: { readonly score: number; readonly rank: number }
  readonly without: ReadonlyMap<string, { readonly score: number; readonly rank: number }>
}

export interface Dropout {
  readonly benchmark: string
  /** Best model with all judges first. */
  readonly rows: readonly DropoutRow[]
  /** Judge → pairs of models that stand the other way round without it. */
  readonly swaps: ReadonlyMap<string, number>
}

/**
 * Scores a run anew from its stored judgements, with all judges and without each, by the very metric of the run: an
 * answer that only the judge left out could score gets the default score, as in the run itself.
 */
export const judgeRun = (
  states: Iterable<RequestState>,
  {
    benchmark,
    model,
    jury,
  }: { readonly benchmark: string; readonly model: string; readonly jury: JuryScoring },
): JudgedScores => {
  const sums = new Map<string | undefined, number>([undefined, ...jury.judges].map((judge) => [judge, 0]))
  let requests = 0
  for (const state of states) {
    if (judgementsOf(state, jury) === undefined) continue
    requests += 1
    for (const [dropped, sum] of sums)
      sums.set(dropped, sum + scoreBy(state, jury, (judge) => judge !== dropped))
  }
  return {
    benchmark,
    model,
    requests,
    all: (sums.get(undefined) ?? 0) / requests,
    without: new Map(jury.judges.map((judge) => [judge, (sums.get(judge) ?? 0) / requests])),
  }
}

/** Ranks and swaps per benchmark, in the order of the runs. Benchmarks with one model have no swaps. */
export const compareDropout = (runs: readonly JudgedScores[]): readonly Dropout[] =>
  [...new Set(runs.map(({ benchmark }) => benchmark))].map((benchmark) =>
    dropoutOf(
      benchmark,
      runs.filter((run) => run.benchmark === benchmark),
    ),
  )

const dropoutOf = (benchmark: string, runs: readonly JudgedScores[]): Dropout => {
  const judges = [...new Set(runs.flatMap(({ without }) => [...without.keys()]))]
  const all = runs.map((run) => run.all)
  const ranks = bestFirstRanks(all)
  const columns = judges.map((judge) => {
    const scores = runs.map(({ without }) => without.get(judge) ?? NaN)
    return { judge, scores, ranks: bestFirstRanks(scores) }
  })
  const rows = runs.map(({ model }, index): DropoutRow => ({
    model,
    all: standing(all, ranks, index),
    without: new Map(columns.map(({ judge, scores, ranks: own }) => [judge, standing(scores, own, index)])),
  }))
  return {
    benchmark,
    rows: rows.toSorted((a, b) => a.all.rank - b.all.rank),
    swaps: new Map(columns.map(({ judge, scores }) => [judge, countSwaps(all, scores)])),
  }
}

const standing = (
  scores: readonly number[],
  ranks: readonly number[],
  index: number,
): { readonly score: number; readonly rank: number } => ({
  score: scores[index] ?? NaN,
  rank: ranks[index] ?? NaN,
})

const countSwaps = (before: readonly number[], after: readonly number[]): number => {
  let swaps = 0
  for (let i = 0; i < before.length; i += 1)
    for (let j = 0; j < i; j += 1) if (isSwap(before, after, i, j)) swaps += 1
  return swaps
}
