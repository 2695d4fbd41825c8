import { halfWidthOf, iccWidth } from '../../targets/statistics/calibration/labels-needed.ts'
import { activeSeconds } from '../../targets/ratings/progress.ts'
import { usualResidualVariance } from '../../targets/ratings/residuals.ts'
import type { RatingRubric } from '../../targets/ratings/rubric/rating-rubric.ts'
import { isAsked, type Study, type StudyFrame } from '../../targets/ratings/study.ts'
import { groupBy } from '../../cache/lists.ts'
import { alignedTable, indented } from '../../cache/words/tables.ts'
import type { RaterEvents } from './study-folder.ts'
import { CONFIDENCE } from '../../targets/statistics/scale.ts'

export interface ShownPlan {
  readonly study: Study
  /** By benchmark. */
  readonly rubrics: ReadonlyMap<string, RatingRubric>
  readonly events: readonly RaterEvents[]
  /** By `frameKey`, squared points that the jury leaves unexplained of what was rated; absent where too little was. */
  readonly residuals?: ReadonlyMap<string, number>
  /** What it extends. */
  readonly before?: Study
  readonly file?: string
}

/** Seconds an answer takes where nobody rated one yet. */
const USUAL_SECONDS = 180
/** Agreement between clinicians that widths are told for: that of the paper. */
const USUAL_ICC = 0.45
const FEWEST_SHARED = 30
/** Simulated studies, by which intervals were judged, have no fewer of a model. */
const FEWEST_OF_A_RUN = 20

export const planText = (shown: ShownPlan): string => {
  const { study, rubrics, residuals, before, file } = shown
  const { answers, seconds, shared, raters } = planJson(shown)
  const more = before === undefined ? '' : `, ${study.units.length - before.units.length} of them new`
  return [
    `study ${study.id}: ${answers} answers to rate${more}, written to ${file ?? 'study.json'}`,
    ...practiceText(study.practice?.length ?? 0),
    ...[...rubrics].map(([benchmark, rubric]) => rubricText(benchmark, rubric)),
    indented(
      alignedTable(
        ['benchmark', 'model', 'answers', 'to rate', 'by jury’s thirds', 'expected ±', 'left out'],
        study.frames.map((frame) =>
          frameRow(frame, rubrics.get(frame.benchmark), residuals?.get(frameKey(frame))),
        ),
      ),
    ),
    ...drawText(study),
    indented(
      alignedTable(
        ['rater', 'answers', 'minutes'],
        raters.map(({ rater, answers, minutes }) => [rater, String(answers), String(minutes)]),
      ),
    ),
    sharedText(shared),
    `Minutes are at ${Math.round(seconds)} s an answer. The plan names models: it is for you, not for raters. Next: \`medmake rate serve --study ${study.id}\`, or \`medmake rate pack --study ${study.id} --rater ${raters[0]?.rater ?? 'ann'}\`.`,
  ].join('\n\n')
}

export const planJson = ({
  study,
  events,
}: ShownPlan): {
  readonly study: string
  readonly answers: number
  readonly seconds: number
  readonly frames: readonly object[]
  readonly raters: readonly { readonly rater: string; readonly answers: number; readonly minutes: number }[]
  readonly shared: { readonly answers: number; readonly benchmarks: readonly SharedAnswers[] }
} => {
  const seconds = activeSeconds(events) ?? USUAL_SECONDS
  const shared = sharedAnswers(study)
  const asked = new Set(study.units.filter(isAsked).map(({ number }) => number))
  return {
    study: study.id,
    answers: asked.size,
    seconds,
    frames: study.frames.map(({ benchmark, model, answers, left_out, strata, rubric }) => ({
      benchmark,
      model,
      rubric,
      answers,
      left_out,
      strata: strata.map(({ thirds, size, drawn, wave }) => ({ thirds, size, drawn, wave })),
    })),
    raters: study.raters.map(({ name, units }) => {
      const own = units.filter((number) => asked.has(number)).length
      return { rater: name, answers: own, minutes: Math.ceil((own * seconds) / 60) }
    }),
    shared: { answers: shared.reduce((sum, { answers }) => sum + answers, 0), benchmarks: shared },
  }
}

/** A frame's name among a study's. */
export const frameKey = ({ benchmark, model }: Pick<StudyFrame, 'benchmark' | 'model'>): string =>
  JSON.stringify([benchmark, model])

/** Answers of a benchmark that two raters see: agreement is told of each benchmark by itself. */
interface SharedAnswers {
  readonly benchmark: string
  readonly answers: number
  /** Of the interval of their agreement; null for fewer than two answers. */
  readonly width: number | null
}

const sharedAnswers = ({ raters, units: known }: Study): readonly SharedAnswers[] => {
  const units = known.filter(isAsked)
  const counts = new Map<number, number>()
  for (const { units: own } of raters)
    for (const number of own) counts.set(number, (counts.get(number) ?? 0) + 1)
  return [...groupBy(units, ({ benchmark }) => benchmark)].map(([benchmark, own]) => {
    const answers = own.filter(({ number }) => (counts.get(number) ?? 0) > 1).length
    return { benchmark, answers, width: iccWidth({ icc: USUAL_ICC, answers }, CONFIDENCE) }
  })
}

const sharedText = ({ answers, benchmarks }: ReturnType<typeof planJson>['shared']): string => {
  const widths = benchmarks.map(
    ({ benchmark, answers: own, width }) =>
      `${width === null ? 'unknown' : `about ${width.toFixed(2)} wide`}${benchmarks.length === 1 ? '' : ` on ${benchmark} (${own})`}`,
  )
  const isFew = benchmarks.some(({ answers: own }) => own < FEWEST_SHARED)
  return (
    `${answers} answers are rated by two: at an agreement of ${USUAL_ICC} its interval is ${widths.join(', ')}.` +
    (isFew
      ? ` Fewer than ${FEWEST_SHARED}${benchmarks.length === 1 ? '' : ' of a benchmark'} can't tell jury and clinicians apart; raise --overlap or --labels.`
      : '')
  )
}

/** From the least score to the greatest. */
export const rangeOf = ({ scale }: Pick<RatingRubric, 'scale'>): number => scale.most - scale.least

/** A frame that is no longer asked for has no rubric here. */
const frameRow = (
  frame: StudyFrame,
  rubric: RatingRubric | undefined,
  residual: number | undefined,
): readonly string[] => {
  const { benchmark, model, answers, left_out, strata } = frame
  const total = strata.reduce((sum, { size }) => sum + size, 0)
  const labels = drawnOf(frame)
  const variance = residual ?? (rubric === undefined ? NaN : usualResidualVariance(rangeOf(rubric)))
  const half = halfWidthOf({ total, labels, variance }, CONFIDENCE)
  const out = Object.entries(left_out).flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []))
  return [
    benchmark,
    model,
    String(answers),
    String(labels),
    strata
      .map(({ drawn, size, wave = 0 }, at) => {
        const isLater = at > 0 && wave !== (strata[at - 1]?.wave ?? 0)
        return `${isLater ? '+ ' : ''}${drawn}/${size}`
      })
      .join(' '),
    half === null || Number.isNaN(half) ? '–' : half.toFixed(2),
    out.join(', ') || '–',
  ]
}

const rubricText = (benchmark: string, { criteria, scale, ends }: RatingRubric): string =>
  criteria.length === 0
    ? `${benchmark}: each point of the instance's own rubric is met or not met; what points are worth is not shown.`
    : [
        `${benchmark}, from ${scale.least}${ends === undefined ? '' : ` (${ends.least})`} to ${scale.most}${ends === undefined ? '' : ` (${ends.most})`}; as raters see it:`,
        ...criteria.map(
          ({ name, title, text }) =>
            `  ${title}: ${text === '' ? `(the rubric has no line for it, such as \`- ${name}: …\`)` : text}`,
        ),
      ].join('\n')

const drawnOf = ({ strata }: StudyFrame): number => strata.reduce((sum, { drawn }) => sum + drawn, 0)

/** What the table does not say of the draw. */
const drawText = ({ frames, units }: Study): readonly string[] => {
  const notes = [
    ...(frames.some(({ strata }) => strata.some(({ wave }) => wave !== undefined))
      ? ['Behind a + are answers that came later: until two of them are rated no label speaks for them.']
      : []),
    ...(frames.reduce((sum, frame) => sum + drawnOf(frame), 0) > units.filter(isAsked).length
      ? ['An answer that several models gave is rated once.']
      : []),
    ...(frames.some((frame) => drawnOf(frame) < Math.min(FEWEST_OF_A_RUN, frame.answers))
      ? [
          `An interval from fewer than ${FEWEST_OF_A_RUN} answers of a model may be too narrow; raise --labels.`,
        ]
      : []),
  ]
  return notes.length === 0 ? [] : [notes.join(' ')]
}

const practiceText = (count: number): readonly string[] =>
  count === 0 ? [] : [`Each rater begins with ${count} to practise on, which count nowhere.`]
