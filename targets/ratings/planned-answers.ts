import type { JudgedAnswer, PlannedPlace } from '../jury/study/calibrated-score.ts'
import type { CurrentRating } from './current-ratings.ts'
import { labelOf, scoresOf, type RatedUnits } from './rated-units.ts'
import { frameDraw } from './draw/frame-draw.ts'
import type { Study } from './study.ts'
import { unitKey, type FrameAnswer } from './unit.ts'

interface PlannedRun {
  readonly benchmark: string
  readonly model: string
  readonly rubric: string
  readonly answers: readonly FrameAnswer[]
}

/** Where a run's judged answers lie in a study's draw. */
interface PlannedRunOf {
  readonly study: Study
  /** By unit's key. */
  readonly placed: ReadonlyMap<string, PlannedPlace>
  /** Answers that came since: in no stratum of it. */
  readonly since: number
}

/**
 * Where each judged answer of a run lies in the draw of the study that has most labels of it. Answers that went since leave
 * those that are left a random sample of their stratum; what came since is a wave that nobody drew among yet. Undefined
 * where no study's draw has labels here.
 */
export const plannedAnswers = (
  run: PlannedRun,
  studies: readonly Study[],
  rated: RatedUnits,
): PlannedRunOf | undefined => {
  const found = studies.flatMap((study) => {
    const planned = placesIn(study, run)
    if (planned === undefined) return []
    const labels = run.answers.filter(
      (answer) => planned.placed.get(unitKey(answer))?.isDrawn === true && labelOf(answer, rated) !== null,
    )
    return labels.length === 0 ? [] : [{ planned, labels: labels.length }]
  })
  const [best] = found.toSorted((a, b) => b.labels - a.labels)
  return best?.planned
}

/** A run's judged answers with what clinicians said of each, and what a plan's draw has to do with them. */
interface LabelledRun {
  /** Where a plan drew among them, with their places in it. */
  readonly answers: readonly Omit<JudgedAnswer, 'source'>[]
  /** The study that drew, and how many answers came since. */
  readonly plan?: Pick<PlannedRunOf, 'study' | 'since'>
  /** Labels that are left out: a plan drew these answers of other models, which gave the same texts. */
  readonly ofOthers: number
}

export const labelledAnswers = (
  run: Omit<PlannedRun, 'answers'> & {
    readonly answers: readonly (FrameAnswer & { readonly instanceId: string })[]
  },
  studies: readonly Study[],
  rated: RatedUnits,
): LabelledRun => {
  const plan = plannedAnswers(run, studies, rated)
  const units = new Map(run.answers.map((answer) => [unitKey(answer), answer]))
  // An answer that stands twice in a run is one answer of the plan.
  const answers = plan === undefined ? run.answers : [...units.values()]
  const isAsked = askedBy(studies)
  let ofOthers = 0
  const labelled = answers.flatMap((answer) => {
    const { instanceId: instance, jury, unrated } = answer
    const place = plan?.placed.get(unitKey(answer))
    if (jury === null || unrated !== undefined) return []
    const label = labelOf(answer, rated)
    const given = rated.get(unitKey(answer)) ?? []
    const isOfOthers = plan === undefined && label !== null && given.every(isAsked)
    if (isOfOthers) ofOthers += 1
    return [
      {
        instance,
        jury,
        label: isOfOthers ? null : label,
        ...(label === null || isOfOthers ? {} : { given: scoresOf(answer, rated) }),
        ...(place === undefined ? {} : { planned: place }),
      },
    ]
  })
  return { answers: labelled, ...(plan && { plan }), ofOthers }
}

/** Whether a plan asked for a rating. */
const askedBy = (studies: readonly Study[]): ((rating: CurrentRating) => boolean) => {
  const drawn = new Map(studies.map(({ id, units }) => [id, new Set(units.map(unitKey))]))
  return ({ study, subject }) => drawn.get(study)?.has(unitKey(subject)) === true
}

const placesIn = (study: Study, run: PlannedRun): PlannedRunOf | undefined => {
  const draw = frameDraw(study, run)
  if (draw === undefined) return undefined
  const { strata, drawn, lastWave } = draw
  const placed = new Map<string, PlannedPlace>()
  let since = 0
  for (const answer of run.answers) {
    const key = unitKey(answer)
    if (answer.jury === null || answer.unrated !== undefined || placed.has(key)) continue
    const stratum = draw.stratumOf(answer)
    if (stratum === undefined) {
      placed.set(key, { stratum: strata.length, wave: lastWave + 1, isDrawn: false })
      since += 1
    } else placed.set(key, { stratum, wave: strata[stratum]?.wave ?? 0, isDrawn: drawn.has(key) })
  }
  return { study, placed, since }
}
