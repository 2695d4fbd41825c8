import { cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { lostProgram } from '../../../cache/store-problems.ts'
import { plainBenchmark } from '../../faults/fault-workspace.ts'
import { bareEnvironment } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const lost = (code: string, message: string, more: object = {}): unknown =>
  lostProgram(Object.assign(new Error(message), { code, ...more }), '/opt/medmake/dist/')

test('only a file of the program’s own that is gone counts as a program that was replaced', () => {
  const own = '/opt/medmake/dist/chunks/a.js'
  for (const problem of [
    lost('ENOENT', `ENOENT: no such file or directory, open '${own}'`, { path: own }),
    lost('ERR_MODULE_NOT_FOUND', `Cannot find module '${own}' imported from /opt/medmake/dist/cli.js`),
    lost('MODULE_NOT_FOUND', `Cannot find module './b.js'`, { requireStack: [own] }),
    lost('ERR_MODULE_NOT_FOUND', `Cannot find package 'zod' imported from ${own}`),
  ])
    expect(problem).toMatchObject({
      exitCode: 1,
      problems: [{ code: 'system/program-replaced', remedy: expect.stringContaining('Run again') }],
    })
  for (const other of [
    lost('ENOENT', 'ENOENT', { path: '/work/data.csv' }),
    lost('ENOENT', 'ENOENT'),
    lost('MODULE_NOT_FOUND', 'Cannot find module', { requireStack: ['/work/own.js', own] }),
    lost('EACCES', 'EACCES', { path: own }),
    lost('ERR_MODULE_NOT_FOUND', `Cannot find package 'x' imported from /work/targets/metrics/own.js`),
    lostProgram({ code: 'ENOENT', path: own }, '/opt/medmake/dist/'),
    lostProgram(Object.assign(new Error('gone'), { code: 'ENOENT', path: '/a' }), undefined),
  ])
    expect(other).toBeUndefined()
})

test('a run whose program is replaced beneath it says so, without a stack, and the next one goes on', async () => {
  const home = temporaryFolder()
  const install = (): void => {
    for (const each of ['dist', 'package.json'])
      cpSync(join(packageRoot(), each), join(home, each), { recursive: true })
  }
  for (const each of ['node_modules', 'benchmarks', 'models', 'targets'])
    symlinkSync(join(packageRoot(), each), join(home, each))
  const cwd = createWorkspace({
    ...plainBenchmark('plain'),
    'targets/main.conf': 'entries: [{description: "plain:model=baseline/first-choice"}]',
  })
  const run = async () =>
    execa(process.execPath, [join(home, 'dist/medmake.js'), 'run'], {
      cwd,
      env: { ...bareEnvironment(), HOME: home },
      extendEnv: false,
      reject: false,
    })
  install()
  const chunks = join(home, 'dist/chunks')
  // First asked for with the first call.
  const client = readdirSync(chunks).find((name) => /^client-.*\.js$/.test(name)) ?? ''
  rmSync(join(chunks, client))
  const ended = await run()
  expect(ended.stderr).toMatch(/\[system\/program-replaced\]\n +Run again/)
  expect(ended.stderr).not.toMatch(/^ +at /m)
  expect(ended.exitCode).toBe(1)
  install()
  const again = await run()
  expect([again.exitCode, again.stderr]).toEqual([0, ''])
})
