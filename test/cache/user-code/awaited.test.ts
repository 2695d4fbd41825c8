import { expect, test, vi } from 'vitest'
import { reasonOf } from '../../../cache/problems/problem.ts'
import {
  awaited,
  boundedCall,
  limitCode,
  tellAwaited,
  type CodeEvent,
} from '../../../cache/user-code/bounded-call.ts'

const NEVER = new Promise<never>(() => undefined)

test('What a process with nothing left to do still waits for fails; all else is as it was given.', async () => {
  expect(await awaited('scenario.js', Promise.resolve(1))).toBe(1)
  expect(await awaited('scenario.js', 2)).toBe(2)
  await expect(awaited('scenario.js', Promise.reject(new Error('own')))).rejects.toThrow('own')
  const both = Promise.allSettled([awaited('scenario.js', NEVER), awaited('scenario.js', NEVER)])
  process.emit('beforeExit', 0)
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('Code that does not give what is awaited is told by its file, once, while it is waited for.', async () => {
  const told: CodeEvent[] = []
  const stop: { end: () => void } = { end: () => undefined }
  const given = new Promise<void>((resolve) => (stop.end = resolve))
  tellAwaited((event) => {
    told.push(event)
    stop.end()
  }, 0)
  await awaited('slow.js', given)
  await awaited('slow.js', new Promise((resolve) => setImmediate(resolve)))
  tellAwaited(() => undefined)
  expect(told).toEqual([{ type: 'code-awaited', file: 'slow.js', seconds: 0 }])
})

test('Code is awaited as ever while other code has timers of its own in the place of the global ones.', async () => {
  vi.stubGlobal('setTimeout', () => 1)
  try {
    tellAwaited(() => undefined)
    expect(await awaited('own.js', Promise.resolve(1))).toBe(1)
  } finally {
    vi.unstubAllGlobals()
  }
})

test('What a piece of code throws is its own, whatever code it gives the error.', () => {
  const own = Object.assign(new Error('own words'), { code: 'ENOENT' })
  for (let call = 0; call < 5; call += 1)
    expect(() =>
      boundedCall('thrower', () => {
        throw own
      }),
    ).toThrow(own)
})

test('Code that computed without end three times is called no more.', () => {
  limitCode(0.01)
  const messages = Array.from({ length: 5 }, () => {
    try {
      return boundedCall('endless', () => {
        for (;;);
      })
    } catch (error) {
      return reasonOf(error)
    }
  })
  limitCode(60)
  expect(messages.map((message) => message.endsWith('3 times'))).toEqual([false, false, false, true, true])
})
