import { expect, test } from 'vitest'
import { awaited } from '../../../cache/user-code/bounded-call.ts'

const NEVER = new Promise<never>(() => undefined)

test('What a process with nothing left to do still waits for fails; all else is as it was given.', async () => {
  expect(await awaited(Promise.resolve(1))).toBe(1)
  expect(await awaited(2)).toBe(2)
  await expect(awaited(Promise.reject(new Error('own')))).rejects.toThrow('own')
  const both = Promise.allSettled([awaited(NEVER), awaited(NEVER)])
  process.emit('beforeExit', 0)
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
