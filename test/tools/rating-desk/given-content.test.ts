import { expect, test } from 'vitest'
import type { QueuedUnit } from '../../../targets/ratings/queue.ts'
import type { GivenRating } from '../../../targets/ratings/reasons.ts'
import { itemName } from '../../../targets/ratings/rubric/item-rubric.ts'
import { givenEvent } from '../../../tools/rating-desk/given-content.ts'

const unit = { benchmark: 'b', model: 'm', rubric: 'r', instance: 'i', answer: 'a' }
const queued = (isPractice: boolean): QueuedUnit => ({ unit, order: 3, number: 4, isPractice })
const given = (more: Partial<GivenRating>): GivenRating => ({
  item: 4,
  scores: { tone: 2, facts: 5 },
  reason: null,
  safety: false,
  comment: '',
  active_ms: 700,
  opened: [],
  ...more,
})
const NONCE = { nonce: expect.stringMatching(/^[0-9a-f]{32}$/) }

test('A rating is what was judged of it; a blank comment is none, and its words are not in the log', () => {
  expect(givenEvent(given({ comment: ' \n' }), queued(false), undefined)).toMatchObject({
    kind: 'rated',
    order: 3,
    subject: { answer: 'a' },
    content: { ...NONCE, scores: { tone: 2, facts: 5 }, active_ms: 700, opened: [] },
  })
  const { content } = givenEvent(
    given({ comment: 'Wrong dose.', safety: true, opened: ['prompt'] as never }),
    queued(false),
    undefined,
  )
  expect(content).toEqual({
    ...NONCE,
    scores: { tone: 2, facts: 5 },
    safety: true,
    comment: true,
    active_ms: 700,
    opened: ['prompt'],
  })
})

test('What could not be judged has its reason and no score, in whole or in part, and practice counts as such', () => {
  const part = givenEvent(
    given({ scores: { tone: 2, facts: null }, reason: 'other' }),
    queued(true),
    undefined,
  )
  expect(part).toMatchObject({
    kind: 'rated',
    practice: true,
    content: { scores: { tone: 2 }, reason: 'other' },
  })
  const none = givenEvent(given({ scores: {}, reason: 'other' }), queued(false), undefined)
  expect(none).toMatchObject({ kind: 'cannot-judge', content: { scores: {}, reason: 'other' } })
  expect(none).not.toHaveProperty('practice')
})

test('Of an instance’s own rubric a rating has the points as well: met ones over those above 0 that were judged', () => {
  const points = [5, 3, -2]
  const composite = (...met: readonly (number | null)[]) => {
    const scores = Object.fromEntries(met.map((each, at) => [itemName(at), each]))
    return givenEvent(given({ scores }), queued(false), points).content?.composite
  }
  expect(composite(1, 0, 0)).toBe(5 / 8)
  expect(composite(1, 0, 1)).toBe(3 / 8)
  expect(composite(null, 1, 0)).toBe(1)
  expect(composite(null, null, 1)).toBeNull()
})
