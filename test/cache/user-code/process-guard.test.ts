import { pathToFileURL } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { guardProcess, isStray, releaseProcess } from '../../../cache/user-code/guards.ts'

// A worker keeps its modules: another file may have run code.
beforeEach(releaseProcess)

test('While a user’s code runs nothing of it ends the process or prints among the results; then all is as it was.', () => {
  const now = (): readonly unknown[] => [
    Reflect.get(process, 'exit'),
    Reflect.get(process, 'reallyExit'),
    Reflect.get(process, 'umask'),
    Reflect.get(process.stdout, 'write'),
    ...['log', 'info', 'debug'].map((name): unknown => Reflect.get(console, name)),
  ]
  const before = now()
  const listeners = process.listenerCount('uncaughtException')
  for (let time = 0; time < 2; time += 1) {
    guardProcess()
    guardProcess()
    expect(() => process.exit(0)).toThrow('it called process.exit')
    expect(() => Reflect.get(process, 'reallyExit')(0)).toThrow('it called process.reallyExit')
    expect(() => process.umask(0o777)).toThrow('it called process.umask')
    expect(process.umask()).toBeGreaterThanOrEqual(0)
    for (const [index, each] of now().entries()) expect(each).not.toBe(before[index])
    releaseProcess()
    releaseProcess()
    for (const [index, each] of now().entries()) expect(each).toBe(before[index])
  }
  expect(process.listenerCount('uncaughtException')).toBeLessThanOrEqual(listeners + 1)
})

const OURS = `${pathToFileURL(packageRoot()).href}/cache/store.ts:3:5`

test.each<[what: string, frames: readonly string[], stray: boolean]>([
  ['a function of ours without a name', [`Emitter.<anonymous> (${OURS})`, 'emit (node:events:1:2)'], false],
  ['ours below a folder native', ['at (file:///a/node_modules/native/index 1/a.js:1:2)'], false],
  [
    'ours behind nobody’s',
    ['new Promise (<anonymous>)', 'async Promise.all (index 0)', `async ${OURS}`],
    false,
  ],
  ['code made by ours', [`eval (eval at compile (${OURS}), <anonymous>:3:5)`], false],
  ['a worker of a user’s', ['Worker.<anonymous> (file:///w/native/a.js:1:2)'], true],
  ['a user’s, called by ours', ['f (file:///w/a.js?code=1:1:2)', `g (${OURS})`], true],
  [
    'Node alone',
    ['<anonymous>', 'node:internal/a:1:2', 'f (wasm://wasm/1:1:2)', 'Array.map (<anonymous>)'],
    true,
  ],
])('Whose an error is that nobody caught, its stack tells: %s', (_, frames, stray) => {
  expect(isStray(`Error: a\n${frames.map((frame) => `    at ${frame}`).join('\n')}`)).toBe(stray)
})
