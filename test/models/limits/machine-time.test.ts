import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { formatIdentity, identifyProcess, isStopped } from '../../../cache/processes/process-identity.ts'
import { shareOnMachine } from '../../../models/limits/machine-sharing.ts'
import type { Sharing } from '../../../models/limits/limiter.ts'
import { limitsMachine } from './limits-machine.ts'

const { folder, share: shareOf, deployment } = limitsMachine()
const share = (): Sharing => shareOf(4)
const inFolder = (name: string): string => join(deployment(), name)
/** How many calls of so many milliseconds may start now. */
const startNow = (sharing: Sharing, cost: number): number => {
  let calls = 0
  while (sharing.reserve(cost) === 0) calls += 1
  return calls
}

/** Makes calls as fast as it may, until it is given time for 20 of 10 milliseconds at once. */
const busy = (sharing: Sharing): void => {
  for (let call = 0; call < 209; call += 1) {
    expect(startNow(sharing, 10)).toBe(1)
    vi.advanceTimersByTime(10)
  }
  for (let call = 0; call < 2; call += 1) {
    expect(startNow(sharing, 10)).toBe(1)
    if (call === 0) vi.advanceTimersByTime(10)
  }
}

test('Who has one call to make leaves the time after it to the others.', () => {
  const all = [share(), share(), share()]
  for (let round = 0; round < 3; round += 1)
    for (const sharing of all) {
      expect(sharing.reserve(10)).toBe(0)
      vi.advanceTimersByTime(10)
    }
})

test('A folder that was removed is made anew, and shared again.', () => {
  const [one, other] = [share(), share()]
  expect([one.take(), other.take(), one.reserve(1000)]).toEqual([true, true, 0])
  rmSync(inFolder('.'), { recursive: true })
  vi.advanceTimersByTime(1000)
  expect([one.reserve(1000), other.reserve(1000)]).toEqual([0, 1000])
  expect([one.take(), other.take()]).toEqual([true, true])
})

test('Calls start one after the other, whichever process makes them.', () => {
  const [one, other] = [share(), share()]
  expect([one.reserve(1000), other.reserve(1000), one.reserve(1000)]).toEqual([0, 1000, 1000])
  vi.advanceTimersByTime(1000)
  expect([other.reserve(1000), one.reserve(1000)]).toEqual([0, 1000])
})

test('Who comes late makes up for 50 milliseconds of it, also where many calls were allowed at once.', () => {
  const [one, other] = [share(), share()]
  busy(one)
  expect(other.reserve(10)).toBe(200)
  vi.advanceTimersByTime(10)
  expect(startNow(one, 10)).toBe(1)
  vi.advanceTimersByTime(180)
  expect(startNow(one, 10)).toBeLessThanOrEqual(6)
  vi.advanceTimersByTime(5000)
  expect(startNow(other, 10)).toBeLessThanOrEqual(6)
})

test('A part of the time ends where the time of all does, though it began late.', () => {
  const one = share()
  expect(one.reserve(1000)).toBe(0)
  vi.advanceTimersByTime(1030)
  expect(one.reserve(1000)).toBe(0)
  vi.advanceTimersByTime(970)
  expect(one.reserve(1000)).toBe(0)
})

test('A call that took less than it was given lets the next one start earlier.', () => {
  const one = share()
  expect(one.reserve(60_000)).toBe(0)
  one.owe(-59_000)
  expect(one.reserve(1000)).toBe(1000)
  vi.advanceTimersByTime(1000)
  expect(one.reserve(1000)).toBe(0)
})

test('What comes back once its time is over is everybody’s.', () => {
  const [one, other] = [share(), share()]
  one.reserve(1000)
  vi.advanceTimersByTime(1000)
  expect(other.reserve(1000)).toBe(0)
  one.owe(-500)
  expect([one.reserve(1000), other.reserve(1000)]).toEqual([500, 1000])
  vi.advanceTimersByTime(500)
  expect(one.reserve(1000)).toBe(0)
})

test('Where nothing can be shared calls take what they took all the same.', () => {
  writeFileSync(join(folder(), 'taken'), '')
  const alone = shareOnMachine(join(folder(), 'taken'), 'a/b', 2, () => undefined)
  expect(alone.reserve(1000)).toBe(0)
  alone.owe(500)
  expect(alone.reserve(1000)).toBe(1500)
})

test('A call that took more holds all back, also where its process has ended.', () => {
  const [one, other] = [share(), share()]
  expect(one.reserve(1000)).toBe(0)
  one.owe(4000)
  one.close()
  other.owe(500)
  expect([other.reserve(1000), other.reserve(1000)]).toEqual([5500, 5500])
})

test('A time further off than an hour is believed only where calls are that far apart.', () => {
  const [one, other] = [share(), share()]
  expect(one.reserve(6_000_000)).toBe(0)
  expect(other.reserve(6_000_000)).toBe(6_000_000)
  expect(share().reserve(1000)).toBe(0)
})

test.each(['', '{"a"', '[1, 2]', '["of another boot", 1e15]', '{}', 'null'])(
  'A file that holds %o holds nobody up.',
  (text) => {
    expect(share().reserve(1000)).toBe(0)
    writeFileSync(inFolder('next.json'), text)
    expect(share().reserve(1000)).toBe(0)
  },
)

test('Who holds the time makes others wait, but not where it is stopped.', () => {
  share().members()
  const one = share()
  one.take()
  const child = spawn('sleep', ['60'])
  try {
    const pid = child.pid ?? 0
    const start = readFileSync(`/proc/${pid}/stat`, 'latin1').split(' ')[21] ?? ''
    symlinkSync(formatIdentity({ ...identifyProcess(), pid, start }), inFolder('next'))
    expect(one.reserve(1000)).toBe(20)
    child.kill('SIGSTOP')
    while (!isStopped(pid));
    expect([one.reserve(1000), one.reserve(1000)]).toEqual([0, 1000])
    expect(share().reserve(1000)).toBe(1000)
  } finally {
    child.kill('SIGKILL')
  }
})

test('A folder that is damaged leaves each process its own time.', () => {
  const one = share()
  one.take()
  mkdirSync(inFolder('next'))
  expect([one.reserve(1000), one.reserve(1000)]).toEqual([0, 1000])
})
