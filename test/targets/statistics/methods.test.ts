import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { groupBy } from '../../../cache/lists.ts'
import { bootstrapAgreement } from '../../../targets/statistics/agreement/agreement-bootstrap.ts'
import { alphaOfRaters } from '../../../targets/statistics/agreement/alpha-of-raters.ts'
import {
  alternativeAnnotatorTest,
  ANNOTATOR_TEST,
} from '../../../targets/statistics/agreement/alternative-annotator.ts'
import { kappaWithJury } from '../../../targets/statistics/agreement/kappa-with-jury.ts'
import { roganGladenOf } from '../../../targets/statistics/calibration/checked-test.ts'
import { roganGladen } from '../../../targets/statistics/calibration/rogan-gladen.ts'
import type { Interval } from '../../../targets/statistics/intervals/wilson.ts'
import type { RatedAnswers } from '../../../targets/statistics/agreement/rated-answers.ts'
import { predictionPoweredMean } from '../../../targets/statistics/calibration/prediction-powered.ts'
import { selfPreference, type KinScore } from '../../../targets/statistics/judges/self-preference.ts'
import { answer } from './oracle.ts'
import { departure } from './oracle/departure.ts'

interface Row {
  readonly id: string
  readonly method: string
  readonly input: unknown
  readonly expected: Readonly<Record<string, unknown>>
  readonly tolerance?: Readonly<Record<string, number>>
}

const rowsOf = (name: string): readonly Row[] =>
  readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

/** Invented ratings, labels and judgements, with what stood here when all rows from outside were equal. */
const JURIES = rowsOf('juries.jsonl')
/** Invented scores, with what versions by scipy 1.17 and statsmodels 0.15 give: dense matrices, other root finders. */
const CORE = rowsOf('core.jsonl')

describe('methods of the reference, on invented rows', () => {
  test.each([...groupBy([...JURIES, ...CORE], ({ method }) => method)])(
    '%s gives what it gave',
    (method, own) => {
      for (const { id, input, expected, tolerance } of own)
        expect([id, departure(expected, answer(method, input), tolerance)]).toEqual([id, undefined])
    },
  )
})

const rated: RatedAnswers = {
  scores: [
    [1, 2, 3, 4, 5, 2, null, 4],
    [2, 2, 3, 5, 4, 1, 3, null],
    [1, 3, 2, 4, 5, null, 3, 5],
    [2, 1, 3, 3, 5, 2, 4, 4],
  ],
  jury: [1.5, 2.5, 3, 4, 4.5, 2, 3.5, 4.2],
}

describe('the bootstrap over answers and raters', () => {
  const options = { draws: 400, confidence: 0.95 }

  test('gives an interval where nearly all draws have a value', () => {
    const { jury, clinicians, difference, withoutValue } = bootstrapAgreement(rated, options)
    expect(withoutValue).toBeLessThan(0.05)
    for (const figure of [jury, clinicians, difference]) {
      const { interval, quartiles } = figure ?? { interval: null, quartiles: [NaN, NaN, NaN] }
      expect(interval?.low).toBeLessThan(quartiles[0])
      expect(interval?.high).toBeGreaterThan(quartiles[2])
    }
  })

  test('withholds it where two raters decide all', () => {
    const two = { scores: rated.scores.slice(0, 2), jury: rated.jury }
    const { clinicians, withoutValue } = bootstrapAgreement(two, options)
    // Both are drawn in half of the draws.
    expect(withoutValue).toBeGreaterThan(0.4)
    expect(clinicians?.interval).toBeNull()
  })

  test('draws the same in whatever order raters and answers come', () => {
    const turned = {
      scores: rated.scores.toReversed().map((row) => row.toReversed()),
      jury: rated.jury.toReversed(),
    }
    expect(bootstrapAgreement(turned, options)).toEqual(bootstrapAgreement(rated, options))
  })

  test('draws the same whatever sources are called, though answers of some look alike', () => {
    const alike = {
      scores: [
        [null, null, null, 1, 1],
        [3, null, null, null, null],
      ],
      jury: [3, 1, 1, 2, 1],
      sources: ['d', 'd', 'c', 'a', 'a'],
    }
    const pick = <T>(list: readonly T[]): readonly T[] =>
      [2, 1, 4, 3, 0].flatMap((at) => list.slice(at, at + 1))
    const turned = { scores: alike.scores.map(pick), jury: pick(alike.jury), sources: pick(alike.sources) }
    expect(bootstrapAgreement(turned, options)).toEqual(bootstrapAgreement(alike, options))
  })
})

describe('raters of one mind', () => {
  const same = [1, 2, 3, 4, 5, 2, 3, 4]
  const sure = { quartiles: [1, 1, 1].map((one) => expect.closeTo(one, 9) as unknown), interval: null }

  test('agree in every draw, with the jury as far as that agrees', () => {
    const options = { draws: 200, confidence: 0.95 }
    const all = bootstrapAgreement({ scores: [same, same, same], jury: same }, options)
    expect(all).toMatchObject({ jury: sure, clinicians: sure, spearman: sure, kappa: sure, alpha: sure })
    expect([all.difference?.quartiles, all.aboveZero]).toEqual([[0, 0, 0], 0])
    const halves = same.map((score) => score + 0.5)
    expect(bootstrapAgreement({ scores: [halves, halves], jury: same }, options).kappa).toBeNull()
    const against = { scores: [same, same, same], jury: same.map((score) => 6 - score) }
    const { spearman, kappa, alpha } = bootstrapAgreement(against, options)
    expect({ kappa, alpha }).toMatchObject({ kappa: sure, alpha: sure })
    expect(spearman?.quartiles).toEqual([-1, -1, -1].map((one) => expect.closeTo(one, 9) as unknown))
  })

  test('have a κ of the answers that they and the jury scored', () => {
    const unrated = {
      scores: rated.scores.map((row, rater) => [...row, null, rater === 0 ? 3 : null]),
      jury: [...rated.jury, null, null],
    }
    expect(kappaWithJury(unrated, 0.95)).toEqual(kappaWithJury(rated, 0.95))
    expect(kappaWithJury({ scores: [same], jury: same }, 0.95)?.value).toBe(1)
    // A mean of 2.5 is rounded to 2, as Python's round does.
    const halves = {
      scores: [
        [2, 1, 5, 3],
        [3, 1, 5, 4],
      ],
      jury: [2, 1, 5, 4],
    }
    expect(kappaWithJury(halves, 0.95)?.value).toBe(1)
  })

  test('have a κ in which a mean of 3.5 is rounded up where sums of thirds miss it', () => {
    const scores = [10, 11, 9, 12, 13, 8].map((thirds) => [thirds / 3, 1, 5, 3])
    expect(kappaWithJury({ scores, jury: [4, 1, 5, 3] }, 0.95)?.value).toBe(1)
  })
})

describe('answers to one question', () => {
  const times = (list: readonly (number | null)[]): readonly (number | null)[] =>
    list.flatMap((value) => [value, value, value])
  const copies: RatedAnswers = {
    scores: rated.scores.map(times),
    jury: times(rated.jury),
    sources: rated.jury.flatMap((_, at) => [`q${at}`, `q${at}`, `q${at}`]),
  }

  test('said three times over are drawn as one', () => {
    const options = { draws: 300, confidence: 0.95 }
    const [one, three] = [bootstrapAgreement(rated, options), bootstrapAgreement(copies, options)]
    expect(three.sources).toBe(8)
    expect(three.jury?.quartiles[0]).toBeCloseTo(one.jury?.quartiles[0] ?? NaN, 10)
    expect(three.difference?.interval?.low).toBeCloseTo(one.difference?.interval?.low ?? NaN, 10)
    const single = bootstrapAgreement({ ...rated, sources: rated.jury.map(() => 'q') }, options)
    expect([single.jury?.interval, single.spearman?.interval]).toEqual([null, null])
  })

  test('are one piece of evidence in α, in κ and in the alternative annotator test', () => {
    const byQuestion = alphaOfRaters(copies.scores, copies.sources ?? [], 0.95)
    const byAnswer = alphaOfRaters(
      copies.scores,
      copies.jury.map((_, at) => `${at}`),
      0.95,
    )
    const width = (interval: Interval | null | undefined): number =>
      (interval?.high ?? NaN) - (interval?.low ?? NaN)
    expect(byQuestion?.value).toBe(byAnswer?.value)
    expect(width(byQuestion?.interval)).toBeGreaterThan(1.4 * width(byAnswer?.interval))
    const renamed = alphaOfRaters(
      copies.scores.map((row) => row.toReversed()),
      (copies.sources ?? []).map((_, at, all) => `z${all.toReversed()[at]}`),
      0.95,
    )
    expect(renamed).toEqual(byQuestion)
    // What one rater alone scored says nothing of agreement, and is no source either.
    const once = copies.scores.map((row, rater) => [...row, rater === 1 ? 4 : null, rater === 2 ? 1 : null])
    expect(alphaOfRaters(once, [...(copies.sources ?? []), 'q8', 'q9'], 0.95)).toEqual(byQuestion)
    expect(width(kappaWithJury(copies, 0.95)?.interval)).toBeCloseTo(
      width(kappaWithJury(rated, 0.95)?.interval),
      10,
    )
    const options = { ...ANNOTATOR_TEST, least: 5 }
    const [one, three] = [alternativeAnnotatorTest(rated, options), alternativeAnnotatorTest(copies, options)]
    for (const [at, { p, n }] of three.raters.entries()) {
      expect(n).toBe(3 * (one.raters[at]?.n ?? NaN))
      expect(p).toBeCloseTo(one.raters[at]?.p ?? NaN, 12)
    }
    const single = { ...rated, sources: rated.jury.map(() => 'q') }
    expect(alternativeAnnotatorTest(single, options)).toMatchObject({ winningRate: null, passes: null })
  })

  test('count as so many independent ones as say as much in Rogan and Gladen’s share', () => {
    const checks = (sources: (at: number) => string) => ({
      all: Array.from({ length: 40 }, (_, at) => ({ isCounted: at % 8 < 4, source: sources(at) })),
      right: Array.from({ length: 40 }, (_, at) => ({ isCounted: at % 10 > 0, source: sources(at) })),
      wrong: Array.from({ length: 40 }, (_, at) => ({ isCounted: at % 10 > 1, source: sources(at) })),
    })
    const apart = roganGladenOf(checks(String), 0.95)
    expect(apart).toEqual(
      roganGladen(
        {
          positive: 20,
          n: 40,
          truePositive: 36,
          positivesChecked: 40,
          trueNegative: 32,
          negativesChecked: 40,
        },
        0.95,
      ),
    )
    const shared = roganGladenOf(
      checks((at) => `${Math.floor(at / 4)}`),
      0.95,
    )
    expect(shared.estimate).toBeCloseTo(apart.estimate ?? NaN, 12)
    expect((shared.high ?? 0) - (shared.low ?? 0)).toBeGreaterThan(
      1.2 * ((apart.high ?? 0) - (apart.low ?? 0)),
    )
    expect(
      roganGladenOf(
        checks(() => 'one patient'),
        0.95,
      ),
    ).toMatchObject({ estimate: null, reason: 'one source' })
  })
})

describe('prediction-powered means', () => {
  const plain = {
    labels: [3, 4, 2, 5, 3, 4],
    predictions: [3.5, 4.5, 3, 5, 3.5, 4],
    unlabelled: [4, 3, 5, 4.5, 3.5, 4, 3, 2.5],
  }

  test('take sources of one for what they are, and are less sure where patients come back', () => {
    const named = (labelled: string, unlabelled: string) => ({
      ...plain,
      sources: { labelled: labelled.split(''), unlabelled: unlabelled.split('') },
    })
    const half = (input: Parameters<typeof predictionPoweredMean>[0]): number => {
      const { interval } = predictionPoweredMean(input, 0.95)
      return (interval?.high ?? NaN) - (interval?.low ?? NaN)
    }
    const alone = named('abcdef', 'ghijklmn')
    expect(predictionPoweredMean(alone, 0.95).estimate).toBe(predictionPoweredMean(plain, 0.95).estimate)
    // Satterthwaite's degrees of freedom lie between the labels' and all.
    expect(half(alone)).toBeLessThanOrEqual(half(plain) * 1.0001)
    expect(half(alone)).toBeGreaterThan(half(plain) / 2)
    expect(half(named('abacac', 'bcbabcab'))).not.toBeCloseTo(half(alone), 6)
    expect(predictionPoweredMean(named('aaaaaa', 'ghijklmn'), 0.95).interval).toBeNull()
  })

  test('that are right of each label are no surer than the answers that nobody labelled let them be', () => {
    const sources = { labelled: 'abcdef'.split(''), unlabelled: 'ghijklmn'.split('') }
    const right = { ...plain, labels: plain.predictions, sources }
    const { interval } = predictionPoweredMean(right, 0.95, 1)
    expect((interval?.high ?? NaN) - (interval?.low ?? NaN)).toBeGreaterThan(1)
  })

  test('leave predictions alone whose answers are all of one patient: nothing tells how far they are off', () => {
    const labelled = 'abcdef'.split('')
    const { estimate, lambda, interval } = predictionPoweredMean(
      { ...plain, sources: { labelled, unlabelled: plain.unlabelled.map(() => 'g') } },
      0.95,
    )
    const { interval: own } = predictionPoweredMean({ ...plain, unlabelled: [] }, 0.95)
    expect(lambda).toBe(0)
    expect(estimate).toBeCloseTo(plain.labels.reduce((sum, label) => sum + label, 0) / labelled.length, 12)
    expect(interval).toEqual({
      low: expect.closeTo(own?.low ?? NaN, 12) as unknown,
      high: expect.closeTo(own?.high ?? NaN, 12) as unknown,
    })
  })
})

describe('leniency and self-preference', () => {
  /** Judge x is lenient by 0.6; nobody prefers kin. Answers of x are the worst. */
  const scores = (kin: number): readonly KinScore[] =>
    Array.from({ length: 12 }, (_, item) =>
      ['x', 'y', 'z'].flatMap((model, place) =>
        ['x', 'y', 'w'].map((judge) => ({
          item: `i${item}`,
          model: `${model}/a`,
          judge: `${judge}/j`,
          score:
            3 +
            place / 10 +
            (judge === 'x' ? 0.6 : 0) +
            (judge === model ? kin : 0) +
            // Noise that is its own in each cell.
            (((item * 7 + place * 3 + judge.charCodeAt(0)) % 5) - 2) / 20,
        })),
      ),
    ).flat()
  const familyOf = (name: string): string => name.slice(0, 1)

  test('stand apart: a lenient judge is no kinship, and kinship is no leniency', () => {
    const plain = selfPreference(scores(0), familyOf, 0.95)
    expect(plain.kinship?.interval?.low).toBeLessThan(0)
    expect(plain.kinship?.interval?.high).toBeGreaterThan(0)
    const fond = selfPreference(scores(0.5), familyOf, 0.95)
    expect(fond.kinship?.delta).toBeCloseTo((plain.kinship?.delta ?? NaN) + 0.5, 9)
    expect(fond.kinship?.p).toBeLessThan(0.001)
    expect(fond.leniency.get('x/j')).toBeCloseTo(plain.leniency.get('x/j') ?? NaN, 9)
    // The ranking without kin, lenient judges left out, would put x/a further down than it is.
    expect(fond.models.get('x/a')?.adjusted).toBeCloseTo(plain.models.get('x/a')?.adjusted ?? NaN, 9)
  })

  test('are as unsure as patients are few: each asked about twice is no second piece of evidence', () => {
    const errorOf = (rows: readonly KinScore[]): number =>
      selfPreference(rows, familyOf, 0.95).kinship?.standardError ?? NaN
    const again = scores(0.5).map((row) => ({ ...row, item: `${row.item} again` }))
    const both = [...scores(0.5), ...again]
    const named = both.map((row) => ({ ...row, source: row.item.slice(0, 3).trim() }))
    expect(errorOf(both)).toBeLessThan(0.8 * errorOf(scores(0.5)))
    expect(errorOf(named) / errorOf(scores(0.5))).toBeCloseTo(1, 1)
  })

  test('give each family an estimate of its own', () => {
    const only = scores(0).map((row) =>
      row.model === 'x/a' && row.judge === 'x/j' ? { ...row, score: row.score + 0.4 } : row,
    )
    const [plain, found] = [scores(0), only].map((rows) => selfPreference(rows, familyOf, 0.95).families)
    expect([...(found?.keys() ?? [])]).toEqual(['x', 'y'])
    expect(found?.get('x')?.delta).toBeCloseTo((plain?.get('x')?.delta ?? NaN) + 0.4, 9)
    expect(found?.get('y')?.delta).toBeCloseTo(plain?.get('y')?.delta ?? NaN, 9)
  })

  test('are undetermined where every judge reads its own family alone', () => {
    const own = scores(0).filter(({ model, judge }) => familyOf(model) === familyOf(judge))
    const { kinship, leniency } = selfPreference(own, familyOf, 0.95)
    expect(kinship).toBeNull()
    expect([...leniency.values()]).toEqual([null, null])
  })
})
