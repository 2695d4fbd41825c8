import { expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import { currentRatings } from '../../../targets/ratings/current-ratings.ts'
import { addImported, type IncomingEvent } from '../../../tools/ratings/imported-ratings.ts'
import { openLog } from '../../../tools/ratings/study-folder.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const ANN = { study: 'ward', rater: 'ann' }

const given = (origin: string, of: string, at = '2026-01-02T03:04:05Z'): IncomingEvent => {
  const named = { answer: digestOf(of), rubric: digestOf('rubric') }
  return {
    comment: '',
    exported: named,
    event: {
      ...ANN,
      kind: 'rated',
      at,
      origin,
      subject: { benchmark: 'notes', instance: digestOf('i'), ...named },
      content: { nonce: '0'.repeat(32), scores: { tone: 3 } },
    },
  }
}

test('An export that comes back gives no rating back that was withdrawn since, and says so', async () => {
  const root = temporaryFolder()
  const place = {
    root,
    vault: {} as never,
    claim: () => Promise.resolve({ release: () => Promise.resolve() } as never),
  }
  await addImported(ANN, [given('p:1', 'a'), given('p:2', 'b')], place)
  const log = openLog(root, 'ward', 'ann')
  log.withdraw(log.events.slice(0, 1), '2026-01-03T00:00:00Z')
  const own = [given('table:1', 'a'), given('table:2', 'b')]
  expect(await addImported(ANN, own, place)).toMatchObject({ added: 0, known: 2, passed: 1 })
  // What was rated again is another rating.
  const anew = given('table:3', 'a', '2026-01-04T00:00:00Z')
  expect(await addImported(ANN, [...own, anew], place)).toMatchObject({ added: 1, known: 2 })
  expect(currentRatings(openLog(root, 'ward', 'ann').events)).toHaveLength(2)
})
