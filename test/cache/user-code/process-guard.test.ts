import { beforeEach, expect, test } from 'vitest'
import { guardProcess, releaseProcess } from '../../../cache/user-code/guards.ts'

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
