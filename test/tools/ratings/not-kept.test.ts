import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RatingLog, readLog } from '../../../tools/ratings/rating-log.ts'
import { withFailing } from '../../rig/failing-call.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const event = (at: string) => ({
  study: 'main',
  rater: 'ann',
  kind: 'rated' as const,
  at,
  subject: {
    benchmark: 'notes',
    instance: '1'.repeat(64),
    answer: 'a'.repeat(64),
    rubric: '2'.repeat(64),
  },
  content: { nonce: '0123456789abcdef', scores: { accuracy: 3 } },
})

// The second that is synced is the folder of a new file.
it.each([
  ['ftruncateSync', 1],
  ['closeSync', 1],
  ['fsyncSync', 1],
  ['fsyncSync', 2],
] as const)(
  'A rating of which the rater was told that it was not kept is not found later, and the next one is kept: %s, call %i.',
  (call, at) => {
    const file = join(temporaryFolder(), 'ann.jsonl')
    const log = new RatingLog(file)
    const append = (day: string): void => log.append([log.next(event(`2026-01-${day}T00:00:00Z`))])
    expect(() => withFailing(call, at, () => append('01'))).toThrow('EIO')
    expect(readLog(file).events).toHaveLength(0)
    append('02')
    expect(readLog(file).events.map((each) => each.at)).toEqual(['2026-01-02T00:00:00Z'])
  },
)
