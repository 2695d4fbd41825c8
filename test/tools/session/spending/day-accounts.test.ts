import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { memoryStore } from '../../../../cache/memory-store.ts'
import { storeOver } from '../../../../cache/store.ts'
import type { PlacedEntry } from '../../../../targets/spend/ledger.ts'
import { createDayAccounts } from '../../../../tools/session/spending/session-spending.ts'
import { abandonedUsd } from '../../../../tools/session/spending/day-rows.ts'
import { problemOf } from '../../../rig/problem-of.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

const DAY = '2026-01-31'
const entry = (run: string, usd: number): PlacedEntry =>
  ({ run, usd, ceiling: usd, deployment: 'a', time: `${DAY}T10:00:00.000Z` }) as unknown as PlacedEntry

const accounts = (path: string, ledger: readonly PlacedEntry[] = [], run = 'mine') =>
  createDayAccounts({ path, store: memoryStore(), run, ledger: () => Promise.resolve(ledger) })

/** A row of a process that has ended. */
const leave = (path: string, name: string, row: object): void => {
  mkdirSync(join(path, 'spend'), { recursive: true })
  writeFileSync(join(path, 'spend', name), JSON.stringify({ owner: 'old_boot_1_2_3', ...row }))
}

const others = (path: string, ledger: readonly PlacedEntry[] = []) =>
  accounts(path, ledger).exclusively(DAY, (account) => account)

it('shows one run what another has spent and reserved', async () => {
  const path = temporaryFolder()
  accounts(path, [], 'other').write(DAY, { settled: new Map([['a', 1]]), reserved: new Map([['a', 2]]) })
  const account = await others(path)
  expect(account.settled.get('a')).toBe(1)
  expect(account.reserved.get('a')).toBe(2)
})

it('takes what a dead run had in flight for spent', async () => {
  const path = temporaryFolder()
  leave(path, `${DAY}.dead.json`, { run: 'dead', settled: { a: 1 }, reserved: { a: 2 } })
  const account = await others(path)
  expect(account.settled.get('a')).toBe(3)
  expect(account.reserved.size).toBe(0)
})

it('reads from the ledger what no row tells, and never counts a run twice', async () => {
  const path = temporaryFolder()
  leave(path, `${DAY}.dead.json`, { run: 'dead', settled: { a: 1 }, reserved: {} })
  const account = await others(path, [entry('dead', 1.5), entry('unseen', 4), entry('mine', 100)])
  expect(account.settled.get('a')).toBe(5.5)
})

it('clears earlier days’ rows, but not of runs that were killed', async () => {
  const path = temporaryFolder()
  leave(path, '2026-01-30.done.json', { run: 'done', settled: { a: 1 }, reserved: {} })
  leave(path, '2026-01-30.dead.json', { run: 'dead', settled: {}, reserved: { a: 1 } })
  expect((await others(path)).settled.size).toBe(0)
  expect(readdirSync(join(path, 'spend'))).toEqual(['2026-01-30.dead.json'])
})

it('names a row that cannot be read', async () => {
  const path = temporaryFolder()
  mkdirSync(join(path, 'spend'))
  writeFileSync(join(path, 'spend', `${DAY}.x.json`), '{')
  expect(await problemOf(() => others(path))).toMatchObject({ code: 'spend/damaged-row' })
})

it('leaves out this run’s own row, and what the ledger has of other days', async () => {
  const path = temporaryFolder()
  const mine = accounts(path, [
    entry('earlier', 1),
    entry('earlier', 2),
    { ...entry('earlier', 100), time: '2026-02-01T00:00:00.000Z' },
  ])
  mine.write(DAY, { settled: new Map([['a', 10]]), reserved: new Map([['a', 20]]) })
  const account = await mine.exclusively(DAY, (others) => others)
  expect([...account.settled]).toEqual([['a', 3]])
  expect(account.reserved.size).toBe(0)
})

it('keeps the rows of today, which may tell more than the ledger', async () => {
  const path = temporaryFolder()
  leave(path, `${DAY}.done.json`, { run: 'done', settled: { a: 2 }, reserved: {} })
  expect((await others(path, [entry('done', 1)])).settled.get('a')).toBe(2)
  expect(readdirSync(join(path, 'spend'))).toEqual([`${DAY}.done.json`])
})

it('counts as abandoned what killed runs had in flight from a day on, and nothing of a run that lives', () => {
  const path = temporaryFolder()
  expect(abandonedUsd(path, DAY)).toBe(0)
  leave(path, '2026-01-30.before.json', { run: 'before', settled: {}, reserved: { a: 100 } })
  leave(path, `${DAY}.dead.json`, { run: 'dead', settled: { a: 50 }, reserved: { a: 1, b: 2 } })
  leave(path, '2026-02-01.after.json', { run: 'after', settled: {}, reserved: { a: 4 } })
  accounts(path, [], 'alive').write(DAY, { settled: new Map(), reserved: new Map([['a', 8]]) })
  expect(abandonedUsd(path, DAY)).toBe(7)
})

it('decides alone: it waits for whoever decides on that store at the time', async () => {
  const path = temporaryFolder()
  const store = memoryStore()
  const told: string[] = []
  const claim: typeof store.claim = async (digest) => {
    told.push('asked')
    return told.length < 3 ? undefined : store.claim(digest)
  }
  const waiting = createDayAccounts({
    path,
    store: storeOver(store, { claim }),
    run: 'mine',
    ledger: async () => [],
  })
  await waiting.exclusively(DAY, () => told.push('decided'))
  expect(told).toEqual(['asked', 'asked', 'asked', 'decided'])
})
