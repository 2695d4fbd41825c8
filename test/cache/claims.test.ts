import { lstatSync, mkdirSync, readdirSync, symlinkSync, lutimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Claims, COMMIT, Patience } from '../../cache/claims/claims.ts'
import { CommitGate } from '../../cache/claims/holding.ts'
import {
  formatIdentity,
  identifyProcess,
  type ProcessIdentity,
} from '../../cache/processes/process-identity.ts'
import { temporaryFolder } from '../rig/temporary-folder.ts'

afterEach(() => void vi.restoreAllMocks())

const isTaken = (taking: ReturnType<Claims['take']>): boolean => 'release' in taking

/** Leaves in the folder what a process would that held `name` when it was stopped. */
const leave = (folder: string, holder: Partial<ProcessIdentity>, ...links: string[]): string => {
  const text = formatIdentity({ ...identifyProcess(), start: '1', ...holder })
  mkdirSync(folder, { recursive: true })
  for (const link of [`here.${text}`, `open.${text}`, ...links]) symlinkSync(text, join(folder, link))
  return text
}

test('a dead holder’s name is taken over, once', () => {
  const folder = join(temporaryFolder(), 'claims')
  leave(folder, {}, 'name')
  const [one, other] = [new Claims(folder), new Claims(folder)]
  const taking = one.take('name')
  expect(isTaken(taking)).toBe(true)
  expect(other.take('name')).toEqual({ heldBy: process.pid })
  expect(one.take('name')).toEqual({ heldBy: process.pid })
  if ('release' in taking) taking.release()
  expect(isTaken(other.take('name'))).toBe(true)
  expect(one.take('name')).toEqual({ heldBy: process.pid })
  one.close()
  other.close()
})

test('a holder that took over from a dead one and died is succeeded as well', () => {
  const folder = join(temporaryFolder(), 'claims')
  const first = leave(folder, { instance: 71 }, 'name')
  const second = leave(folder, { instance: 72 }, `name~${first}`)
  leave(folder, { instance: 73 }, `name~${second}`)
  const claims = new Claims(folder)
  const taking = claims.take('name')
  expect(isTaken(taking)).toBe(true)
  expect(claims.take('name')).toEqual({ heldBy: process.pid })
  if ('release' in taking) taking.release()
  expect(isTaken(claims.take('name'))).toBe(true)
  claims.close()
})

test('a name is one more name of the announcement, or a link of its own where that was swept', () => {
  const folder = join(temporaryFolder(), 'claims')
  const [one, other] = [new Claims(folder), new Claims(folder)]
  const inode = (name: string): number => lstatSync(join(folder, name)).ino
  expect(isTaken(one.take('shared'))).toBe(true)
  expect(inode('shared')).toBe(inode(`here.${one.self}`))
  const shared = inode('shared')
  other.oust(one.self)
  const taking = one.take('own')
  expect(isTaken(taking)).toBe(true)
  expect(inode('own')).not.toBe(shared)
  expect(other.take('own')).toEqual({ heldBy: process.pid })
  if ('release' in taking) taking.release()
  expect(readdirSync(folder)).not.toContain('own')
  one.close()
  other.close()
})

test('who was taken for gone gives nothing back: the name is its successor’s', () => {
  const folder = join(temporaryFolder(), 'claims')
  const [one, other] = [new Claims(folder), new Claims(folder)]
  const taking = one.take('name')
  // What another container's process does that gets no sign of life from the first.
  symlinkSync(other.self, join(folder, `name~${one.self}`))
  if ('release' in taking) taking.release()
  expect(readdirSync(folder).filter((name) => name.startsWith('name'))).toEqual(['name', `name~${one.self}`])
  other.close()
  one.close()
})

test('a commit that finds the gate shut takes its mark back, and leaves none behind', async () => {
  const folder = join(temporaryFolder(), 'claims')
  const [one, other] = [new Claims(folder), new Claims(folder)]
  const shut = other.take('gate')
  const marks: number[] = []
  const patience = new Patience(() => marks.push(other.others(COMMIT).length), 0)
  const commit = new CommitGate(one, patience).committing(() => other.others(COMMIT))
  expect(marks).toEqual([0])
  if ('release' in shut) shut.release()
  expect(await commit).toEqual([process.pid])
  expect(other.others(COMMIT)).toEqual([])
  one.close()
  other.close()
})

test('only those count as others that marked their use', () => {
  const folder = join(temporaryFolder(), 'claims')
  const [one, other] = [new Claims(folder), new Claims(folder)]
  expect(one.others()).toEqual([])
  other.mark()
  one.mark()
  expect(one.others()).toEqual([process.pid])
  other.close()
  expect(one.others()).toEqual([])
  one.close()
})

test('a process of another boot may be another machine’s: it lives as long as it gives signs of life', () => {
  const folder = join(temporaryFolder(), 'claims')
  const text = leave(folder, { boot: 'another', pid: 78 }, 'name')
  const claims = new Claims(folder)
  expect(claims.strangers()).toMatchObject([{ text, pid: 78 }])
  expect(claims.others()).toEqual([78])
  expect(claims.take('name')).toEqual({ heldBy: 78 })
  claims.oust(text)
  expect(claims.strangers()).toEqual([])
  expect(claims.hasEnded(text)).toBe(true)
  expect(isTaken(claims.take('name'))).toBe(true)
  claims.close()
})

test('a process that others took for gone finds out', () => {
  const folder = join(temporaryFolder(), 'claims')
  const [one, other] = [new Claims(folder), new Claims(folder)]
  expect(one.isOusted()).toBe(false)
  other.oust(one.self)
  expect([one.isOusted(), other.isOusted()]).toEqual([true, false])
  one.close()
  other.close()
})

describe('holders that each took the other for gone keep nobody busy for ever', () => {
  test.each([
    ['gone', { start: '1' }, { start: '1' }, undefined],
    ['gone but one', { start: '1' }, { namespace: '1', pid: 77 }, 77],
  ])('when they are %s', (_, first, second, heldBy) => {
    const folder = join(temporaryFolder(), 'claims')
    const a = leave(folder, { instance: 81, ...first }, 'name')
    const b = leave(folder, { instance: 82, ...second }, `name~${a}`)
    symlinkSync(a, join(folder, `name~${b}`))
    const claims = new Claims(folder)
    const taking = claims.take('name')
    if (heldBy === undefined) expect(isTaken(taking)).toBe(true)
    else expect(taking).toEqual({ heldBy })
    claims.sweep()
    claims.close()
  })
})

test.each([
  ['long past', 1],
  ['to come', 2e9],
])(
  'a process in another container lives unless it gives no sign of life while it is looked at, were its last one %s',
  (_, at) => {
    const folder = join(temporaryFolder(), 'claims')
    const text = leave(folder, { namespace: '1', pid: 77 }, 'name')
    const claims = new Claims(folder)
    const clock = vi.spyOn(performance, 'now')
    const look = (now: number): unknown => {
      clock.mockReturnValue(now)
      return [claims.others(), claims.take('name')]
    }
    const lives = [[77], { heldBy: 77 }]
    expect([look(0), look(59_999)]).toEqual([lives, lives])
    const beat = (time: number): void => lutimesSync(join(folder, `here.${text}`), time, time)
    // A clock was set: the next sign of life comes in time.
    beat(at)
    expect([look(60_000), look(65_999)]).toEqual([lives, lives])
    beat(at + 2)
    expect([look(66_000), look(71_999)]).toEqual([lives, lives])
    clock.mockReturnValue(72_000)
    expect(claims.others()).toEqual([])
    expect(claims.hasEnded(text)).toBe(false)
    expect(isTaken(claims.take('name'))).toBe(true)
    claims.close()
  },
)

test('sweeping removes what the dead left and nothing else', () => {
  const folder = join(temporaryFolder(), 'claims')
  const dead = leave(folder, {}, 'a', 'b', 'orphan~nobody')
  const claims = new Claims(folder)
  const successor = new Claims(folder)
  expect(isTaken(successor.take('b'))).toBe(true)
  expect(isTaken(successor.take('c'))).toBe(true)
  claims.sweep()
  expect(readdirSync(folder).sort()).toEqual(
    ['b', `b~${dead}`, 'c', `here.${claims.self}`, `here.${successor.self}`].sort(),
  )
  expect(claims.take('b')).toEqual({ heldBy: process.pid })
  successor.close()
  claims.close()
  expect(readdirSync(folder)).toEqual([])
})

test('what a file manager left among the claims keeps nobody out, and stays', () => {
  const folder = join(temporaryFolder(), 'claims')
  leave(folder, {}, 'name')
  writeFileSync(join(folder, '.DS_Store'), '')
  const claims = new Claims(folder)
  claims.sweep()
  claims.close()
  expect(readdirSync(folder)).toEqual(['.DS_Store'])
})
