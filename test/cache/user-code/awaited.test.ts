import { expect, test } from 'vitest'
import { awaited, boundedCall } from '../../../cache/user-code/bounded-call.ts'

const NEVER = new Promise<never>(() => undefined)

test('What a process with nothing left to do still waits for fails; all else is as it was given.', async () => {
  expect(await awaited(Promise.resolve(1))).toBe(1)
  expect(await awaited(2)).toBe(2)
  await expect(awaited(Promise.reject(new Error('own')))).rejects.toThrow('own')
  const both = Promise.allSettled([awaited(NEVER), awaited(NEVER)])
  process.emit('beforeExit', 0)
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
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
