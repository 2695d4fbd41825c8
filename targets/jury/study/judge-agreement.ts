import { groupBy } from '../../../cache/lists.ts'
import type { Interval } from '../../statistics/intervals/wilson.ts'
import { pairIcc, raterPairs } from '../../statistics/agreement/rater-pairs.ts'
import { gStudy, type GStudy } from '../../statistics/judges/g-study.ts'
import type { FamilyScores } from './family.ts'
import { alphaOfJudges, judgedAnswers, judgesOf } from './judged-answers.ts'

/** How a benchmark's judges agree with each other. */
export interface JudgeAgreement {
  readonly benchmark: string
  readonly answers: number
  /** Krippendorff's α for interval data; null where no answer has two judgements, or none differs. */
  readonly alpha: number | null
  /** 95 %, over what the answers come from; null where too few sources, or too alike, tell none. These judges are taken as they are. */
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

export const judgeAgreements = (runs: readonly FamilyScores[]): readonly JudgeAgreement[] =>
  [...groupBy(runs, ({ benchmark }) => benchmark)].map(([benchmark, own]) => agreementOf(benchmark, own))

const agreementOf = (benchmark: string, runs: readonly FamilyScores[]): JudgeAgreement => {
  const answers = judgedAnswers(runs)
  const judges = judgesOf(answers)
  const byAnswer = answers.map((answer) => judges.map((judge) => answer.scores.get(judge) ?? null))
  const whole = byAnswer.filter((row): row is number[] => row.every((score) => score !== null))
  const scores = judges.map((_, judge) => byAnswer.map((row) => row[judge] ?? null))
  const alpha = alphaOfJudges(answers, judges)
  return {
    benchmark,
    answers: answers.length,
    alpha: alpha?.value ?? null,
    alphaInterval: alpha?.interval ?? null,
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
