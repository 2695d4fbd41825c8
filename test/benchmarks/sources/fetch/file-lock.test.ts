import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withFileLock } from '../../../../benchmarks/sources/fetch/file-lock.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

const signal = new AbortController().signal

test('Work under one lock never overlaps.', async () => {
  const lock = join(temporaryFolder(), 'lock')
  const steps: string[] = []
  const work = async (name: string): Promise<void> => {
    steps.push(`${name} in`)
    await Promise.resolve()
    steps.push(`${name} out`)
  }
  await Promise.all(['a', 'b'].map((name) => withFileLock(lock, { signal }, () => work(name))))
  expect(steps.map((step) => step.slice(2))).toEqual(['in', 'out', 'in', 'out'])
  expect(existsSync(lock)).toBe(false)
})

test('The lock of a process that died is taken over.', async () => {
  const lock = join(temporaryFolder(), 'lock')
  writeFileSync(lock, String(2 ** 22 + 1))
  expect(await withFileLock(lock, { signal }, () => Promise.resolve('done'))).toBe('done')
})

test('A lock that nobody touches any more is taken over though a process has its number.', async () => {
  const lock = join(temporaryFolder(), 'lock')
  writeFileSync(lock, String(process.pid))
  utimesSync(lock, 0, 0)
  expect(await withFileLock(lock, { signal }, () => Promise.resolve('done'))).toBe('done')
})

test('Waiting ends when the signal is aborted, and tells who holds the lock.', async () => {
  const lock = join(temporaryFolder(), 'lock')
  writeFileSync(lock, String(process.pid))
  const controller = new AbortController()
  const holders: number[] = []
  const onWait = (holder: number): void => {
    holders.push(holder)
    controller.abort()
  }
  await expect(
    withFileLock(lock, { signal: controller.signal, onWait }, () => Promise.resolve()),
  ).rejects.toThrowError()
  expect(holders).toEqual([process.pid])
})
