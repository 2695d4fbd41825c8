import { describe, expect, test } from 'vitest'
import { float } from '../../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../../benchmarks/python/value.ts'
import { goldReport } from '../../../../targets/jury/gold-check.ts'
import { judgeScores } from '../../../../targets/jury/judge-scores.ts'
import { publishedAgreement } from '../../../../targets/jury/published-agreement.ts'
import { measureAgreement } from '../../../../targets/jury/study/agreement.ts'
import { judgesReports, type ReportedScores } from '../../../../targets/jury/study/judges-report.ts'
import type { Rating } from '../../../../targets/jury/study/ratings.ts'

const CLINICIANS = [1, 2.5, 3, 4, 4.5, 2]
const JURY = [2, 2, 3.5, 5, 4, 1.5]

// numpy and scipy, by the formulas of McGraw and Wong.
test.each([
  ['text', 0.9147699556534424, 0.39091355981966724, 0.9880736789064529],
  ['script', 0.9144220790861021, 0.3884275010401844, 0.9880250002078224],
] as const)('the published figures by the %s', (rule, icc, low, high) => {
  const pairs = CLINICIANS.map((a, at) => ({ a, b: JURY[at] ?? NaN, weight: 1 }))
  const found = publishedAgreement(pairs, rule, 0.95)
  expect(found?.icc).toBeCloseTo(icc, 10)
  expect(found?.iccInterval?.low).toBeCloseTo(low, 9)
  expect(found?.iccInterval?.high).toBeCloseTo(high, 9)
  expect(found?.spearman).toBeCloseTo(0.8406680016960503, 12)
  expect(found?.spearmanInterval?.low).toBeCloseTo(0.09160362801041748, 10)
  expect(found?.spearmanInterval?.high).toBeCloseTo(0.9821523234760513, 10)
  expect(
    publishedAgreement(
      pairs.map((pair) => ({ ...pair, a: 3 })),
      rule,
      0.95,
    ),
  ).toBeNull()
  expect(
    publishedAgreement(
      pairs.map((pair) => ({ ...pair, b: 3 })),
      rule,
      0.95,
    ),
  ).toBeNull()
  expect(publishedAgreement(pairs.slice(0, 1), rule, 0.95)).toBeNull()
  expect(publishedAgreement(pairs.slice(0, 3), rule, 0.95)?.spearmanInterval).toBeNull()
})

describe('agreement of clinicians and jury', () => {
  const rating = (rater: string, at: number, score: number, benchmark = 'notes'): Rating => ({
    rater,
    benchmark,
    instance: `i${at}`,
    model: 'm',
    scores: [score],
    jury: [JURY[at % 6] ?? NaN],
    metrics: new Map(at === 5 ? [] : [['rouge_l', score / 10]]),
  })
  const ratings = CLINICIANS.flatMap((score, at) => [rating('ann', at, score), rating('bob', at, score)])

  test('is told of each benchmark, and of all together where there are several', () => {
    const letters = CLINICIANS.map((score, at) => rating('ann', at, score, 'letters'))
    const found = measureAgreement([...ratings, ...letters], 'text', 50)
    expect(found.map(({ name, answers, ratings: count, raters }) => [name, answers, count, raters])).toEqual([
      ['letters', 6, 6, 1],
      ['notes', 6, 12, 2],
      ['pooled', 12, 18, 2],
    ])
    expect(measureAgreement(ratings, 'text', 50).map(({ name }) => name)).toEqual(['notes'])
  })

  test('is told of each model that gave an answer, and counts an opinion on it once in all else', () => {
    const ofOther = ratings.slice(4).map((each) => ({ ...each, model: 'n', isShared: true }))
    const found = measureAgreement([...ratings, ...ofOther], 'text', 50)
    expect(found).toEqual([
      { ...measureAgreement(ratings, 'text', 50)[0], parts: expect.any(Array) as object },
    ])
    expect(found[0]?.parts?.map(({ name, answers, ratings: count }) => [name, answers, count])).toEqual([
      ['m', 6, 12],
      ['n', 4, 8],
    ])
  })

  test('has the ICC of z-scores, clinicians’ own, the lead, and metrics on the answers that have them', () => {
    const [found] = measureAgreement(ratings, 'text', 50)
    expect(found?.jury?.icc.value).toBeCloseTo(0.9147699556534424, 10)
    expect(found?.clinicians.icc.value).toBeCloseTo(1, 12)
    expect(found?.clinicians.pairs).toMatchObject([{ raters: ['ann', 'bob'], common: 6 }])
    expect(found?.jury?.lead.value).toBeCloseTo(0.9147699556534424 - 1, 10)
    expect(found?.metrics).toMatchObject([{ name: 'rouge_l', answers: 5, spearman: { value: 1 } }])
    expect(found?.replacement?.reason).toMatch(/no clinician has 30 answers/)
    // A figure that has its interval needs no reason.
    expect(found?.jury?.kappa?.interval).toBeTruthy()
    expect(found?.jury?.kappa).not.toHaveProperty('reason')
  })

  test('by the script has no draws, and without a jury no figure of one', () => {
    const [script] = measureAgreement(ratings, 'script', 50)
    expect(script?.jury?.icc.value).toBeCloseTo(0.9144220790861021, 10)
    expect(script?.jury?.icc).toMatchObject({
      interval: null,
      reason: expect.stringContaining('script') as string,
    })
    const [none] = measureAgreement(
      ratings.map((each) => ({ ...each, jury: [] })),
      'text',
      50,
    )
    expect([none?.jury, none?.replacement]).toEqual([null, null])
  })

  test('withholds an interval with the share of draws that have no value, told finer than the 5 % that it passes', () => {
    // Both of two clinicians are drawn in half of the draws.
    const [found] = measureAgreement(ratings, 'text', 200)
    const { reason = '' } = found?.clinicians.icc ?? {}
    const share = Number(/^(\d+\.\d) % of the draws .* more than 5 %$/.exec(reason)?.[1])
    expect(share).toBeGreaterThan(40)
    expect(share).toBeLessThan(65)
  })
})

describe('judges', () => {
  const run = (scores: Readonly<Record<string, readonly number[]>>, model = 'm/x'): ReportedScores => ({
    benchmark: 'notes',
    model,
    scores: Object.entries(scores).flatMap(([instance, own]) =>
      own.map((score, at) => ({ instance, judge: 'abc'.charAt(at), score })),
    ),
    sources: new Map(),
    isShown: true,
  })
  const family = (name: string): string => name.slice(0, 1)

  test('are lenient by the mean distance from all, over answers that all read, and agree within a point', () => {
    const [report] = judgesReports([run({ p: [1, 2], q: [3, 5], r: [4, 4.5], s: [5] })], family)
    expect(report?.answers).toBe(4)
    // b − mean: 0.5, 1 and 0.25; Student's of three: 4.302653 · s / √3.
    const lenient = report?.judges[1]
    expect(lenient).toMatchObject({ judge: 'b', family: 'b' })
    expect(lenient?.leniency?.value).toBeCloseTo(7 / 12, 12)
    const half = 4.302652729911275 * Math.sqrt(7 / 48 / 3)
    expect(lenient?.leniency?.interval?.low).toBeCloseTo(7 / 12 - half, 9)
    expect(lenient?.leniency?.interval?.high).toBeCloseTo(7 / 12 + half, 9)
    expect(report?.pairs).toMatchObject([{ judges: ['a', 'b'], answers: 3, within: 2 / 3 }])
    expect(report?.split.map(({ instance, scores }) => [instance, scores.length])).toEqual([
      ['q', 2],
      ['p', 2],
      ['r', 2],
    ])
    expect(report?.split[0]?.scores).toEqual([
      { judge: 'a', score: 3 },
      { judge: 'b', score: 5 },
    ])
  })

  test('are lenient to nobody alone, or where no answer was read by all', () => {
    const [alone] = judgesReports([run({ p: [1], q: [3] })], family)
    expect(alone?.judges).toMatchObject([{ judge: 'a', leniency: null }])
    const apart: ReportedScores = {
      ...run({}),
      scores: [
        { instance: 'p', judge: 'a', score: 1 },
        { instance: 'q', judge: 'b', score: 2 },
      ],
    }
    expect(judgesReports([apart], family)[0]?.judges.map(({ leniency }) => leniency)).toEqual([null, null])
  })
})

test.each<[PyValue, number | undefined, number | undefined]>([
  [4, 4, 4],
  [float(4.7), 4, 4.7],
  [float(-4.7), -4, -4.7],
  [true, 1, 1],
  [false, 0, 0],
  [12345678901234567890n, 12345678901234567000, 12345678901234567000],
  ['5', 5, 5],
  ['4.5', undefined, 4.5],
  ['four', undefined, undefined],
  [float(1e149), 1e149, 1e149],
  [float(1e150), undefined, undefined],
  [float(-1e150), undefined, undefined],
  [float(NaN), undefined, undefined],
  [null, undefined, undefined],
  [[4], undefined, undefined],
])('the score %s is read as a whole number and as any', (score, whole, any) => {
  const read = (as: 'int' | 'float'): unknown => {
    const found = judgeScores(new Map([['accuracy', new Map([['score', score]])]]), as)
    return found.kind === 'done' ? found.value[0] : found.kind === 'failed' ? found.cause.code : found
  }
  expect(read('int')).toBe(whole ?? 'score-not-a-number')
  expect(read('float')).toBe(any ?? 'score-not-a-number')
})

test('references found unsupported are left out, and models that change places named', () => {
  const verdicts = new Map([
    ['p', true],
    ['q', false],
    ['r', undefined],
  ] as const)
  const models = [
    {
      model: 'b',
      scores: new Map([
        ['p', 2],
        ['q', 1],
        ['r', 2],
      ]),
    },
    {
      model: 'a',
      scores: new Map([
        ['p', 1],
        ['q', 5],
        ['r', 1],
      ]),
    },
    { model: 'c', scores: new Map([['q', 2]]) },
    {
      model: 'd',
      scores: new Map([
        ['p', 1],
        ['q', 5],
        ['r', 1],
      ]),
    },
    { model: 'none', scores: new Map() },
  ]
  const report = goldReport(
    { benchmark: 'notes', judge: 'j' },
    verdicts,
    models.map((each) => ({ ...each, isRanked: true })),
  )
  expect(report).toMatchObject({ checked: 3, flagged: ['q'], unreadable: 1 })
  expect(
    report.rows.map(({ model, all, kept, flagged }) => [model, all.rank, kept.mean, flagged.answers]),
  ).toEqual([
    ['a', 1.5, 1, 1],
    ['d', 1.5, 1, 1],
    ['c', 3, null, 1],
    ['b', 4, 2, 1],
    ['none', null, null, 0],
  ])
  expect(report.rows[3]?.all.mean).toBeCloseTo(5 / 3, 12)
  expect(report.swaps).toEqual([
    ['a', 'b'],
    ['d', 'b'],
  ])
})
