import { byText, groupBy } from '../../../cache/lists.ts'
import { alphaOfRaters } from '../../statistics/agreement/alpha-of-raters.ts'
import type { Interval } from '../../statistics/intervals/wilson.ts'
import { CONFIDENCE, sourceOf } from '../../statistics/scale.ts'
import type { FamilyScores } from './family.ts'

/** A number with its 95 % interval; null where the data do not determine it. */
export interface JudgeFigure {
  readonly value: number
  readonly interval: Interval | null
}

/** An answer with what judges gave it. */
export interface ScoredAnswer {
  readonly instance: string
  readonly model: string
  readonly trial: number
  /** What varies together: a patient's instances, and all answers to one of them. */
  readonly source: string
  readonly scores: ReadonlyMap<string, number>
}

/** In an order of their own: that of the runs decides no digit. */
export const judgedAnswers = (runs: readonly FamilyScores[]): readonly ScoredAnswer[] =>
  runs
    .flatMap(({ model, scores, sources }) =>
      [...groupBy(scores, ({ instance, trial = 0 }) => JSON.stringify([instance, trial])).values()].flatMap(
        (own) =>
          own.slice(0, 1).map(({ instance, trial = 0 }) => ({
            instance,
            model,
            trial,
            source: sourceOf(instance, sources.get(instance)),
            scores: new Map(own.map(({ judge, score }) => [judge, score])),
          })),
      ),
    )
    .toSorted((a, b) => byText(a.instance, b.instance) || byText(a.model, b.model) || a.trial - b.trial)

export const judgesOf = (answers: readonly ScoredAnswer[]): readonly string[] =>
  [...new Set(answers.flatMap(({ scores }) => [...scores.keys()]))].toSorted()

/** Krippendorff's α of these judges; answers to one instance are no independent evidence. */
export const alphaOfJudges = (
  answers: readonly ScoredAnswer[],
  judges: readonly string[],
): JudgeFigure | null =>
  alphaOfRaters(
    judges.map((judge) => answers.map(({ scores }) => scores.get(judge) ?? null)),
    answers.map(({ source }) => source),
    CONFIDENCE,
  )
