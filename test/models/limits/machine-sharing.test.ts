import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { formatIdentity, identifyProcess } from '../../../cache/processes/process-identity.ts'
import { shareOnMachine } from '../../../models/limits/machine-sharing.ts'
import type { Sharing } from '../../../models/limits/limiter.ts'
import { limitsMachine } from './limits-machine.ts'

const { folder, moveFolder, share, deployment } = limitsMachine()

const takeAll = (sharing: Sharing): number => {
  let taken = 0
  while (sharing.take()) taken += 1
  return taken
}
const slots = (): readonly string[] =>
  readdirSync(deployment())
    .filter((name) => name.startsWith('slot-'))
    .toSorted()

test('Nobody but this user sees what is shared.', () => {
  expect(share(1).take()).toBe(true)
  expect(statSync(deployment()).mode & 0o777).toBe(0o700)
})

test('Slots are of each deployment its own.', () => {
  expect(takeAll(share(2))).toBe(2)
  expect(takeAll(share(2, 'a/b http://y'))).toBe(2)
})

test('A newcomer is given an even part.', () => {
  expect(share(4).take()).toBe(true)
  const second = share(4)
  expect(takeAll(second)).toBe(2)
  expect(second.members()).toBe(2)
})

test('Slots of a process that has ended are taken over.', () => {
  const sharing = share(2)
  sharing.take()
  const ended = formatIdentity({ ...identifyProcess(), pid: 2 ** 22 + 1, start: '1' })
  symlinkSync(ended, join(deployment(), 'slot-1'))
  expect(sharing.take()).toBe(true)
})

test('What a process holds and can give back no more ends nothing.', () => {
  const sharing = share(2)
  expect(takeAll(sharing)).toBe(2)
  const slot = join(deployment(), 'slot-1')
  rmSync(slot)
  mkdirSync(slot)
  expect(() => sharing.give()).not.toThrow()
  expect(() => sharing.close()).not.toThrow()
})

test.each([
  ['stands before 1970', -400 * 86_400_000],
  ['is set back by a day', 1e12 - 86_400_000],
])('Nobody is held up where the clock %s.', (_, later) => {
  const sharing = share(4)
  expect(sharing.take()).toBe(true)
  sharing.tell({ wait: 100, rate: 5 })
  vi.setSystemTime(later)
  expect(sharing.news()).toEqual({ wait: 0 })
  expect(takeAll(sharing)).toBe(3)
  moveFolder()
  expect(share(4).news()).toEqual({ wait: 0 })
})

describe('A slot that is given back', () => {
  test('is kept for the next call of this process while there are slots for all.', () => {
    const sharing = share(3)
    expect(takeAll(sharing)).toBe(3)
    sharing.give()
    expect(slots()).toEqual(['slot-0', 'slot-1', 'slot-2'])
    expect(takeAll(sharing)).toBe(1)
  })

  test('goes to the others where this process has more than its part.', () => {
    const one = share(4)
    expect(takeAll(one)).toBe(4)
    const other = share(4)
    expect(other.take()).toBe(false)
    vi.advanceTimersByTime(200)
    one.give()
    one.give()
    expect(slots()).toHaveLength(2)
    expect(takeAll(other)).toBe(2)
    one.give()
    expect(slots()).toHaveLength(4)
  })

  test('or held is another’s once its process is done.', () => {
    const [one, other] = [share(3), share(3)]
    expect(takeAll(one)).toBe(3)
    one.give()
    one.close()
    expect(readdirSync(folder())).toEqual([])
    expect(takeAll(other)).toBe(3)
  })

  test('goes in turns where there are fewer slots than processes.', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const [one, other] = [share(1), share(1)]
    expect(one.take()).toBe(true)
    expect(other.take()).toBe(false)
    vi.advanceTimersByTime(200)
    one.give()
    expect(slots()).toEqual([])
    // Who had it waits a little, so that it is another's turn.
    expect(one.take()).toBe(false)
    expect(other.take()).toBe(true)
    other.give()
    vi.advanceTimersByTime(20)
    expect(one.take()).toBe(true)
  })

  test('more often than it was taken does no harm.', () => {
    const sharing = share(2)
    sharing.give()
    expect(takeAll(sharing)).toBe(2)
    for (let time = 0; time < 3; time += 1) sharing.give()
    expect(takeAll(sharing)).toBe(2)
  })
})

test('Who found none free looks again only after a while.', () => {
  const one = share(2)
  const other = share(2)
  expect(one.take()).toBe(true)
  expect(one.take()).toBe(true)
  expect(other.take()).toBe(false)
  one.close()
  expect(other.take()).toBe(false)
  vi.advanceTimersByTime(20)
  expect(other.take()).toBe(true)
})

test('Free slots go back as soon as others come, and all where nothing was called for long.', () => {
  const one = share(4)
  expect(takeAll(one)).toBe(4)
  for (let time = 0; time < 3; time += 1) one.give()
  const other = share(4)
  expect(other.take()).toBe(false)
  vi.advanceTimersByTime(200)
  expect(slots()).toHaveLength(2)
  expect(takeAll(other)).toBe(2)
  one.give()
  other.close()
  vi.advanceTimersByTime(400)
  expect(existsSync(deployment())).toBe(true)
  vi.advanceTimersByTime(400)
  // Nothing was learned, nobody is there: nothing stays.
  expect(readdirSync(folder())).toEqual([])
  expect(takeAll(one)).toBe(4)
})

test('All free slots go where the calls under way have the whole part of their process.', () => {
  const [one, other] = [share(3), share(3)]
  expect(takeAll(one)).toBe(3)
  for (let time = 0; time < 2; time += 1) one.give()
  expect(other.take()).toBe(false)
  vi.advanceTimersByTime(200)
  expect(slots()).toHaveLength(1)
})

test('A call under way keeps its slot however long it takes.', () => {
  const one = share(2)
  expect(one.take()).toBe(true)
  vi.advanceTimersByTime(60_000)
  expect(slots()).toEqual(['slot-0'])
  expect(one.members()).toBe(1)
})

describe('What was learned', () => {
  const learned = (): string => join(deployment(), 'learned.json')
  const heardBy = (value: unknown): ReturnType<Sharing['news']> => {
    const sharing = share(2)
    sharing.take()
    writeFileSync(learned(), typeof value === 'string' ? value : JSON.stringify(value))
    vi.advanceTimersByTime(200)
    sharing.take()
    return sharing.news()
  }
  const at = 1e12

  test('is told once, with what is left of the wait.', () => {
    const [one, other] = [share(2), share(2)]
    one.tell({ wait: 1000, rate: 0.5 })
    expect(JSON.parse(readFileSync(learned(), 'utf8'))).toEqual({ at, until: at + 1000, rate: 0.5 })
    other.take()
    vi.advanceTimersByTime(300)
    expect(other.news()).toStrictEqual({ wait: 700, rate: 0.5 })
    expect(other.news()).toStrictEqual({ wait: 0 })
    // Who told it knows it.
    one.take()
    expect(one.news()).toStrictEqual({ wait: 0 })
  })

  test.each([
    [-3_599_000, { wait: 0, rate: 2 }],
    [-3_700_000, { wait: 0 }],
    [3_700_000, { wait: 0 }],
  ])('is heard within an hour, and not %i milliseconds from now.', (age, news) => {
    expect(heardBy({ at: at + age, until: at, rate: 2 })).toStrictEqual(news)
  })

  test.each([
    ['half a file', '{"at": 1'],
    ['nothing', 'null'],
    ['a rate of nothing', { at, until: at, rate: 0 }],
    ['a rate that is a text', { at, until: at, rate: '1' }],
    ['no time', { until: at, rate: 1 }],
    ['no end', { at, rate: 1 }],
  ])('is not heard where the file holds %s.', (_, value) => {
    expect(heardBy(value)).toEqual({ wait: 0 })
  })

  test('stays for those who come later.', () => {
    const one = share(2)
    one.tell({ wait: 0, rate: 3 })
    one.close()
    expect(readdirSync(deployment())).toEqual(['learned.json'])
    const later = share(2)
    later.take()
    expect(later.news()).toStrictEqual({ wait: 0, rate: 3 })
  })
})

test('A folder that can’t be made is told, with the way to name another.', () => {
  writeFileSync(join(folder(), 'taken'), '')
  const sharing = shareOnMachine(join(folder(), 'taken'), 'a/b', 2)
  expect(() => sharing.take()).toThrow(/taken.* can't be used to share limits between processes/u)
})

test('Where the folder can’t be made limits hold for this process alone, if that is told.', () => {
  writeFileSync(join(folder(), 'taken'), '')
  const told: string[] = []
  const sharing = shareOnMachine(join(folder(), 'taken'), 'a/b', 2, ({ message }) => told.push(message))
  expect([sharing.take(), sharing.take(), sharing.take(), sharing.members()]).toEqual([true, true, true, 1])
  sharing.tell({ wait: 5, rate: 1 })
  for (let calls = 0; calls < 3; calls += 1) sharing.give()
  sharing.close()
  expect(told).toEqual([expect.stringContaining('to share limits')])
})
