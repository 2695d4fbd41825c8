import { appendFileSync, chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { currentRatings } from '../../../targets/ratings/current-ratings.ts'
import type { NewEvent } from '../../../targets/ratings/event.ts'
import { RatingLog, readLog } from '../../../tools/ratings/rating-log.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const digest = (digit: string): string => digit.repeat(64)

const event = (answer: string, score: number): NewEvent => ({
  study: 'main',
  rater: 'ann',
  kind: 'rated',
  at: '2026-01-01T00:00:00Z',
  subject: { benchmark: 'notes', instance: digest('1'), answer: digest(answer), rubric: digest('2') },
  content: { nonce: '0123456789abcdef', scores: { accuracy: score } },
})

const logOf = (...events: readonly NewEvent[]): { readonly file: string; readonly log: RatingLog } => {
  const file = join(temporaryFolder(), 'main', 'ann.jsonl')
  const log = new RatingLog(file)
  for (const each of events) log.append([log.next(each)])
  return { file, log }
}

describe('RatingLog', () => {
  it('holds every event in a chain, and the last of an answer counts', () => {
    const { file } = logOf(event('a', 3), event('b', 4), event('a', 5))
    const { events, isTorn } = readLog(file)
    expect([events.length, isTorn]).toEqual([3, false])
    const now = currentRatings(events)
    expect(now.map(({ content, changes }) => [content.scores['accuracy'], changes])).toEqual([
      [5, 1],
      [4, 0],
    ])
  })

  it('goes on behind a line that its writer left half, at every place where that may have ended', () => {
    const whole = readFileSync(logOf(event('a', 3)).file)
    const { file, log } = logOf(event('a', 3))
    const half = JSON.stringify(log.next(event('b', 4)))
    for (let length = 1; length <= half.length; length += 37) {
      writeFileSync(file, whole)
      appendFileSync(file, half.slice(0, length))
      expect(readLog(file)).toMatchObject({ isTorn: true })
      const again = new RatingLog(file)
      again.append([again.next(event('c', 2))])
      expect(readLog(file).events).toHaveLength(2)
      expect(readLog(file).isTorn).toBe(false)
    }
  })

  it('names the line that is missing, moved, doubled or changed', async () => {
    const { file } = logOf(event('a', 3), event('b', 4), event('c', 5))
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const [one = '', two = '', three = ''] = lines
    for (const [damaged, line] of [
      [[one, three], 2],
      [[two, one, three], 1],
      [[one, one, two, three], 2],
      [[one, two.replace('"accuracy":4', '"accuracy":5'), three], 2],
      [[one, two.replace('2026-01-01', '2026-01-02'), three], 2],
      [[one, two.replace('"rated"', '"guessed"'), three], 2],
    ] as const) {
      writeFileSync(file, damaged.map((each) => `${each}\n`).join(''))
      const found = await problemOf(() => readLog(file))
      expect(found).toMatchObject({ code: 'ratings/damaged-log', where: { line } })
    }
  })

  it('deletes what is withdrawn, keeps that it was given, and the chain holds', () => {
    const { file, log } = logOf(event('a', 3), event('b', 4))
    log.withdraw(log.events.slice(0, 1), '2026-01-02T00:00:00Z')
    log.append([log.next(event('c', 5))])
    const { events } = readLog(file)
    expect(events.map(({ kind, content }) => [kind, content === null])).toEqual([
      ['rated', true],
      ['rated', false],
      ['withdrawn', true],
      ['rated', false],
    ])
    expect(currentRatings(events)).toHaveLength(2)
    expect(readFileSync(file, 'utf8')).not.toContain('"accuracy":3')
  })

  it('deletes what is withdrawn where a link leads to, and leaves the file readable by whom it was', () => {
    const { file } = logOf(event('a', 3))
    const link = join(temporaryFolder(), 'ann.jsonl')
    chmodSync(file, 0o644)
    symlinkSync(file, link)
    const log = new RatingLog(link)
    log.withdraw(log.events, '2026-01-02T00:00:00Z')
    log.append([log.next(event('c', 5))])
    expect(readFileSync(file, 'utf8')).not.toContain('"accuracy":3')
    expect([readLog(file).events.length, statSync(file).mode & 0o777]).toEqual([3, 0o644])
  })
})
