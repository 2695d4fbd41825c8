import { groupBy } from '../../../cache/lists.ts'
import type { JudgedAnswer } from './calibrated-score.ts'

/** Fewer labels tell no spread. */
export const FEWEST = 2

/**
 * The answers of a planned sample that its labels speak for: those of each wave of the draw with two labels, or with all. What
 * came later is like what was there before for nobody knows; where no wave has as many, those of waves with a label.
 */
export const coveredAnswers = (answers: readonly JudgedAnswer[]): readonly JudgedAnswer[] => {
  const waves = [...groupBy(answers, ({ planned }) => String(planned?.wave ?? 0)).values()].map((own) => ({
    own,
    labels: own.filter(isLabelled).length,
  }))
  const known = waves.filter(({ own, labels }) => labels >= Math.min(FEWEST, own.length))
  const begun = waves.filter(({ labels }) => labels > 0)
  const chosen = [known, begun, waves].find(({ length }) => length > 0)
  const all = new Set(chosen?.flatMap(({ own }) => own))
  return answers.filter((answer) => all.has(answer))
}

/** Whether the plan drew it and it was rated. */
export const isLabelled = ({ planned, label }: JudgedAnswer): boolean =>
  planned?.isDrawn === true && label !== null
