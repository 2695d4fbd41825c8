import { remembered } from '../../../cache/once.ts'
import type { RequestState } from '../../record/request-state.ts'
import type { InstanceRef } from '../../record/instance-ref.ts'
import { exactMean } from '../../statistics/exact-sum.ts'
import { judgementsOf, scoreBy, type JuryScoring } from '../jury-scoring.ts'
import { storedJudgements, type JuryReading } from '../stored-judgements.ts'
import { standingsOf, swapsOf, type ReadMean, type Standing } from './standings.ts'

/** A run's mean jury score with all judges, and without each. */
export interface JudgedScores {
  readonly benchmark: string
  readonly model: string
  /** Evaluated requests with an annotation. */
  readonly requests: number
  /** Instances of the main metric's split. */
  readonly asked: number
  readonly all: ReadMean
  /** Judge → the mean of what the others gave. */
  readonly without: ReadonlyMap<string, ReadMean>
}

/** Whether the run is ranked: its coverage, judgements included, is not under its floor. */
export interface RankedScores extends JudgedScores {
  readonly isRanked: boolean
}

/** One model's standing in a benchmark. */
interface DropoutRow {
  readonly model: string
  readonly asked: number
  readonly all: Standing
  readonly without: ReadonlyMap<string, Standing>
}

export interface Dropout {
  readonly benchmark: string
  /** Best model with all judges first. */
  readonly rows: readonly DropoutRow[]
  /** Judge → pairs of ranked models that stand the other way round without it; null where there is no such pair. */
  readonly swaps: ReadonlyMap<string, number | null>
}

/** How a run's judgements are scored, and which of them count. */
export interface DropoutOf extends Pick<JudgedScores, 'benchmark' | 'model'> {
  readonly jury: JuryScoring
  readonly reading: JuryReading
  /** Of the main metric. */
  readonly split: string
}

/**
 * Scores a run anew from its stored judgements, with all judges and without each, by the very metric of the run. As on the
 * board a mean is over instances of which each judge that is kept could be read in each trial: HELM's default for what is
 * lost is no score.
 */
export const judgeRun = (
  {
    asked,
    states,
  }: { readonly asked: readonly Pick<InstanceRef, 'split'>[]; readonly states: Iterable<RequestState> },
  of: DropoutOf,
): JudgedScores => {
  const { benchmark, model, jury, split } = of
  const { requests, scores } = wholeScores(states, of, [undefined, ...jury.judges])
  const meanAt = (at: number): ReadMean => {
    const own = [...(scores[at]?.values() ?? [])]
    return { mean: own.length === 0 ? null : exactMean(own), instances: own.length }
  }
  return {
    benchmark,
    model,
    requests,
    asked: asked.filter((each) => each.split === split).length,
    all: meanAt(0),
    without: new Map(jury.judges.map((judge, at) => [judge, meanAt(at + 1)])),
  }
}

interface WholeScores {
  /** Evaluated requests with an annotation. */
  readonly requests: number
  /** By what is dropped: the scores of instances that each judge which is kept could be read on in each trial, by id. */
  readonly scores: readonly ReadonlyMap<string, number>[]
}

/** @param dropped judges to leave out, each by itself; undefined: none */
export const wholeScores = (
  states: Iterable<RequestState>,
  { jury, reading, split }: Pick<DropoutOf, 'jury' | 'reading' | 'split'>,
  dropped: readonly (string | undefined)[],
): WholeScores => {
  const values = new Map<string, number[][]>()
  let requests = 0
  let trials = 0
  for (const state of states) {
    if (state.instance.split !== split) continue
    trials = Math.max(trials, state.trainTrialIndex + 1)
    if (judgementsOf(state, jury) === undefined) continue
    requests += 1
    const id = String(state.instance.id)
    const own = remembered(values, id, () => dropped.map(() => []))
    const lost = storedJudgements(state, reading).flatMap((each) =>
      each.reading.kind === 'scores' ? [] : [each.judge],
    )
    for (const [at, left] of dropped.entries())
      // Without its only judge a jury gave nothing.
      if (lost.every((judge) => judge === left) && jury.judges.some((judge) => judge !== left))
        own[at]?.push(scoreBy(state, jury, (judge) => judge !== left))
  }
  return {
    requests,
    scores: dropped.map(
      (_, at) =>
        new Map(
          [...values].flatMap(([id, own]): readonly (readonly [string, number])[] => {
            const each = own[at] ?? []
            return each.length < trials || each.some((value) => Number.isNaN(value))
              ? []
              : [[id, exactMean(each)]]
          }),
        ),
    ),
  }
}

/** Ranks and swaps per benchmark, in the order of the runs. Benchmarks with one model have no swaps. */
export const compareDropout = (runs: readonly RankedScores[]): readonly Dropout[] =>
  [...new Set(runs.map(({ benchmark }) => benchmark))].map((benchmark) =>
    dropoutOf(
      benchmark,
      runs.filter((run) => run.benchmark === benchmark),
    ),
  )

const dropoutOf = (benchmark: string, runs: readonly RankedScores[]): Dropout => {
  const judges = [...new Set(runs.flatMap(({ without }) => [...without.keys()]))]
  const ranked = runs.map(({ isRanked }) => isRanked)
  const all = standingsOf(
    runs.map((run) => run.all),
    ranked,
  )
  const columns = judges.map((judge) => ({
    judge,
    standings: standingsOf(
      runs.map(({ without }) => without.get(judge)),
      ranked,
    ),
  }))
  const rows = runs.map(({ model, asked }, index): DropoutRow => ({
    model,
    asked,
    all: all[index] ?? NONE,
    without: new Map(columns.map(({ judge, standings }) => [judge, standings[index] ?? NONE])),
  }))
  return {
    benchmark,
    rows: rows.toSorted((a, b) => (a.all.rank ?? Infinity) - (b.all.rank ?? Infinity) || 0),
    swaps: new Map(columns.map(({ judge, standings }) => [judge, swapCount(all, standings)])),
  }
}

/** None found is a finding only where two could have swapped. */
const swapCount = (before: readonly Standing[], after: readonly Standing[]): number | null =>
  before.filter(({ rank }, at) => rank !== null && after[at]?.rank != null).length < 2
    ? null
    : swapsOf(before, after).length

const NONE: Standing = { score: null, rank: null, instances: 0 }
