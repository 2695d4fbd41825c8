import { chatText } from '../../benchmarks/scenario/instance.ts'
import type { RubricItem } from '../../benchmarks/scenario/rubric.ts'
import { instanceRubric } from '../../targets/jury/grading/grade-answer.ts'
import { itemRubric } from '../../targets/ratings/rubric/item-rubric.ts'
import { ratingRubric, rubricDigest, type RatingRubric } from '../../targets/ratings/rubric/rating-rubric.ts'
import { unitKey, type RatingUnit } from '../../targets/ratings/unit.ts'
import type { RequestState } from '../../targets/record/request-state.ts'
import { answerText } from '../ratings/kept-answers.ts'
import type { RatableAnswers } from '../ratings/rated-runs.ts'
import { shownRubric, type DeskItem } from './desk.ts'

/** A unit as it is shown, and as what is said of it is read. */
export interface UnitText {
  readonly item: DeskItem
  readonly rubric: RatingRubric
  /** Of an instance's own rubric. */
  readonly graded?: readonly RubricItem[]
}

/** Texts of a study's units. None is read before it is asked for. */
export interface DeskTexts {
  /** Those that hold for a whole benchmark. */
  readonly rubrics: readonly RatingRubric[]
  /** False for a unit that no run holds any more. */
  has(unit: RatingUnit): boolean
  /** @throws LostValueError where the store lost a text of it, RangeError for a unit that no run holds */
  read(unit: RatingUnit): UnitText
}

/** @param reference whether the reference is shown at all */
export const deskTexts = (
  units: readonly RatingUnit[],
  runs: readonly RatableAnswers[],
  { reference }: { readonly reference: boolean },
): DeskTexts => {
  const wanted = new Set(units.map(unitKey))
  const places = new Map<string, { readonly run: RatableAnswers; readonly row: number }>()
  const rubrics = new Map<string, RatingRubric>()
  for (const run of runs)
    for (const [row, answer] of run.answers.entries()) {
      const key = unitKey(answer)
      if (!wanted.has(key) || places.has(key) || answer.unrated === 'failed') continue
      places.set(key, { run, row })
      if (run.run.jury.grading === undefined && !rubrics.has(run.rubric))
        rubrics.set(run.rubric, ratingRubric(run.run.jury))
    }
  const shown = [...rubrics.keys()]
  return {
    rubrics: [...rubrics.values()],
    has: (unit) => places.has(unitKey(unit)),
    read: (unit) => {
      const place = places.get(unitKey(unit))
      if (place === undefined) throw new RangeError('no run holds this unit')
      const { run, row } = place
      const state = run.run.view.state(row)
      const text = textOf(state, reference)
      const common = rubrics.get(run.rubric)
      if (common !== undefined)
        return { item: { ...text, rubric: shown.indexOf(run.rubric) }, rubric: common }
      const graded = instanceRubric(state.instance)
      const rubric = itemRubric(graded, rubricDigest(run.run.jury))
      return { item: { ...text, rubric: shownRubric(rubric) }, rubric, graded }
    },
  }
}

const textOf = (state: RequestState, reference: boolean): Omit<DeskItem, 'rubric'> => {
  const { instance, request } = state
  const { messages, text } = instance.input
  const question = messages === undefined ? text : chatText(messages)
  return {
    question,
    context: messages !== undefined || request.prompt.trim() === question.trim() ? null : request.prompt,
    answer: answerText(state) ?? '',
    reference: reference ? (instance.references[0]?.text ?? null) : null,
  }
}
