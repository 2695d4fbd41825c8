import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { freeSpace, networkFileSystem } from '../../cache/disk-space.ts'
import { openStore } from '../../cache/open-store.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { storeStats } from '../../cache/store-stats.ts'
import { verifyStore } from '../../cache/verify-store.ts'
import { temporaryFolder } from '../rig/temporary-folder.ts'

const codeOf = (error: unknown): string | undefined =>
  error instanceof ProblemError ? error.problems[0]?.code : String(error)

test('puts are refused when the reserve is larger than what is free, and nothing is written', async () => {
  const path = join(temporaryFolder(), 'store')
  const first = await openStore({ path, onEvent: () => {} })
  await first.put('files', 'a', 1)
  await first.close()
  const store = await openStore({ path, reserveBytes: freeSpace(path) * 2, onEvent: () => {} })
  const results = await Promise.allSettled(
    Array.from({ length: 100 }, (_, n) => store.put('files', `b${n}`, n)),
  )
  for (const result of results)
    expect(codeOf(result.status === 'rejected' && result.reason)).toBe('cache/disk-full')
  expect(store.get('files', 'a')).toBe(1)
  expect(store.has('files', 'b0')).toBe(false)
  await store.close()
})

test('what makes room goes on where the disk has less than the reserve: removals, and moves out of files to be deleted', async () => {
  const path = join(temporaryFolder(), 'store')
  const first = await openStore({ path, onEvent: () => {} })
  await first.put('metrics', 'gone', 'x'.repeat(1000))
  await first.put('metrics', 'kept', 1)
  await first.close()
  const store = await openStore({ path, reserveBytes: freeSpace(path) * 2, onEvent: () => {} })
  await store.remove('metrics', 'gone')
  const { segments, freedBytes } = await store.compact()
  expect([segments, freedBytes > 1000]).toEqual([1, true])
  expect([store.has('metrics', 'gone'), store.get('metrics', 'kept')]).toEqual([false, 1])
  await expect(store.put('metrics', 'new', 1)).rejects.toThrow('cache/disk-full')
  await store.close()
  expect((await verifyStore(path, () => {})).sound).toBe(true)
})

test('no store is started on a disk without room for it', async () => {
  const path = join(temporaryFolder(), 'store')
  mkdirSync(path)
  const opening = openStore({ path, reserveBytes: freeSpace(path) * 2, onEvent: () => {} })
  await expect(opening).rejects.toThrow('cache/disk-full')
})

test('network file systems are known by their statfs type, however the system signs it', () => {
  expect(networkFileSystem(0x6969)).toBe('NFS')
  expect(networkFileSystem(0xff534d42)).toBe('CIFS')
  expect(networkFileSystem(0xff534d42 | 0)).toBe('CIFS')
  expect(networkFileSystem(statfsSync('/').type)).toBeUndefined()
})

/** 2,000 characters that no compression makes less than three quarters of: the disk is full after few puts. */
const wordy = (id: string): string =>
  createHash('shake256', { outputLength: 1500 }).update(id).digest('base64')

const disk = temporaryFolder()
const mounted = ((): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'none', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
afterAll(() => {
  if (mounted) execFileSync('umount', [disk])
})

// Needs the right to mount a small disk.
describe.skipIf(!mounted)('on a disk of 12 MB', () => {
  test.each([0, 1, 4])(
    'a reserve of %i MB ends puts with a problem, loses nothing and lets go on',
    async (mb) => {
      const path = join(disk, `store${mb}`)
      const store = await openStore({ path, reserveBytes: mb * 1e6, onEvent: () => {} })
      const stored: string[] = []
      const problems: unknown[] = []
      let next = 0
      const work = async (): Promise<void> => {
        while (problems.length === 0) {
          const id = `k${next++}`
          try {
            await store.put('metrics', id, { id, text: wordy(id) })
            stored.push(id)
          } catch (error) {
            problems.push(codeOf(error))
          }
        }
      }
      await Promise.all(Array.from({ length: 64 }, work))
      expect(new Set(problems)).toEqual(new Set(['cache/disk-full']))
      expect(stored.length).toBeGreaterThan(1000)
      expect(freeSpace(disk)).toBeGreaterThanOrEqual(mb * 1e6)
      for (const id of stored) expect(store.get('metrics', id)).toEqual({ id, text: wordy(id) })
      for (const id of stored.slice(0, 500)) await store.remove('metrics', id).catch(() => undefined)
      await store.close()
      expect(await verifyStore(path)).toMatchObject({ sound: true })
      rmSync(path, { recursive: true })
    },
  )

  test('a disk that others fill to the last byte ends puts with a problem', async () => {
    const path = join(disk, 'filled')
    const store = await openStore({ path, reserveBytes: 0, onEvent: () => {} })
    await store.put('files', 'before', 1)
    const filler = join(disk, 'filler')
    writeFileSync(filler, Buffer.alloc(freeSpace(disk) - 8192))
    await expect(store.put('files', 'during', 'x'.repeat(10_000))).rejects.toThrow('cache/disk-full')
    expect(store.get('files', 'before')).toBe(1)
    rmSync(filler)
    await store.put('files', 'after', 2)
    expect(store.get('files', 'after')).toBe(2)
    await store.close()
    const stats = await storeStats(path, () => {})
    expect(stats.tables.find(({ table }) => table === 'files')?.records).toBe(2)
    rmSync(path, { recursive: true })
  })
})
