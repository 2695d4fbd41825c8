import { ratingRubric, type RatingRubric } from '../../targets/ratings/rating-rubric.ts'
import type { StudyUnit } from '../../targets/ratings/study.ts'
import { unitKey } from '../../targets/ratings/unit.ts'
import { answerText, type RatableAnswers } from '../ratings/rated-runs.ts'
import type { DeskItem } from './desk.ts'

/** Texts of a study's units, as raters are shown them. */
export interface DeskTexts {
  readonly rubrics: readonly RatingRubric[]
  /** By unit's key; without those that no run holds any more. */
  readonly items: ReadonlyMap<string, DeskItem>
}

/** Reads the texts of units from the runs that hold them. @param reference whether the reference is shown at all */
export const deskTexts = (
  units: readonly StudyUnit[],
  runs: readonly RatableAnswers[],
  { reference }: { readonly reference: boolean },
): DeskTexts => {
  const wanted = new Set(units.map(unitKey))
  const rubrics = new Map<string, RatingRubric>()
  const items = new Map<string, DeskItem>()
  for (const { run, answers } of runs) {
    const byId = new Map(answers.map((answer) => [answer.instanceId, unitKey(answer)]))
    if (![...byId.values()].some((key) => wanted.has(key) && !items.has(key))) continue
    const rubric = ratingRubric(run.jury)
    if (!rubrics.has(rubric.digest)) rubrics.set(rubric.digest, rubric)
    const place = [...rubrics.keys()].indexOf(rubric.digest)
    for (const state of run.view.states()) {
      const key = byId.get(String(state.instance.id)) ?? ''
      if (state.trainTrialIndex !== 0 || !wanted.has(key) || items.has(key)) continue
      const question = state.instance.input.text
      items.set(key, {
        question,
        context: state.request.prompt === question ? null : state.request.prompt,
        answer: answerText(state) ?? '',
        reference: reference ? (state.instance.references[0]?.text ?? null) : null,
        rubric: place,
      })
    }
  }
  return { rubrics: [...rubrics.values()], items }
}
