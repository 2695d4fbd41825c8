import type { JudgedAnswer } from '../jury/study/calibrated-score.ts'
import { labelOf, type RatedUnits } from './rated-units.ts'
import { shortDigest, type Study, type StudyFrame } from './study.ts'
import { unitKey, type FrameAnswer } from './unit.ts'

/** Where an answer lies in a plan's draw. */
interface PlannedAnswer {
  readonly stratum: number
  readonly isDrawn: boolean
}

interface PlannedRun {
  readonly benchmark: string
  readonly model: string
  readonly rubric: string
  readonly answers: readonly FrameAnswer[]
}

/**
 * Where each judged answer of a run lies in the draw of the study that has most labels of it, by unit's key. Undefined
 * where no study drew among just these answers: a sample of other answers is no random sample of these.
 */
export const plannedAnswers = (
  run: PlannedRun,
  studies: readonly Study[],
  rated: RatedUnits,
): ReadonlyMap<string, PlannedAnswer> | undefined => {
  const found = studies.flatMap((study) => {
    const at = frameOf(study, run)
    const frame = study.frames[at]
    const placed = frame === undefined ? undefined : placesIn(frame, at, study, run.answers)
    if (placed === undefined) return []
    const labels = run.answers.filter(
      (answer) => placed.get(unitKey(answer))?.isDrawn === true && labelOf(answer, rated) !== null,
    )
    return [{ placed, labels: labels.length }]
  })
  const [best] = found.toSorted((a, b) => b.labels - a.labels)
  return best === undefined || best.labels === 0 ? undefined : best.placed
}

/** Place of a run's frame in a study; −1 where it has none. */
const frameOf = ({ frames }: Study, run: PlannedRun): number =>
  frames.findIndex(
    ({ benchmark, model, rubric }) =>
      benchmark === run.benchmark && model === run.model && rubric === run.rubric,
  )

/**
 * The study whose draw has labels among a run's answers and can't be used, as answers came or went since: they would be
 * taken for a random draw. Undefined where none is, or where another one holds.
 */
export const outgrownStudy = (
  run: PlannedRun,
  studies: readonly Study[],
  rated: RatedUnits,
): Study | undefined => {
  if (plannedAnswers(run, studies, rated) !== undefined) return undefined
  const labelled = new Set(run.answers.filter((answer) => labelOf(answer, rated) !== null).map(unitKey))
  return studies.find((study) => {
    const at = frameOf(study, run)
    return study.units.some((unit) => labelled.has(unitKey(unit)) && unit.drawn.some(([own]) => own === at))
  })
}

/** A run's judged answers with what clinicians said of each; where a plan drew among just these, with their places in it. */
export const labelledAnswers = (
  run: Omit<PlannedRun, 'answers'> & {
    readonly answers: readonly (FrameAnswer & { readonly instanceId: string })[]
  },
  studies: readonly Study[],
  rated: RatedUnits,
): readonly Omit<JudgedAnswer, 'source'>[] => {
  const planned = plannedAnswers(run, studies, rated)
  const units = new Map(run.answers.map((answer) => [unitKey(answer), answer]))
  // An answer that stands twice in a run is one answer of the plan.
  const answers = planned === undefined ? run.answers : [...units.values()]
  return answers.flatMap((answer) => {
    const { instanceId: instance, jury, unrated } = answer
    const place = planned?.get(unitKey(answer))
    if (jury === null || unrated !== undefined) return []
    const label = labelOf(answer, rated)
    return [{ instance, jury, label, ...(place === undefined ? {} : { planned: place }) }]
  })
}

const placesIn = (
  frame: StudyFrame,
  at: number,
  study: Study,
  answers: readonly FrameAnswer[],
): ReadonlyMap<string, PlannedAnswer> | undefined => {
  const strata = new Map(
    frame.strata.flatMap(({ answers: held }, stratum) =>
      held.split(' ').map((answer) => [answer, stratum] as const),
    ),
  )
  const drawn = new Set(
    study.units.filter(({ drawn: draws }) => draws.some(([own]) => own === at)).map(unitKey),
  )
  const judged = answers.filter(({ jury, unrated }) => jury !== null && unrated === undefined)
  const placed = new Map<string, PlannedAnswer>()
  for (const answer of judged) {
    const stratum = strata.get(shortDigest(answer.answer))
    if (stratum === undefined) return undefined
    placed.set(unitKey(answer), { stratum, isDrawn: drawn.has(unitKey(answer)) })
  }
  const size = frame.strata.reduce((sum, each) => sum + each.size, 0)
  return placed.size === size ? placed : undefined
}
