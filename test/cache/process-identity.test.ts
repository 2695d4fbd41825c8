import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  formatIdentity,
  identifyProcess,
  parseIdentity,
  standingOf,
} from '../../cache/processes/process-identity.ts'
import { bundleProgram } from '../rig/bundle.ts'

const self = identifyProcess()

test('an identity survives being written and read', () => {
  expect(parseIdentity(formatIdentity(self))).toEqual(self)
  expect(formatIdentity(self)).not.toContain('/')
  for (const text of ['', 'a_b', 'a_b_x_d_0', 'a_b_1_d_0_e']) expect(parseIdentity(text)).toBeUndefined()
})

test('an identity fits into a link’s inode, however long the machine has been up', () => {
  const longest = { ...self, namespace: '4026531836', pid: 4_194_304, start: '315360000000', instance: 999 }
  expect(formatIdentity(longest).length).toBeLessThan(60)
})

test('this process lives', () => {
  expect(standingOf(self, self)).toBe('alive')
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim().replaceAll('-', '')
  const ofEarlierVersion = parseIdentity(formatIdentity({ ...self, boot }))
  expect(ofEarlierVersion).toEqual(self)
})

test('a process that has ended is gone', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  expect(standingOf({ ...self, pid }, self)).toBe('gone')
})

test('a process id that was given to another process does not count', () => {
  expect(standingOf({ ...self, start: `${self.start}1` }, self)).toBe('gone')
})

test('a process that has ended but was not waited for is gone', async () => {
  // The shell replaces itself by sleep, which never asks how its child ended.
  const command = 'sleep 60 & echo $!; exec sleep 60'
  const parent = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (data) => resolve(Number(String(data)))),
    )
    const told = (of: number | undefined, file: string): string =>
      readFileSync(`/proc/${of}/${file}`, 'latin1').trim()
    for (const each of [parent.pid, pid]) await expect.poll(() => told(each, 'comm')).toBe('sleep')
    // Behind the name in brackets comes the state, and 19 words on when it started.
    const start = told(pid, 'stat').split(') ').at(-1)?.split(' ')[19] ?? ''
    expect(standingOf({ ...self, pid, start }, self)).toBe('alive')
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => standingOf({ ...self, pid, start }, self)).toBe('gone')
  } finally {
    parent.kill('SIGKILL')
  }
})

test('a process whose state can’t be read is not taken for gone', async () => {
  const program = await bundleProgram(join(import.meta.dirname, 'children', 'crowded.ts'))
  const { stdout } = spawnSync('sh', ['-c', `ulimit -n 64; exec "$0" "$1"`, process.execPath, program])
  expect(String(stdout)).toBe('unknown')
})

test('a process of another container is not judged by its id', () => {
  expect(standingOf({ ...self, namespace: '1' }, self)).toBe('unknown')
  expect(standingOf({ ...self, namespace: '1', boot: 'x' }, self)).toBe('unknown')
})
