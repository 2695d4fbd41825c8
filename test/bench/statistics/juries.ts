import { alphaOfRaters } from '../../../targets/statistics/agreement/alpha-of-raters.ts'
import { predictionPoweredMean } from '../../../targets/statistics/calibration/prediction-powered.ts'
import { roganGladen } from '../../../targets/statistics/calibration/rogan-gladen.ts'
import { normalCdf } from '../../../targets/statistics/distributions/normal.ts'
import { wilson } from '../../../targets/statistics/intervals/wilson.ts'
import { selfPreference } from '../../../targets/statistics/judges/self-preference.ts'
import type { RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import { binomial, covers, juryScore, normal, times, widthOf } from './draws.ts'
import { share, type Table } from './table.ts'
import { normalInterval } from '../../targets/statistics/compared/normal-interval.ts'

const UNLABELLED = 500

/** A clinician's score, which a jury's z tells something of. */
const clinician = (z: number, rho: number, stream: RandomStream): number =>
  Math.min(5, Math.max(1, Math.round(3.9 + 0.7 * (rho * z + Math.sqrt(1 - rho * rho) * normal(stream)))))

const CLINICIAN_MEAN = 1 + [1.5, 2.5, 3.5, 4.5].reduce((sum, step) => sum + normalCdf((3.9 - step) / 0.7), 0)

export const predictionPowered: Table = {
  section: 7,
  title: 'Prediction-powered mean',
  labels: ['labels', 'rho'],
  columns: [
    { name: 'PPI, lambda 1, z: covers' },
    { name: 'width' },
    { name: 'PPI++, z: covers' },
    { name: 'width' },
    { name: 'PPI++, t(n−1): covers', bar: { least: 0.9 } },
    { name: 'width' },
  ],
  rows: [10, 20, 50, 100].flatMap((count) =>
    [0, 0.5, 0.8].map((rho) => ({
      cells: [count, rho],
      trial: (stream: RandomStream) => {
        const zs = times(count + UNLABELLED, () => normal(stream))
        const scores = zs.map((z) => juryScore(4.2 + 0.5 * z))
        const labels = zs.slice(0, count).map((z) => clinician(z, rho, stream))
        const sample = { labels, predictions: scores.slice(0, count), unlabelled: scores.slice(count) }
        const first = predictionPoweredMean(sample, 0.95, 1)
        const plus = predictionPoweredMean(sample, 0.95)
        const ends = [normalInterval(first, 0.95), normalInterval(plus, 0.95), plus.interval]
        return ends.flatMap((interval) => [share(covers(interval, CLINICIAN_MEAN)), widthOf(interval)])
      },
    })),
  ),
}

/** Three judges of four answers to each question: half of what answers differ by is the question's. */
export const judgesAlpha: Table = {
  section: 7,
  title: 'Krippendorff’s alpha of three judges, jackknife over questions',
  labels: ['questions', 'alpha'],
  columns: [{ name: 'covers', bar: { least: 0.9 } }, { name: 'width' }],
  rows: [5, 8].flatMap((questions) =>
    [0.3, 0.7].map((alpha) => ({
      cells: [questions, alpha],
      trial: (stream: RandomStream) => {
        const part = (variance: number): number => Math.sqrt(variance) * normal(stream)
        const answers = times(questions, (question) => {
          const shared = part(alpha / 2)
          return times(4, () => {
            const own = shared + part(alpha / 2)
            return { source: String(question), scores: times(3, () => own + part(1 - alpha)) }
          })
        }).flat()
        const byJudge = times(3, (judge) => answers.map(({ scores }) => scores[judge] ?? NaN))
        const found = alphaOfRaters(
          byJudge,
          answers.map(({ source }) => source),
          0.95,
        )
        return [share(covers(found?.interval ?? null, alpha)), widthOf(found?.interval ?? null)]
      },
    })),
  ),
}

const CHECKED = 50

export const checkedVerdicts: Table = {
  section: 7,
  title: 'Rogan–Gladen with Lang and Reiczigel’s interval',
  labels: ['prevalence', 'sensitivity', 'specificity', 'n'],
  columns: [
    { name: 'covers', bar: { least: 0.915 } },
    { name: 'width' },
    { name: 'raw share (Wilson): covers' },
  ],
  rows: [0.05, 0.3, 0.7].flatMap((prevalence) =>
    (
      [
        [0.95, 0.9],
        [0.8, 0.8],
      ] as const
    ).flatMap(([sensitivity, specificity]) =>
      [50, 300].map((n) => ({
        cells: [prevalence, sensitivity, specificity, n].map((cell, at) => (at < 3 ? cell.toFixed(3) : cell)),
        trial: (stream: RandomStream) => {
          const chance = prevalence * sensitivity + (1 - prevalence) * (1 - specificity)
          const positive = binomial(n, chance, stream)
          const found = roganGladen(
            {
              positive,
              n,
              truePositive: binomial(CHECKED, sensitivity, stream),
              positivesChecked: CHECKED,
              trueNegative: binomial(CHECKED, specificity, stream),
              negativesChecked: CHECKED,
            },
            0.95,
          )
          const interval = found.low === null ? null : found
          return [
            share(covers(interval, prevalence)),
            widthOf(interval),
            share(covers(wilson(positive, n, 0.95), prevalence)),
          ]
        },
      })),
    ),
  ),
}

/** Three judges, each kin to one of the first three models. The first and the fourth model are equally good. */
const LENIENCY = [0.5, 0, -0.3]
const QUALITY = [0, 0.2, -0.1, 0]

export const preferences: Table = {
  section: 7,
  title: 'Self-preference',
  labels: ['items', 'delta'],
  columns: [
    { name: 'rejects delta = 0' },
    { name: 'interval covers', bar: { least: 0.915 } },
    { name: 'without own family: first minus fourth, mean' },
    { name: 'adjusted: first minus fourth, mean' },
  ],
  rows: [8, 12, 25].flatMap((items) =>
    [0, 0.15].map((delta) => ({
      cells: [items, delta],
      trial: (stream: RandomStream) => {
        const rows = times(items, (item) =>
          QUALITY.map((quality, model) =>
            LENIENCY.map((lenient, judge) => ({
              item: `i${item}`,
              model: `m${model}`,
              judge: `j${judge}`,
              score: quality + lenient + (model === judge ? delta : 0) + 0.3 * normal(stream),
            })),
          ),
        ).flat(2)
        const { kinship, models } = selfPreference(rows, (name) => name.slice(1), 0.95)
        const [first, fourth] = [models.get('m0'), models.get('m3')]
        return [
          share((kinship?.p ?? 1) < 0.05),
          share(covers(kinship?.interval, delta)),
          (first?.withoutOwnFamily ?? NaN) - (fourth?.withoutOwnFamily ?? NaN),
          (first?.adjusted ?? NaN) - (fourth?.adjusted ?? NaN),
        ]
      },
    })),
  ),
}
