import { halfWidthOf, iccWidth } from '../../targets/statistics/calibration/labels-needed.ts'
import { activeSeconds } from '../../targets/ratings/progress.ts'
import { USUAL_RESIDUAL_VARIANCE } from '../../targets/ratings/residuals.ts'
import type { RatingRubric } from '../../targets/ratings/rating-rubric.ts'
import type { Study, StudyFrame } from '../../targets/ratings/study.ts'
import { alignedTable } from '../compare/tables.ts'
import type { RaterEvents } from './study-folder.ts'

export interface ShownPlan {
  readonly study: Study
  /** By benchmark. */
  readonly rubrics: ReadonlyMap<string, RatingRubric>
  readonly events: readonly RaterEvents[]
  /** What it extends. */
  readonly before?: Study
  readonly file?: string
}

const CONFIDENCE = 0.95
/** Seconds an answer takes where nobody rated one yet. */
const USUAL_SECONDS = 180
/** Agreement between clinicians that widths are told for: that of the paper. */
const USUAL_ICC = 0.45
const FEWEST_SHARED = 30

export const planText = (shown: ShownPlan): string => {
  const { study, rubrics, before, file } = shown
  const { seconds, shared, raters } = planJson(shown)
  const more = before === undefined ? '' : `, ${study.units.length - before.units.length} of them new`
  return [
    `study ${study.id}: ${study.units.length} answers to rate${more}, written to ${file ?? 'study.json'}`,
    ...[...rubrics].map(([benchmark, rubric]) => rubricText(benchmark, rubric)),
    indented(
      alignedTable(
        ['benchmark', 'model', 'answers', 'to rate', 'by jury’s thirds', 'expected ±', 'left out'],
        study.frames.map(frameRow),
      ),
    ),
    indented(
      alignedTable(
        ['rater', 'answers', 'minutes'],
        raters.map(({ rater, answers, minutes }) => [rater, String(answers), String(minutes)]),
      ),
    ),
    `${shared.answers} answers are rated by two: at an agreement of ${USUAL_ICC} its interval is ${shared.width === null ? 'unknown' : `about ${shared.width.toFixed(2)} wide`}.` +
      (shared.answers < FEWEST_SHARED
        ? ` Fewer than ${FEWEST_SHARED} can't tell jury and clinicians apart; raise --overlap or --labels.`
        : ''),
    `Minutes are at ${Math.round(seconds)} s an answer. The plan names models: it is for you, not for raters. Next: \`medmake rate serve --study ${study.id}\`, or \`medmake rate pack --study ${study.id} --rater ${raters[0]?.rater ?? 'ann'}\`.`,
  ].join('\n\n')
}

/** What a plan costs and brings. */
export const planJson = ({
  study,
  events,
}: ShownPlan): {
  readonly study: string
  readonly answers: number
  readonly seconds: number
  readonly frames: readonly object[]
  readonly raters: readonly { readonly rater: string; readonly answers: number; readonly minutes: number }[]
  readonly shared: { readonly answers: number; readonly width: number | null }
} => {
  const seconds = activeSeconds(events) ?? USUAL_SECONDS
  const shared = sharedCount(study)
  return {
    study: study.id,
    answers: study.units.length,
    seconds,
    frames: study.frames.map(({ benchmark, model, answers, left_out, strata, rubric }) => ({
      benchmark,
      model,
      rubric,
      answers,
      left_out,
      strata: strata.map(({ thirds, size, drawn }) => ({ thirds, size, drawn })),
    })),
    raters: study.raters.map(({ name, units }) => ({
      rater: name,
      answers: units.length,
      minutes: Math.ceil((units.length * seconds) / 60),
    })),
    shared: { answers: shared, width: iccWidth({ icc: USUAL_ICC, answers: shared }, CONFIDENCE) },
  }
}

const sharedCount = ({ raters, units }: Study): number => {
  const counts = new Map<number, number>()
  for (const { units: own } of raters)
    for (const number of own) counts.set(number, (counts.get(number) ?? 0) + 1)
  return units.filter(({ number }) => (counts.get(number) ?? 0) > 1).length
}

const frameRow = ({ benchmark, model, answers, left_out, strata }: StudyFrame): readonly string[] => {
  const total = strata.reduce((sum, { size }) => sum + size, 0)
  const labels = strata.reduce((sum, { drawn }) => sum + drawn, 0)
  const half = halfWidthOf({ total, labels, variance: USUAL_RESIDUAL_VARIANCE }, CONFIDENCE)
  const out = Object.entries(left_out).flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []))
  return [
    benchmark,
    model,
    String(answers),
    String(labels),
    strata.map(({ drawn, size }) => `${drawn}/${size}`).join(' '),
    half === null ? '–' : half.toFixed(2),
    out.join(', ') || '–',
  ]
}

const rubricText = (benchmark: string, { criteria, scale, ends }: RatingRubric): string =>
  [
    `${benchmark}, from ${scale.least}${ends === undefined ? '' : ` (${ends.least})`} to ${scale.most}${ends === undefined ? '' : ` (${ends.most})`}; as raters see it:`,
    ...criteria.map(
      ({ title, text }) => `  ${title}: ${text === '' ? '(the rubric has no line for it)' : text}`,
    ),
  ].join('\n')

const indented = (table: string): string => table.replaceAll(/^/gm, '  ')
