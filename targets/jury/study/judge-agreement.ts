import { groupBy } from '../../../cache/group-by.ts'
import { bootstrapInterval } from '../../statistics/resampling/bootstrap.ts'
import type { Interval } from '../../statistics/intervals/interval.ts'
import { pairIcc, raterPairs } from '../../statistics/agreement/rater-pairs.ts'
import { ratingsByAnswer } from '../../statistics/agreement/ratings-by-answer.ts'
import { weightedAlpha } from '../../statistics/agreement/weighted-alpha.ts'
import { gStudy, type GStudy } from '../../statistics/judges/g-study.ts'
import type { JudgeScore } from '../judge-table.ts'

/** The judgements of all models' answers to a benchmark. */
export interface JudgedAnswers {
  readonly benchmark: string
  readonly model: string
  readonly scores: readonly JudgeScore[]
}

/** How a benchmark's judges agree with each other. */
export interface JudgeAgreement {
  readonly benchmark: string
  readonly answers: number
  /** Krippendorff's α for interval data; null where no answer has two judgements, or none differs. */
  readonly alpha: number | null
  /** 95 %, over draws of answers: these judges are taken as they are. */
  readonly alphaInterval: Interval | null
  readonly pairs: readonly {
    readonly judges: readonly [string, string]
    readonly common: number
    /** ICC(3,k), k = 2, each standardized; null where one gives all answers one score. */
    readonly icc: number | null
  }[]
  /** Answers that all judges scored. */
  readonly complete: number
  /** Variance components over these, one asking each; null with fewer than two answers or judges. */
  readonly study: GStudy | null
}

/** Reliability that is called good. */
export const TARGET_RELIABILITY = 0.8

export const judgeAgreements = (runs: readonly JudgedAnswers[]): readonly JudgeAgreement[] =>
  [...groupBy(runs, ({ benchmark }) => benchmark)].map(([benchmark, own]) => agreementOf(benchmark, own))

const agreementOf = (benchmark: string, runs: readonly JudgedAnswers[]): JudgeAgreement => {
  const rows = runs.flatMap(({ model, scores }) =>
    scores.map(({ instance, judge, score }) => ({ answer: JSON.stringify([instance, model]), judge, score })),
  )
  const judges = [...new Set(rows.map(({ judge }) => judge))].toSorted()
  const answers = [...groupBy(rows, ({ answer }) => answer)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => judges.map((judge) => own.find((row) => row.judge === judge)?.score ?? null))
  const whole = answers.filter((row): row is number[] => row.every((score) => score !== null))
  const scores = judges.map((_, judge) => answers.map((row) => row[judge] ?? null))
  const ratings = ratingsByAnswer({ scores, jury: answers.map(() => null) })
  const raters = judges.map(() => 1)
  return {
    benchmark,
    answers: answers.length,
    alpha: weightedAlpha(ratings, { answers: answers.map(() => 1), raters }),
    alphaInterval:
      bootstrapInterval(
        answers.length,
        (indexes) => weightedAlpha(ratings, { answers: timesOf(indexes), raters }) ?? NaN,
        { name: 'alpha of judges', draws: DRAWS, confidence: 0.95 },
      ) ?? null,
    pairs: raterPairs({ scores }).map((pair) => ({
      judges: [judges[pair.raters[0]] ?? '', judges[pair.raters[1]] ?? ''],
      common: pair.common.length,
      icc: pairIcc(pair),
    })),
    complete: whole.length,
    study:
      whole.length < 2 || judges.length < 2
        ? null
        : gStudy(
            whole.map((row) => row.map((score) => [score])),
            TARGET_RELIABILITY,
          ),
  }
}

const DRAWS = 1000

/** How often each index comes up. */
const timesOf = (indexes: readonly number[]): readonly number[] => {
  const times = indexes.map(() => 0)
  for (const index of indexes) times[index] = (times[index] ?? 0) + 1
  return times
}
