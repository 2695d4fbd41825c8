import { expect, test } from 'vitest'
import type { RatingEvent } from '../../../targets/ratings/event.ts'
import { keepEnd, lostEnd, markedRaters, markedStudies } from '../../../tools/ratings/log-ends.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const events = (...ids: readonly string[]): readonly RatingEvent[] =>
  ids.map((id) => ({ id })) as unknown as readonly RatingEvent[]

test('A log lacks something where the last event that was written here is not in it, whatever others wrote behind', () => {
  const root = createWorkspace()
  const log = 'main/ann.jsonl'
  expect(lostEnd(root, log, events())).toBeUndefined()
  keepEnd(root, log, { id: 'e2', events: 2 })
  expect(lostEnd(root, log, events('e1', 'e2', 'e3'))).toBeUndefined()
  expect(lostEnd(root, log, events('e1'))).toMatch(
    /^ratings\/main\/ann\.jsonl has 1 event, not the last of the 2 kept here/,
  )
  keepEnd(root, log, { id: 'e3', events: 3 })
  expect(lostEnd(root, log, events('e1', 'e2'))).toContain('delete cache/ratings/main/ann.jsonl')
})

test('Studies and raters of whom logs were written here are known, and the consensus is no rater', () => {
  const root = createWorkspace({ 'cache/ratings/empty/note': '', 'cache/ratings/.DS_Store': '' })
  expect([markedStudies(createWorkspace()), markedRaters(root, 'main')]).toEqual([[], []])
  keepEnd(root, 'main/ann.jsonl', { id: 'e', events: 1 })
  keepEnd(root, 'main/consensus/ratings.jsonl', { id: 'e', events: 1 })
  expect(markedStudies(root)).toEqual(['main'])
  expect(markedRaters(root, 'main')).toEqual(['ann'])
})
