import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { existsSync, lutimesSync, mkdirSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { oneByOne } from '../../../cache/claims/holding.ts'
import {
  formatIdentity,
  identifyProcess,
  type ProcessIdentity,
} from '../../../cache/processes/process-identity.ts'
import { bundleProgram } from '../../rig/bundle.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const { signal } = new AbortController()
const done = (): Promise<string> => Promise.resolve('done')

/** A folder in which a process holds the turn. @returns it, and the file of the holder's signs of life */
const heldBy = (holder: Partial<ProcessIdentity>): { folder: string; presence: string } => {
  const folder = join(temporaryFolder(), 'turns')
  const text = formatIdentity({ ...identifyProcess(), ...holder })
  const presence = join(folder, `here.${text}`)
  mkdirSync(folder)
  for (const link of [presence, join(folder, 'work')]) symlinkSync(text, link)
  return { folder, presence }
}

/** Waits for its turn until it is told of who has it. @returns their ids */
const waitedFor = async (folder: string): Promise<readonly number[]> => {
  const controller = new AbortController()
  const holders: number[] = []
  const onWait = (holder: number): void => {
    holders.push(holder)
    controller.abort()
  }
  await expect(
    oneByOne(folder, 'work', { signal: controller.signal, onWait }, () => expect.fail()),
  ).rejects.toThrowError('aborted')
  return holders
}

test('Work of one folder and name never overlaps, and leaves nothing behind.', async () => {
  const folder = join(temporaryFolder(), 'turns')
  const steps: string[] = []
  const work = async (name: string): Promise<void> => {
    steps.push(`${name} in`)
    await Promise.resolve()
    steps.push(`${name} out`)
  }
  const names = ['a', 'b', 'c']
  await Promise.all(names.map((name) => oneByOne(folder, 'work', { signal }, () => work(name))))
  expect(steps.map((step) => step.slice(2))).toEqual(['in', 'out', 'in', 'out', 'in', 'out'])
  expect(existsSync(folder)).toBe(false)
})

test('The turn of a process that is killed is taken over.', async () => {
  const folder = join(temporaryFolder(), 'turns')
  const program = await bundleProgram(join(import.meta.dirname, '../children/one-by-one.ts'))
  const holder = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  const onWait = (pid: number): void => {
    expect(pid).toBe(holder.pid)
    holder.kill('SIGKILL')
  }
  expect(await oneByOne(folder, 'work', { signal, onWait }, done)).toBe('done')
  expect(existsSync(folder)).toBe(false)
})

test('A process that only has the number of the one that died keeps nobody out.', async () => {
  const { folder } = heldBy({ start: '1' })
  expect(await oneByOne(folder, 'work', { signal }, done)).toBe('done')
  expect(existsSync(folder)).toBe(false)
})

test('Of this machine’s processes no clock is asked: a live one is waited for whatever it says.', async () => {
  const { folder, presence } = heldBy({ instance: 99 })
  lutimesSync(presence, 1, 1)
  expect(await waitedFor(folder)).toEqual([process.pid])
})

test.each([
  ['behind', 1],
  ['ahead', 4e9],
])(
  'One on another machine, whose clock is %s, is waited for while it gives signs of life, and no longer.',
  async (_, at) => {
    const { folder, presence } = heldBy({ boot: 'another', pid: 4711 })
    expect(await waitedFor(folder)).toEqual([4711])
    lutimesSync(presence, at, at)
    expect(await waitedFor(folder)).toEqual([4711])
    const clock = vi.spyOn(performance, 'now')
    onTestFinished(() => clock.mockRestore())
    // Each look is long after the one before.
    let now = 0
    clock.mockImplementation(() => (now += 10_000))
    expect(await oneByOne(folder, 'work', { signal }, done)).toBe('done')
    expect(existsSync(folder)).toBe(false)
  },
)

test('Who enters while the last one removes the folder makes it anew.', async () => {
  const folder = join(temporaryFolder(), 'turns')
  const { symlinkSync: link } = fs
  let removed = 0
  const replace = (own: typeof link): void => {
    fs.symlinkSync = own
    syncBuiltinESMExports()
  }
  replace((...parts) => {
    if (removed++ === 0) fs.rmdirSync(folder)
    link(...parts)
  })
  onTestFinished(() => replace(link))
  expect(await oneByOne(folder, 'work', { signal }, done)).toBe('done')
  expect(removed).toBeGreaterThan(1)
})

test('On a disk that knows no links the work is done all the same.', async () => {
  const { symlinkSync: link } = fs
  const replace = (own: typeof link): void => {
    fs.symlinkSync = own
    syncBuiltinESMExports()
  }
  replace(() => {
    throw Object.assign(new Error('no links'), { code: 'EPERM' })
  })
  onTestFinished(() => replace(link))
  expect(await oneByOne(join(temporaryFolder(), 'turns'), 'work', { signal }, done)).toBe('done')
})
