import { describe, expect, test } from 'vitest'
import { float } from '../../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../../benchmarks/python/value.ts'
import type { ItemGrading } from '../../../../benchmarks/scenario/benchmark.ts'
import type { RubricItem } from '../../../../benchmarks/scenario/rubric.ts'
import { compareProfiles } from '../../../../targets/compare/profiles/compare-profiles.ts'
import {
  scoredBy,
  type ProfileReading,
  type ReadRequest,
  verdictScores,
} from '../../../../targets/compare/profiles/read-profile-run.ts'

const items = (...points: readonly number[]): readonly RubricItem[] =>
  points.map((each, index) => ({
    criterion: `c${index}`,
    points: each,
    pointsText: String(each),
    tags: [],
    raw: new Map(),
  }))

const judged = (key: string, met: readonly PyValue[]): PyValue =>
  new Map([
    [
      key,
      new Map<string, PyValue>([
        ['score', float(0)],
        ['criteria', met.map((each) => new Map([['criteria_met', each]]))],
      ]),
    ],
  ])

const judges = (...names: readonly string[]) => names.map((name) => ({ name, model: name, deployment: name }))
const AUTHORS: ItemGrading = { style: 'health-bench' }
const FORK: ItemGrading = { style: 'medhelm-0.8' }

describe('verdicts by either rule', () => {
  test('an undesirable item of -8 takes 8 points, or gives 2', () => {
    const annotation = new Map([['j', judged('rubric', [false, true])]])
    const scores = verdictScores(items(5, -8), annotation, { grading: AUTHORS, judges: judges('j') })
    expect(scores).toEqual({ 'health-bench': -1.6, 'medhelm-0.8': 2 / 7 })
  })

  test('are the mean of the judges, and each answers for itself', () => {
    const annotation = new Map([
      ['j', judged('accuracy', [true, false])],
      ['k', judged('accuracy', [true, true])],
    ])
    const scores = verdictScores(items(5, -5), annotation, { grading: FORK, judges: judges('j', 'k') })
    expect(scores).toEqual({ 'health-bench': 0.5, 'medhelm-0.8': 0.75 })
  })

  test("of one list that all judges share are each judge's own, and no comparison counts", () => {
    // Two items and a comparison of each judge, one judge behind the other, as medhelm 0.8.0 keeps them for both.
    const shared = judged('accuracy', [true, false, 7, false, true, 3])
    const annotation = new Map([
      ['j', shared],
      ['k', shared],
    ])
    const grading = { ...FORK, comparison: 'compare' }
    const scores = verdictScores(items(5, -5), annotation, { grading, judges: judges('j', 'k') })
    expect(scores).toEqual({ 'health-bench': 0, 'medhelm-0.8': 0.5 })
  })

  test.each([
    ['a grade is lacking, and nobody knows whose', judged('accuracy', [true])],
    ['a judge is lacking', undefined],
  ])('are unknown where %s', (_, annotation) => {
    const known = new Map(annotation === undefined ? [] : [['j', annotation]])
    expect(verdictScores(items(5, -5), known, { grading: FORK, judges: judges('j') })).toBeUndefined()
  })

  test('that are no yes or no count as medhelm 0.8.0 reads them, and by the other rule not at all', () => {
    const annotation = new Map([['j', judged('accuracy', ['TRUE', 1])]])
    const scores = verdictScores(items(5, -5), annotation, { grading: FORK, judges: judges('j') })
    expect(scores).toEqual({ 'health-bench': undefined, 'medhelm-0.8': 0.5 })
  })
})

const SENT = {
  'system message': 's',
  prompt: 'p',
  temperature: '0.5',
  max_tokens: '2048',
  'stop sequences': '',
  'number of answers': '1',
} as const

const request = (value: number | null, verdicts: ReadRequest['verdicts'], sent = {}): ReadRequest => ({
  question: 'q',
  unanswerable: false,
  request: { ...SENT, ...sent },
  answer: 'a',
  annotations: 'j',
  value,
  ...(verdicts && { verdicts }),
})

const reading = (grading: ItemGrading['style'], only: ReadRequest): ProfileReading => ({
  suite: 's',
  name: 'b',
  mainMetric: 'score',
  grading,
  requests: [only],
})

const OTHERWISE = { 'system message': '', temperature: '0', max_tokens: '512' }
const own = { 'health-bench': -1.6, 'medhelm-0.8': 0.25 }

describe('a difference of two rules of grading', () => {
  const authors = reading('health-bench', request(-1.6, own))
  const fork = reading('medhelm-0.8', request(0.75, { 'health-bench': 0.5, 'medhelm-0.8': 0.625 }, OTHERWISE))
  const parts = (a: ProfileReading, b: ProfileReading) =>
    compareProfiles(a, b).causes.map(({ cause, difference }) => [cause, difference])

  test("is folding on the authors' verdicts, then what is asked otherwise, then what is mixed in", () => {
    expect(parts(authors, fork)).toEqual([
      ['folded', 1.85],
      ['mixed-in', 0.125],
      ['asked-otherwise', 0.375],
    ])
    expect(compareProfiles(authors, fork).askedOtherwise).toEqual([
      'system message',
      'temperature',
      'max_tokens',
    ])
  })

  test('is the same the other way round', () => {
    expect(parts(fork, authors)).toEqual(
      parts(authors, fork).map(([cause, difference]) => [cause, -Number(difference)]),
    )
  })

  test("takes the other verdicts where the authors' can't be folded", () => {
    const bare = reading('health-bench', request(0.25, undefined))
    expect(parts(bare, fork)).toEqual([
      ['folded', 0.125],
      ['mixed-in', 0.125],
      ['asked-otherwise', 0.25],
    ])
  })

  test('is folding alone where one side was not run', () => {
    const other = scoredBy(authors, 'medhelm-0.8')
    expect(other).toMatchObject({ suite: 's', name: 'b', mainMetric: 'score' })
    expect(other && compareProfiles(authors, other, 'b')).toMatchObject({
      b: { mean: 0.25, rescored: true },
      causes: [{ cause: 'folded', requests: 1, changed: 1, difference: 1.85 }],
      askedOtherwise: [],
    })
    expect(scoredBy(authors, 'health-bench')).toBeUndefined()
  })
})
