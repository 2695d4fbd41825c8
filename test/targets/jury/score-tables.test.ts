import { describe, expect, it } from 'vitest'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { goldOf, readGoldReply } from '../../../targets/jury/gold-check.ts'
import { judgeTable } from '../../../targets/jury/judge-table.ts'
import { probeEffect } from '../../../targets/jury/probe-effects.ts'
import { publishedAgreement } from '../../../targets/jury/published-agreement.ts'
import { namedRatings } from '../../../targets/jury/rated-answers.ts'
import {
  judgedScore,
  storedJudgements,
  emptyAnnotation,
  type JuryReading,
} from '../../../targets/jury/stored-judgements.ts'
import type { Rating } from '../../../targets/jury/study/ratings.ts'
import { bestFirstRanks, standingsOf, swapsOf } from '../../../targets/jury/study/standings.ts'
import { dialectOf } from '../../../targets/profile.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import { juryOf } from '../../../tools/ratings/rated-runs.ts'

const pairs = (a: readonly number[], b: readonly number[]) =>
  a.map((value, index) => ({ a: value, b: b[index] ?? NaN, weight: 1 }))

describe('agreement as the paper computes it', () => {
  it('is of z-scores by its text, of means of raw and z-scored by its script', () => {
    const found = publishedAgreement(pairs([1, 2, 3, 4], [20, 10, 40, 30]), 'text', 0.95)
    // Of z-scores with r = 0.6: 2r / (1 + r).
    expect(found?.icc).toBeCloseTo(0.75, 12)
    expect(found?.spearman).toBeCloseTo(0.6, 12)
    // Fisher: tanh(atanh 0.6 ± 1.96 / √1).
    expect(found?.spearmanInterval?.low).toBeCloseTo(-0.8529, 3)
    expect(found?.spearmanInterval?.high).toBeCloseTo(0.9901, 3)
    expect(found?.iccInterval?.low).toBeLessThan(0.75)
    expect(found?.iccInterval?.high).toBeGreaterThan(0.75)
    // 2 (1 − Σ variances / variance of the sum), with sd (1.29 + 1) / 2 and (12.9 + 1) / 2.
    expect(publishedAgreement(pairs([1, 2, 3, 4], [20, 10, 40, 30]), 'script', 0.95)?.icc).toBeCloseTo(
      0.32274215271903506,
      12,
    )
  })

  it('is not determined by one answer, or where a side never differs', () => {
    expect(publishedAgreement(pairs([1], [2]), 'text', 0.95)).toBeNull()
    expect(publishedAgreement(pairs([2, 2, 2], [1, 2, 3]), 'text', 0.95)).toBeNull()
    expect(publishedAgreement(pairs([1, 2, 3], [2, 2, 2]), 'text', 0.95)).toBeNull()
    expect(publishedAgreement([], 'text', 0.95)).toBeNull()
    expect(publishedAgreement(pairs([1, 2], [1, 2]), 'text', 0.95)).toMatchObject({
      icc: 1,
      iccInterval: null,
      spearman: 1,
    })
  })
})

const READING: JuryReading = {
  jury: { annotator: 'jury', scale: { least: 1, most: 5 }, criteria: new Map([['accuracy', ['score']]]) },
  judges: ['gpt', 'claude'],
  dialect: dialectOf('helm-0.5.16'),
}

const state = (id: string, replies: Readonly<Record<string, string>> | 'blank', trial = 0): RequestState =>
  ({
    instance: { id, input: { text: '' }, references: [], split: 'test' },
    trainTrialIndex: trial,
    annotations: new Map<string, PyValue>([
      [
        'jury',
        replies === 'blank'
          ? emptyAnnotation()
          : new Map([
              ['prompt_text', 'P'],
              ...Object.entries(replies).map(([judge, text]) => [judge, loads(text)] as const),
            ]),
      ],
    ]),
  }) as unknown as RequestState

const GOOD = '{"accuracy": {"score": 4}, "clarity": {"score": 1}}'

describe('judgements of a built run', () => {
  it('are one a judge, whether or not it could be read; blanks were not judged', () => {
    const found = storedJudgements(state('i1', { claude: GOOD }), READING)
    expect(found.map(({ judge, parsed, reading }) => [judge, parsed === undefined, reading])).toEqual([
      ['gpt', true, { kind: 'failed', cause: 'judge-unparseable' }],
      ['claude', false, { kind: 'scores', scores: [4, 1] }],
    ])
    expect(storedJudgements(state('i1', 'blank'), READING)).toEqual([])
    const instance = state('i1', {}).instance
    expect(storedJudgements({ instance }, READING)).toEqual([])
    expect(storedJudgements({ instance, annotations: new Map([['jury', 'text']]) }, READING)).toEqual([])
    expect(storedJudgements({ instance, annotations: new Map([['other', loads(GOOD)]]) }, READING)).toEqual(
      [],
    )
  })

  it('have the mean of all scores that count, not of the judges’ means', () => {
    const one = '{"accuracy": {"score": 5}}'
    expect(judgedScore(state('i1', { gpt: GOOD, claude: one }), READING)).toBeCloseTo(10 / 3, 12)
    expect(judgedScore(state('i1', { gpt: GOOD, claude: '{"accuracy": {"score": 9}}' }), READING)).toBe(2.5)
    expect(judgedScore(state('i1', { gpt: '{"accuracy": {"score": 9}}' }), READING)).toBeNull()
  })

  it('are held against a rating of the same criteria alone', () => {
    const answer = { instance: 'i1', answer: 'a', rubric: 'r' }
    const of = juryOf([
      {
        run: {
          jury: { criteria: new Map(['accuracy', 'clarity'].map((name) => [name, ['score']])) },
          reading: READING,
          view: { state: () => state('i1', { gpt: GOOD, claude: GOOD }) },
        },
        answers: [{ ...answer, jury: 2.5 }],
      },
    ] as unknown as Parameters<typeof juryOf>[0])
    const held = (scores: object, more: object = {}): number | null =>
      of({ subject: { ...answer, benchmark: 'b' }, content: { nonce: '0', scores: { ...scores }, ...more } })
    expect(held({ accuracy: 3, clarity: 3 })).toBe(2.5)
    expect(held({ accuracy: 3 })).toBe(4)
    // Points of an instance's own rubric, of which some were judged.
    expect(held({ 'item-1': 1 }, { composite: 1 })).toBe(2.5)
  })

  it('are a row each of every trial’s, where they count', () => {
    const states = [
      state('i1', { gpt: GOOD, claude: '{"accuracy": {"score": 9}}' }),
      state('i2', { claude: GOOD }),
      state('i2', { claude: GOOD, gpt: GOOD }, 1),
      state('i3', 'blank'),
      state('i4', { gpt: '{}' }),
    ]
    expect(judgeTable(states, READING)).toEqual([
      { instance: 'i1', judge: 'gpt', score: 2.5 },
      { instance: 'i2', judge: 'claude', score: 2.5 },
      { instance: 'i2', trial: 1, judge: 'gpt', score: 2.5 },
      { instance: 'i2', trial: 1, judge: 'claude', score: 2.5 },
    ])
    const jury = { ...READING.jury, criteria: new Map([['accuracy', ['score']]]) }
    const one = [state('i1', { gpt: '{"accuracy": {"score": 4}}' })]
    expect(judgeTable(one, { ...READING, jury })).toEqual([{ instance: 'i1', judge: 'gpt', score: 4 }])
  })
})

const rating = (
  rater: string,
  instance: string,
  scores: readonly number[],
  more: Partial<Rating> = {},
): Rating => ({
  rater,
  benchmark: 'b',
  instance,
  model: 'm',
  scores,
  jury: [],
  metrics: new Map(),
  ...more,
})

describe('ratings as a table', () => {
  const rows = [
    rating('zoe', 'i2', [4, 5], { jury: [1, 2], metrics: new Map([['rouge', 0.5]]) }),
    rating('ann', 'i2', [2, 3], { jury: [1, 2], metrics: new Map([['rouge', 0.5]]) }),
    rating('ann', 'i1', [1, 1], { source: 'p' }),
  ]

  it('has raters and answers in order, and the mean over the criteria', () => {
    expect(namedRatings(rows)).toEqual({
      raters: ['ann', 'zoe'],
      answers: ['["b","i1","m"]', '["b","i2","m"]'],
      rated: {
        scores: [
          [1, 2.5],
          [null, 4.5],
        ],
        jury: [null, 1.5],
        sources: ['["p"]', '["b","i2"]'],
      },
    })
    expect(namedRatings(rows.toReversed())).toEqual(namedRatings(rows))
  })

  it('has the jury’s score of all criteria where a rater could judge some, whoever comes last', () => {
    const part = rating('bob', 'i2', [5], { criteria: ['clarity'], jury: [2] })
    const whole = rows.slice(0, 1).map((row) => ({ ...row, criteria: ['accuracy', 'clarity'] }))
    for (const given of [
      [part, ...whole],
      [...whole, part],
    ])
      expect(namedRatings(given).rated).toMatchObject({ scores: [[5], [4.5]], jury: [1.5] })
  })

  it('has of a run’s jury the criteria that a rater of the answer could judge, the whole score where all were', () => {
    // A judge may have added a criterion of its own, which is in the whole score.
    const juryBy = new Map([
      ['accuracy', 4],
      ['clarity', 2],
    ])
    const of = (rater: string, instance: string, criteria: readonly string[]): Rating =>
      rating(
        rater,
        instance,
        criteria.map(() => 4),
        { criteria, jury: [3.2], juryBy },
      )
    const [part, whole] = [of('ann', 'i1', ['accuracy']), of('ann', 'i2', ['accuracy', 'clarity'])]
    const other = [of('ann', 'i3', ['accuracy']), of('bob', 'i3', ['clarity'])]
    expect(namedRatings([part, whole, ...other]).rated.jury).toEqual([4, 3.2, 3.2])
    expect(namedRatings([{ ...part, jury: [], juryBy: new Map() }]).rated.jury).toEqual([null])
    const graded = rating('ann', 'i4', [0.5], { jury: [0.4], juryBy })
    expect(namedRatings([graded]).rated.jury).toEqual([0.4])
  })

  it('has another metric in the jury’s place', () => {
    expect(namedRatings(rows, 'rouge').rated.jury).toEqual([null, 0.5])
    expect(namedRatings(rows, 'bleu').rated.jury).toEqual([null, null])
  })
})

describe('places', () => {
  it('are shared by equal scores, and two swap only where both orders are strict', () => {
    expect(bestFirstRanks([1, 3, 3, 0])).toEqual([3, 1.5, 1.5, 4])
    expect(bestFirstRanks([])).toEqual([])
    const swaps = (before: readonly number[], after: readonly number[], ranked = [true, true]) => {
      const of = (means: readonly number[]) =>
        standingsOf(
          means.map((mean) => ({ mean, instances: 1 })),
          ranked,
        )
      return swapsOf(of(before), of(after))
    }
    expect(swaps([1, 2], [2, 1])).toEqual([[1, 0]])
    expect(swaps([2, 1], [1, 2])).toEqual([[0, 1]])
    expect(swaps([1, 2], [1, 3])).toEqual([])
    expect(swaps([1, 2], [1, 1])).toEqual([])
    expect(swaps([1, 1], [2, 1])).toEqual([])
    expect(swaps([1, 1], [1, 1])).toEqual([])
    // Sums in another order, and a run under its floor.
    expect(swaps([0.1 + 0.2, 0.3], [1, 2])).toEqual([])
    expect(swaps([1, 2], [2, 1], [true, false])).toEqual([])
  })
})

describe('effects of a probe', () => {
  const of = { benchmark: 'b', probe: 'turned', judge: 'j' } as const
  it('count a score that stayed as neither risen nor fallen', () => {
    const answers = [3, 4, 2, 3].map((after, index) => ({ before: 3, after, source: `${index}` }))
    expect(probeEffect(of, answers, [1, 5])).toMatchObject({ answers: 4, change: 0, rose: 0.25, fell: 0.25 })
    expect(probeEffect(of, [], [1, 5])).toEqual({
      ...of,
      answers: 0,
      change: null,
      interval: null,
      p: null,
      rose: 0,
      fell: 0,
    })
  })
})

describe('a check of references', () => {
  it('asks about a text that is there, and takes 1 or 0 alone for an answer', () => {
    expect(goldOf({ references: [{ text: ' rest ', tags: [] }] as never })).toBe(' rest ')
    expect([
      goldOf({ references: [] }),
      goldOf({ references: [{ text: ' \n', tags: [] }] as never }),
    ]).toEqual([undefined, undefined])
    expect(['1', ' 0.', '"1"', '10', '1 0', 'yes', ''].map(readGoldReply)).toEqual([
      true,
      false,
      true,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
