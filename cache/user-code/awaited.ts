import { putBuiltinsBack } from './builtins.ts'

const waiting = new Set<() => void>()
let listens = false

/**
 * What a user's code gave to wait for. Node ends a process that has nothing left to do, as if all were done: then what
 * is still waited for never comes, and fails.
 * @throws Error where it never comes; what it is rejected with
 */
export const awaited = async <T>(given: T): Promise<Awaited<T>> => {
  if (!listens) process.on('beforeExit', giveUp)
  listens = true
  let end = (): void => undefined
  const never = new Promise<never>((_, reject) => {
    end = () => reject(new Error('it waits for something that never comes'))
  })
  waiting.add(end)
  try {
    return await Promise.race([given, never])
  } finally {
    putBuiltinsBack()
    waiting.delete(end)
  }
}

/** A turn of its own keeps the process. */
const giveUp = (): void => {
  for (const end of waiting) setImmediate(end)
}
