import { parseArgs } from 'node:util'
import { digestOf } from '../../cache/values/digest.ts'
import { calibrateBenchmark, type CalibratedModel } from '../../targets/jury/study/calibrate.ts'
import { chained } from '../../targets/ratings/event.ts'
import { makeStudy } from '../../targets/ratings/make-study.ts'
import { plannedAnswers } from '../../targets/ratings/planned-answers.ts'
import { labelOf, ratedUnits } from '../../targets/ratings/rated-units.ts'
import { unitKey, type FrameAnswer } from '../../targets/ratings/unit.ts'
import { normalCdf } from '../../targets/statistics/distributions/normal.ts'
import { studentT } from '../../targets/statistics/distributions/student-t.ts'
import { meanOf, squaresOf } from '../../targets/statistics/mean.ts'
import { randomKey, RandomStream } from '../../targets/statistics/resampling/random-stream.ts'
import { normal } from './statistics/draws.ts'

// `npm run bench -- ratings --seed N`: made-up studies of which the truth is known, through what `rate plan`, the desk's
// events and `jury calibrate` go through: how often the interval holds the truth, and what the jury's scores save.

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { seed: { type: 'string', default: '1' }, trials: { type: 'string', default: '2000' } },
})

const ANSWERS = 500
const LABELS = 60
const RUBRIC = digestOf('rubric')
/** Clinicians' and jury's levels and spreads: the jury is 0.5 points kinder, and spreads less. */
const CLINICIANS = { mean: 3.5, sd: 0.8 }
const JURY = { mean: 4, sd: 0.6 }

/** A mean of three whole scores from 1 to 5. */
const inThirds = (value: number): number => Math.min(5, Math.max(1, Math.round(3 * value) / 3))

const truth = (): number => {
  let sum = 0
  for (let third = 3; third <= 15; third += 1) {
    const below = third === 3 ? -Infinity : (third - 0.5) / 3
    const above = third === 15 ? Infinity : (third + 0.5) / 3
    const { mean, sd } = CLINICIANS
    sum += (third / 3) * (normalCdf((above - mean) / sd) - normalCdf((below - mean) / sd))
  }
  return sum
}

interface MadeAnswer extends FrameAnswer {
  readonly jury: number
  /** What a clinician would give. */
  readonly label: number
}

const answersOf = (trial: number, correlation: number, stream: RandomStream): readonly MadeAnswer[] =>
  Array.from({ length: ANSWERS }, (_, at) => {
    const [z, other] = [normal(stream), normal(stream)]
    const own = correlation * z + Math.sqrt(1 - correlation ** 2) * other
    return {
      benchmark: 'made-up',
      model: 'made/up',
      rubric: RUBRIC,
      instance: digestOf(`instance ${trial} ${at}`),
      answer: digestOf(`answer ${trial} ${at}`),
      jury: inThirds(JURY.mean + JURY.sd * z),
      label: inThirds(CLINICIANS.mean + CLINICIANS.sd * own),
    }
  })

/** A study as the commands would make it: drawn, rated, calibrated. */
const studied = (
  answers: readonly MadeAnswer[],
  trial: number,
  sample: 'planned' | 'random',
): CalibratedModel | undefined => {
  const run = {
    benchmark: 'made-up',
    model: 'made/up',
    access: 'public' as const,
    rubric: RUBRIC,
    range: 4,
    answers,
  }
  const study = makeStudy(
    [run],
    {
      id: `study${trial}`,
      seed: '1',
      suites: [],
      raters: ['ann'],
      overlap: 0,
      size: { labels: LABELS },
      allocation: 'proportional',
      practice: 0,
    },
    { rated: ratedUnits([]) },
  )
  const byUnit = new Map(answers.map((answer) => [unitKey(answer), answer]))
  const asked =
    sample === 'planned'
      ? study.units.flatMap((unit) => byUnit.get(unitKey(unit)) ?? [])
      : answers.slice(0, LABELS)
  let previous: string | null = null
  const events = asked.map(({ benchmark, instance, answer, rubric, label }, order) => {
    // A composite in thirds is three whole scores.
    const [low, extra] = [Math.floor(label + 1e-9), Math.round(3 * (label - Math.floor(label + 1e-9)))]
    const scores = Object.fromEntries([0, 1, 2].map((at) => [`criterion-${at}`, low + (at < extra ? 1 : 0)]))
    const content = { nonce: '0123456789abcdef', scores }
    const subject = { benchmark, instance, answer, rubric }
    const event = chained(
      {
        study: study.id,
        rater: 'ann',
        kind: 'rated',
        at: '2026-01-01T00:00:00Z',
        order: order + 1,
        subject,
        content,
      },
      previous,
    )
    previous = event.id
    return event
  })
  const rated = ratedUnits([{ events }])
  const placed = sample === 'planned' ? plannedAnswers(run, [study], rated) : undefined
  const judged = answers.map((answer) => {
    const planned = placed?.placed.get(unitKey(answer))
    return {
      instance: answer.instance,
      jury: answer.jury,
      label: labelOf(answer, rated),
      ...(planned === undefined ? {} : { planned }),
    }
  })
  const model = { run: 'made-up', model: 'made/up', answers: judged }
  return calibrateBenchmark('made-up', [model], { scale: [1, 5] }).models[0]
}

interface Tally {
  covered: number
  coveredThese: number
  width: number
  widthThese: number
  alone: number
  narrower: number
  correlation: number
  bias: number
}

const pearson = (answers: readonly MadeAnswer[]): number => {
  const [x, y] = [answers.map(({ jury }) => jury), answers.map(({ label }) => label)]
  const [mx, my] = [meanOf(x), meanOf(y)]
  const together = x.reduce((sum, each, at) => sum + (each - mx) * ((y[at] ?? NaN) - my), 0)
  return together / Math.sqrt(squaresOf(x) * squaresOf(y))
}

const trials = Number(values.trials)
let missed = 0
const expected = truth()
console.log(
  `${trials} studies a cell: ${ANSWERS} answers, ${LABELS} labels, a jury 0.5 points too kind; truth ${expected.toFixed(4)}`,
)
for (const wanted of [0.2, 0.5, 0.85])
  for (const sample of ['planned', 'random'] as const) {
    const stream = new RandomStream(randomKey(`ratings ${values.seed} ${wanted}`), 0)
    const tally: Tally = {
      covered: 0,
      coveredThese: 0,
      width: 0,
      widthThese: 0,
      alone: 0,
      narrower: 0,
      correlation: 0,
      bias: 0,
    }
    for (let trial = 0; trial < trials; trial += 1) {
      const answers = answersOf(trial, wanted, stream)
      const found = studied(answers, trial, sample)
      const { interval, onThese, value } = found ?? {}
      if (interval == null || value == null) throw new RangeError('a study gave no interval')
      const labels = answers.slice(0, LABELS).map(({ label }) => label)
      const alone = 2 * studentT(0.95, LABELS - 1) * Math.sqrt(squaresOf(labels) / (LABELS - 1) / LABELS)
      const mean = meanOf(answers.map(({ label }) => label))
      if (interval.low <= expected && expected <= interval.high) tally.covered += 1
      if (onThese != null && onThese.low <= mean && mean <= onThese.high) tally.coveredThese += 1
      tally.width += interval.high - interval.low
      tally.widthThese += onThese == null ? NaN : onThese.high - onThese.low
      tally.alone += alone
      if (interval.high - interval.low < alone) tally.narrower += 1
      tally.correlation += pearson(answers)
      tally.bias += value - expected
    }
    const share = (count: number): number => count / trials
    const covered = share(tally.covered)
    const isHigh = share(tally.correlation) >= 0.78
    const ok =
      covered >= 0.93 &&
      covered <= 0.97 &&
      (sample === 'random' || (share(tally.coveredThese) >= 0.93 && share(tally.coveredThese) <= 0.97)) &&
      (!isHigh || tally.width < tally.alone)
    if (!ok) missed += 1
    console.log(
      `${ok ? 'ok  ' : 'MISS'} r ${share(tally.correlation).toFixed(2)}, ${sample === 'planned' ? 'planned, stratified' : 'random, PPI++      '}: covers answers like these ${covered.toFixed(4)}` +
        `${sample === 'planned' ? `, these answers ${share(tally.coveredThese).toFixed(4)}` : ''}; bias ${share(tally.bias).toFixed(4)}; width ${share(tally.width).toFixed(3)}` +
        `${sample === 'planned' ? ` (these ${share(tally.widthThese).toFixed(3)})` : ''}, labels alone ${share(tally.alone).toFixed(3)}, narrower in ${(100 * share(tally.narrower)).toFixed(1)} %`,
    )
  }
process.exitCode = missed === 0 ? 0 : 1
