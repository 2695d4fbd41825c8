import { expect, test } from 'vitest'
import { ownId, QuestionIds } from '../../../targets/runs/question-ids.ts'

test('A question has one name in all runs, wherever it stands, and an id one question', () => {
  const names = new QuestionIds()
  expect(names.of(['id0', 'id1', 'id2'], ['A', 'B', 'A'])).toEqual(['id0', 'id1', 'id2'])
  // One row before the others, another one gone; two alike keep their ids, or follow each other.
  expect(names.of(['id0', 'id1', 'id2', 'id3'], ['C', 'A', 'B', 'A'])).toEqual([
    'id0\u0000C',
    'id0',
    'id1',
    'id2',
  ])
  expect(names.of(['id2', 'id0'], ['A', 'A'])).toEqual(['id2', 'id0'])
  const [other = '', more = '', third = ''] = names.of(['id0', 'id3', 'id9'], ['C', 'A', 'A'])
  expect([other, more, third].map(ownId)).toEqual(['id0', 'id0', 'id2'])
  expect(names.of(['id4'], ['D'])).toEqual(['id4'])
})
