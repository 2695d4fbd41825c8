import { groupBy } from '../../../cache/lists.ts'
import { meanInterval } from '../../statistics/intervals/mean-interval.ts'
import { holm } from '../../statistics/multiple/holm.ts'
import { meanOf, reaches } from '../../statistics/mean.ts'
import type { Kinship } from '../../statistics/judges/self-preference.ts'
import {
  alphaOfJudges,
  judgedAnswers,
  judgesOf,
  type ScoredAnswer,
  type JudgeFigure,
} from './judged-answers.ts'
import { familyReports, type FamilyScores } from './family.ts'
import { CONFIDENCE } from '../../statistics/scale.ts'

/** How two judges, or all, agree on the same answers. */
interface PairOfJudges {
  readonly judges: readonly [string, string]
  /** Answers that both read. */
  readonly answers: number
  /** Krippendorff's α for interval data; draws are of instances. */
  readonly alpha: JudgeFigure | null
  /** Share of the answers whose means over the criteria lie within a point; 0 of none. */
  readonly within: number
}

/** An answer on which judges differ most. */
interface SplitAnswer {
  readonly instance: string
  readonly model: string
  readonly scores: readonly { readonly judge: string; readonly score: number }[]
}

/** An instance on whose answers judges differ, over all models. */
interface DividedInstance {
  readonly instance: string
  /** A model that answered it. */
  readonly model: string
  /** Answers that two judges and more read. */
  readonly answers: number
  /** Highest less lowest of the judges' means, on average over these answers. */
  readonly spread: number
}

/** What is known of a benchmark's judges, in points of its rubric. */
export interface JudgesReport {
  readonly benchmark: string
  /** Answers that any judge read. */
  readonly answers: number
  readonly alpha: JudgeFigure | null
  readonly pairs: readonly PairOfJudges[]
  readonly judges: readonly {
    readonly judge: string
    readonly family: string
    /** Its mean less that of all judges, over the answers that all read. */
    readonly leniency: JudgeFigure | null
  }[]
  /** How much more a judge gives its own family than other judges do; one a family, p adjusted over all of the report's. */
  readonly kinship: readonly {
    readonly family: string
    readonly found: Kinship | null
    readonly holm: number | null
  }[]
  /** The most divided first; empty where instances are not public. */
  readonly split: readonly SplitAnswer[]
  /** Likewise, over all models. */
  readonly divided: readonly DividedInstance[]
}

/** A run's judgements with what the report says of them. */
export interface ReportedScores extends FamilyScores {
  /** Whether single answers may be named. */
  readonly isShown: boolean
}

const SPLIT = 8
const DIVIDED = 10

/**
 * Agreement, leniency and preference of the judges of each benchmark.
 * @param familyOf a model's or a judge's, by name
 */
export const judgesReports = (
  runs: readonly ReportedScores[],
  familyOf: (name: string) => string,
): readonly JudgesReport[] => {
  const reports = [...groupBy(runs, ({ benchmark }) => benchmark)].map(([benchmark, own]) => {
    const answers = judgedAnswers(own)
    const judges = judgesOf(answers)
    return {
      benchmark,
      answers: answers.length,
      alpha: alphaOfJudges(answers, judges),
      pairs: judges.flatMap((judge, at) =>
        judges.slice(at + 1).map((other) => pairOf(answers, [judge, other])),
      ),
      judges: judges.map((judge) => ({
        judge,
        family: familyOf(judge),
        leniency: leniencyOf(answers, judges, judge),
      })),
      kinship: familyReports(own, familyOf).flatMap(({ families }) =>
        families.map(({ family, kinship }) => ({ family, found: kinship })),
      ),
      ...(own.every(({ isShown }) => isShown)
        ? { split: mostSplit(answers), divided: mostDivided(answers) }
        : { split: [], divided: [] }),
    }
  })
  const tested = reports.flatMap(({ kinship }) => kinship.flatMap(({ found }) => found?.p ?? []))
  const adjusted = holm(tested)
  let next = 0
  return reports.map((report) => ({
    ...report,
    kinship: report.kinship.map((each) => ({
      ...each,
      holm: each.found?.p == null ? null : (adjusted[next++] ?? null),
    })),
  }))
}

const pairOf = (answers: readonly ScoredAnswer[], judges: readonly [string, string]): PairOfJudges => {
  const distances = answers.flatMap(({ scores }) => {
    const [one, other] = [scores.get(judges[0]), scores.get(judges[1])]
    return one === undefined || other === undefined ? [] : [Math.abs(one - other)]
  })
  return {
    judges,
    answers: distances.length,
    alpha: alphaOfJudges(answers, judges),
    within: distances.filter((distance) => reaches(1, distance)).length / Math.max(1, distances.length),
  }
}

/** Student's over sources (CR2), as of any difference. */
const leniencyOf = (
  answers: readonly ScoredAnswer[],
  judges: readonly string[],
  judge: string,
): JudgeFigure | null => {
  const whole = answers.filter(({ scores }) => judges.every((each) => scores.has(each)))
  if (whole.length === 0 || judges.length < 2) return null
  const values = whole.map(({ scores }) => (scores.get(judge) ?? NaN) - meanOf([...scores.values()]))
  // A mean over judges is among those that it is taken from, so the ends of the scale bind it otherwise.
  const { mean, interval } = meanInterval(
    [{ values, sources: whole.map(({ source }) => source) }],
    { isBinary: false },
    CONFIDENCE,
  )
  return mean === null ? null : { value: mean, interval }
}

const mostSplit = (answers: readonly ScoredAnswer[]): readonly SplitAnswer[] =>
  answers
    .map(({ instance, model, scores }) => ({
      instance,
      model,
      spread: spreadOf(scores),
      scores: [...scores].map(([judge, score]) => ({ judge, score })),
    }))
    .filter(({ spread }) => spread > 0)
    .toSorted((a, b) => b.spread - a.spread)
    .slice(0, SPLIT)
    .map(({ instance, model, scores }) => ({ instance, model, scores }))

const spreadOf = (scores: ScoredAnswer['scores']): number =>
  Math.max(...scores.values()) - Math.min(...scores.values())

const mostDivided = (answers: readonly ScoredAnswer[]): readonly DividedInstance[] => {
  const several = answers.filter(({ scores }) => scores.size > 1)
  return [...groupBy(several, ({ instance }) => instance)]
    .map(([instance, own]) => ({
      instance,
      model: own[0]?.model ?? '',
      answers: own.length,
      spread: meanOf(own.map(({ scores }) => spreadOf(scores))),
    }))
    .filter(({ spread }) => spread > 0)
    .toSorted((a, b) => b.spread - a.spread)
    .slice(0, DIVIDED)
}
