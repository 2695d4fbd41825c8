import type { PyValue } from '../../benchmarks/python/value.ts'
import type { RequestState } from '../record/request-state.ts'
import { kendallTau } from '../statistics/kendall-tau.ts'
import { judgementsOf, scoreBy, type JuryScoring } from './jury-scoring.ts'
import { bestFirstRanks, isSwap } from './standings.ts'

/** A run's mean jury score, and the one by judges that are not of the model's own family. */
export interface FamilyRun {
  readonly benchmark: string
  readonly model: string
  readonly family: string
  /** Judges of the model's family. */
  readonly own: readonly string[]
  /** Evaluated requests with an annotation. */
  readonly requests: number
  readonly all: number
  /** Undefined where every judge is of the model's family. */
  readonly others?: number
  /** Answers that only judges of the family could score; in `others` they have the default score. */
  readonly ownOnly: number
}

export interface Standing {
  readonly score: number
  /** From 1, the best first; equal scores share the mean rank. */
  readonly rank: number
}

export interface FamilyRow extends Pick<FamilyRun, 'model' | 'family' | 'own' | 'requests' | 'ownOnly'> {
  /** Among all models. */
  readonly all: Standing
  /** Among the models that have such a score. */
  readonly others?: Standing
  /** What the own family adds: `all` − `others`. */
  readonly gain?: number
}

export interface FamilyComparison {
  readonly benchmark: string
  /** Best model with the full jury first. */
  readonly rows: readonly FamilyRow[]
  /** Pairs that stand the other way round without own families: who was ahead with the full jury, then who is. */
  readonly swaps: readonly (readonly [before: string, after: string])[]
  /** Kendall's τ-b of the two orders; undefined for one model, or where all are level. */
  readonly tau?: number
}

export interface FamilyOptions {
  readonly benchmark: string
  readonly model: string
  /** The model's. */
  readonly family: string
  readonly jury: JuryScoring
  readonly familyOf: (judge: string) => string
  /** Whether a judgement holds a score that counts. */
  readonly isScored: (judgement: PyValue) => boolean
}

/** Scores a run anew from its stored judgements, by the very metric of the run, with and without judges of its family. */
export const scoreByOthers = (
  states: Iterable<RequestState>,
  { benchmark, model, family, jury, familyOf, isScored }: FamilyOptions,
): FamilyRun => {
  const own = jury.judges.filter((judge) => familyOf(judge) === family)
  const isForeign = (judge: string): boolean => !own.includes(judge)
  let [requests, all, others, ownOnly] = [0, 0, 0, 0]
  for (const state of states) {
    const judgements = judgementsOf(state, jury)
    if (judgements === undefined) continue
    const scoring = jury.judges.filter((judge) => isScored(judgements.get(judge) ?? null))
    requests += 1
    all += scoreBy(state, jury, () => true)
    others += scoreBy(state, jury, isForeign)
    if (scoring.length > 0 && !scoring.some(isForeign)) ownOnly += 1
  }
  return {
    benchmark,
    model,
    family,
    own,
    requests,
    all: all / requests,
    ownOnly,
    ...(own.length < jury.judges.length ? { others: others / requests } : {}),
  }
}

/** Scores, ranks and swaps per benchmark, in the order of the runs. */
export const compareFamilies = (runs: readonly FamilyRun[]): readonly FamilyComparison[] =>
  [...new Set(runs.map(({ benchmark }) => benchmark))].map((benchmark) =>
    comparisonOf(
      benchmark,
      runs.filter((run) => run.benchmark === benchmark),
    ),
  )

const comparisonOf = (benchmark: string, runs: readonly FamilyRun[]): FamilyComparison => {
  const ranks = bestFirstRanks(runs.map(({ all }) => all))
  const scored = runs.filter(({ others }) => others !== undefined)
  const ranksOfOthers = bestFirstRanks(scored.map(({ others = NaN }) => others))
  const rows = runs.map((run, index): FamilyRow => {
    const { model, family, own, requests, ownOnly, all, others } = run
    const place = scored.indexOf(run)
    return {
      model,
      family,
      own,
      requests,
      ownOnly,
      all: { score: all, rank: ranks[index] ?? NaN },
      ...(others === undefined
        ? {}
        : { others: { score: others, rank: ranksOfOthers[place] ?? NaN }, gain: all - others }),
    }
  })
  const tau = kendallTau(
    scored.map(({ all }) => all),
    scored.map(({ others = NaN }) => others),
  )
  return {
    benchmark,
    rows: rows.toSorted((a, b) => a.all.rank - b.all.rank),
    swaps: swapsOf(scored),
    ...(Number.isNaN(tau) ? {} : { tau }),
  }
}

const swapsOf = (runs: readonly FamilyRun[]): FamilyComparison['swaps'] => {
  const before = runs.map(({ all }) => all)
  const after = runs.map(({ others = NaN }) => others)
  return runs.flatMap(({ model }, i) =>
    runs.slice(0, i).flatMap((other, j): (readonly [string, string])[] => {
      if (!isSwap(before, after, i, j)) return []
      return (before[i] ?? 0) > (before[j] ?? 0) ? [[model, other.model]] : [[other.model, model]]
    }),
  )
}
