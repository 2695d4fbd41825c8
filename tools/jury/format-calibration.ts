import type { CalibratedModel, CalibratedPair, Calibration } from '../../targets/jury/study/calibrate.ts'
import {
  FEWEST_RANKED,
  ranksByClinicians,
  type CalibratedScore,
  type JuryExcess,
} from '../../targets/jury/study/calibrated-score.ts'
import { halfWidthOf } from '../../targets/jury/study/planned-facts.ts'
import type { NextLabels } from '../../targets/jury/next-labels.ts'
import type { Interval } from '../../targets/statistics/intervals/wilson.ts'
import {
  formatShare,
  formatValue,
  intervalText,
  orDash,
  plural,
  valueOrDash,
} from '../../cache/words/number-text.ts'
import { alignedTable, indented } from '../../cache/words/tables.ts'

export const calibrationText = ({ benchmark, scale, models, pairs }: Calibration): string => {
  const planned = models.some(({ labelsNeeded }) => labelsNeeded !== undefined)
  const ranks = ranksByClinicians(models)
  const rows = models.map((model, at) => [
    ...(ranks === undefined ? [] : [String(ranks[at])]),
    model.model,
    String(model.labels),
    String(model.raters),
    ...scoreCells(model),
    valueOrDash(model.correlation),
    ...(planned ? [neededText(model)] : []),
  ])
  const table = alignedTable(
    [
      ...(ranks === undefined ? [] : ['#']),
      'model',
      'labels',
      'raters',
      'jury',
      'calibrated',
      '95 %',
      'lambda',
      'r',
      ...(planned ? ['labels needed'] : []),
    ],
    rows,
  )
  const shown = pairs.filter(({ labels }) => labels > 0)
  return [
    `${benchmark}, scores from ${scale.join(' to ')}`,
    indented(table),
    ...models.flatMap(verdictLines),
    ...models.flatMap(factLines),
    ...models.flatMap(sampleLines),
    ...(ranks === undefined ? [] : [indented(RANKED)]),
    ...(models.some(isTaken) ? [indented(TAKEN)] : []),
    ...(shown.length === 0 ? [] : [indented(pairTable(shown))]),
  ].join('\n')
}

/** Whether a random draw is taken for granted. */
const isTaken = ({ sample, labels, unlabelled }: CalibratedModel): boolean =>
  sample === 'random' && labels > 0 && unlabelled > 0

const RANKED = `# is by the calibrated score, as each model has ${FEWEST_RANKED} labels or more; which differ for sure the table of differences tells. The board ranks by the jury's own.`

const TAKEN =
  'Labels that no plan drew are taken as a random draw of all answers, those that came after them too: if they are none, the scores are wrong.'

const scoreCells = ({ raw, value, interval, lambda, reason }: CalibratedScore): readonly string[] => [
  valueOrDash(raw),
  valueOrDash(value),
  interval === null ? (reason ?? '–') : `${formatValue(interval.low)} to ${formatValue(interval.high)}`,
  lambda?.toFixed(2).replace('-', '−') ?? '–',
]

const neededText = ({ labelsNeeded, labels }: CalibratedModel): string => {
  if (labelsNeeded === null || labelsNeeded === undefined)
    return labels < 2 ? 'not known yet' : 'more than there are'
  return String(labelsNeeded)
}

/** Of a planned sample: what is said of these very answers, what the jury's scores are worth, and what more labels would be. */
const factLines = ({ model, value, onThese, interval, facts }: CalibratedModel): readonly string[] => {
  if (onThese === null || onThese === undefined) return []
  const head = `  ${model}: sample drawn by a plan; of these answers alone ${spanText(onThese)}`
  if (facts === undefined) return [head]
  const { people, saved, bias, likeRaters, more } = facts
  return [
    `${head}, ${halfText(onThese, value)}; clinicians alone, within the same strata, ${halfText(people.onThese, people.value)}: the jury saves ${plural(saved, 'label')}`,
    `    of answers like these ${halfText(interval, value)}, clinicians alone ${halfText(people.interval, people.value)}; by these raters${likeRaters === undefined ? '' : `, by raters like these ${halfText(likeRaters, value)}`}`,
    `    ${biasText(bias)}`,
    ...(more === undefined
      ? []
      : [
          `    ${plural(more.labels, 'label')} more, ${more.byStratum.join(' + ')} by stratum (Neyman), would give ± ${formatValue(more.halfWidth)} of these answers`,
        ]),
  ]
}

/** `jury 0.300 too kind on these answers (0.100–0.500)` */
export const biasText = ({ value, interval: { low, high } }: JuryExcess): string =>
  value < 0
    ? `jury ${formatValue(-value)} too strict on these answers${intervalText({ low: -high, high: -low })}`
    : `jury ${formatValue(value)} too kind on these answers${intervalText({ low, high })}`

const halfText = (interval: Interval | null | undefined, value: number | null): string =>
  orDash(interval, (own) => `± ${formatValue(halfWidthOf(own, value ?? NaN))}`)

const spanText = ({ low, high }: Interval): string => `${formatValue(low)} to ${formatValue(high)}`

/** What was left out. */
const sampleLines = ({ model, outside = 0, uncovered = 0 }: CalibratedModel): readonly string[] => [
  ...(outside === 0 ? [] : [`  ${model}: ${plural(outside, 'label')} left out, as not drawn by the plan`]),
  ...(uncovered === 0
    ? []
    : [
        `  ${model}: nothing is said of ${plural(uncovered, 'answer')}: new ones with fewer than two rated, or ones that no judge scored, as blank ones`,
      ]),
]

const verdictLines = ({ model, verdicts }: CalibratedModel): readonly string[] => {
  if (verdicts === undefined) return []
  const raw = `${formatShare(verdicts.raw)} right by the jury`
  return [
    verdicts.estimate === null
      ? `  ${model}: ${raw}, no true share: ${verdicts.reason}`
      : `  ${model}: ${raw}, true share ${formatValue(verdicts.estimate)} (${formatValue(verdicts.low)} to ${formatValue(verdicts.high)}, Rogan–Gladen)`,
  ]
}

const pairTable = (pairs: readonly CalibratedPair[]): string =>
  alignedTable(
    ['B − A', 'labels', 'jury', 'calibrated', '95 %', 'lambda'],
    pairs.map((pair) => [`${pair.b} − ${pair.a}`, String(pair.labels), ...scoreCells(pair)]),
  )

export const nextText = (next: readonly NextLabels[]): readonly string[] =>
  next.length === 0
    ? []
    : [
        [
          'To rate next, where labels gain most (Neyman), at random within a model:',
          ...next.map(
            ({ benchmark, model, instances }) =>
              `  ${benchmark} ${model}: ${instances.length}: ${instances.join(' ')}`,
          ),
        ].join('\n'),
      ]
