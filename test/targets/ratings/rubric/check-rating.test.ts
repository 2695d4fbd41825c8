import { describe, expect, it } from 'vitest'
import { Float } from '../../../../benchmarks/python/numbers/number.ts'
import { ratingFault } from '../../../../targets/ratings/rubric/check-rating.ts'
import { gradedScore } from '../../../../targets/ratings/rubric/graded-score.ts'
import { commonRubric, itemCriteria, itemScore } from '../../../../targets/ratings/rubric/item-rubric.ts'
import { givenMark, judgedScores } from '../../../../targets/ratings/reasons.ts'

const RUBRIC = {
  criteria: [
    { name: 'accuracy', title: 'Accuracy', text: '' },
    { name: 'clarity', title: 'Clarity', text: '' },
  ],
  scale: { least: 1, most: 5 },
}
const WHOLE = { scores: { accuracy: 1, clarity: 5 }, reason: null, safety: false, comment: '' }

const faultOf = (more: Partial<Parameters<typeof ratingFault>[0]>) =>
  ratingFault({ ...WHOLE, ...more }, RUBRIC)

describe('ratingFault', () => {
  it('takes whole ratings, gaps with a reason, and answers that cannot be judged at all', () => {
    for (const taken of [
      {},
      { scores: { accuracy: null, clarity: 2 }, reason: 'outside-expertise' as const },
      { scores: { accuracy: null, clarity: null }, reason: 'not-readable' as const },
      { scores: {}, reason: 'context-missing' as const },
      { scores: {}, reason: 'other' as const, comment: 'in Finnish' },
      { safety: true, comment: 'the dose' },
    ])
      expect(faultOf(taken), JSON.stringify(taken)).toBeUndefined()
  })

  it('says what is wrong, and where', () => {
    for (const [bad, fault] of [
      [{ scores: { accuracy: 0, clarity: 3 } }, { text: 'Accuracy: from 1 to 5.', criterion: 'accuracy' }],
      [{ scores: { accuracy: 3, clarity: 6 } }, { text: 'Clarity: from 1 to 5.', criterion: 'clarity' }],
      [{ scores: { accuracy: 3, clarity: 3, wit: 3 } }, { text: 'wit is no criterion of this rubric.' }],
      [{ scores: { accuracy: 3 } }, { criterion: 'clarity' }],
      [{ scores: { accuracy: null }, reason: 'other' as const, comment: 'x' }, { criterion: 'clarity' }],
      [{ scores: {} }, { criterion: 'accuracy' }],
      [{ scores: { accuracy: null, clarity: 3 } }, { field: 'reason' }],
      [{ reason: 'seen-before' as const }, { field: 'reason' }],
      [{ scores: {}, reason: 'other' as const, comment: ' \n' }, { field: 'comment' }],
      [{ safety: true, comment: '  ' }, { field: 'comment' }],
    ] as const)
      expect(faultOf(bad), JSON.stringify(bad)).toMatchObject(fault)
  })
})

describe('what holds for all instances of a jury', () => {
  const jury = {
    template: 'Accuracy (1-5)\nIs it right?',
    criteria: new Map([['accuracy', ['score']]]),
    scale: { least: 1, most: 5 },
  }

  it('is its rubric; where instances bring their own, that items are met or not', () => {
    expect(commonRubric(jury)).toMatchObject({
      criteria: [{ name: 'accuracy', title: 'Accuracy', text: 'Is it right?' }],
      scale: { least: 1, most: 5 },
    })
    expect(commonRubric({ ...jury, grading: { style: 'health-bench' } })).toMatchObject({
      digest: commonRubric(jury).digest,
      criteria: [],
      scale: { least: 0, most: 1 },
    })
  })
})

describe('what is kept of a rating', () => {
  it('leaves out what was not judged, and marks an item by whether anything was', () => {
    expect(judgedScores({ a: 1, b: null, c: 5 })).toEqual({ a: 1, c: 5 })
    expect([{ a: null, b: 2 }, { a: null }, {}].map((scores) => givenMark({ scores }))).toEqual([
      'r',
      'x',
      'x',
    ])
  })

  it('gives the share of the points of the items that were judged', () => {
    expect(itemScore([5, 3, -4], { 'item-1': 1, 'item-2': 0, 'item-3': 1 })).toBe(1 / 8)
    expect(itemScore([5, 3, -4], { 'item-2': 1 })).toBe(1)
    expect(itemScore([5, 3, -4], { 'item-3': 1 })).toBeUndefined()
    expect(itemScore([5], {})).toBeUndefined()
    expect(itemCriteria([{ criterion: 'Says when to come back' }])).toEqual({
      criteria: [{ name: 'item-1', title: 'Point 1', text: 'Says when to come back' }],
      scale: { least: 0, most: 1 },
      ends: { least: 'not met', most: 'met' },
    })
  })

  it('is held against what graders gave the same items', () => {
    const graded = (...met: readonly boolean[]) =>
      new Map([
        [
          'rubric',
          new Map<string, unknown>([
            ['score', new Float(0)],
            ['criteria', met.map((each) => new Map([['criteria_met', each]]))],
          ]),
        ],
      ])
    const items = [5, 3, -4].map(
      (points) =>
        new Map<string, unknown>([
          ['criterion', 'c'],
          ['points', points],
          ['tags', []],
        ]),
    )
    const state = {
      instance: { id: 'i', extraData: new Map([['rubrics', items]]) },
      annotations: new Map([
        [
          'g',
          new Map([
            ['one', graded(true, false, true)],
            ['two', graded(true, true, false)],
          ]),
        ],
      ]),
    }
    const jury = {
      annotator: 'g',
      criteria: new Map(),
      scale: { least: 0, most: 1 },
      grading: { style: 'health-bench' },
    }
    const reading = { jury, judges: ['one', 'two'], dialect: { scores: 'float' } }
    const over = (...judged: readonly string[]): number | null =>
      gradedScore(state as never, reading as never, new Set(judged), 0.7)
    // Of all of them the run has the score, by the rule of its profile.
    expect(over('item-1', 'item-2', 'item-3')).toBe(0.7)
    expect(over('item-1', 'item-2')).toBe((5 / 8 + 8 / 8) / 2)
    expect(over('item-1')).toBe(1)
    expect([over('item-3'), over()]).toEqual([null, null])
  })
})
