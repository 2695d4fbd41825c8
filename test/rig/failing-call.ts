import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

type Call = 'closeSync' | 'fsyncSync' | 'ftruncateSync' | 'unlinkSync'

/**
 * Runs `work` while one call of the system fails once, as on a bad disk: EIO.
 * @param at which call of those that are made from now on, from 1
 */
export const withFailing = <T>(call: Call, at: number, work: () => T): T => {
  const [real, name] = [fs[call] as (...args: unknown[]) => unknown, call.replace('Sync', '')]
  let calls = 0
  Object.assign(fs, {
    [call]: (...args: unknown[]): unknown => {
      calls += 1
      // A file is closed all the same.
      if (calls !== at || call === 'closeSync') real(...args)
      if (calls === at)
        throw Object.assign(new Error(`EIO: i/o error, ${name}`), { code: 'EIO', errno: -5, syscall: name })
      return undefined
    },
  })
  syncBuiltinESMExports()
  try {
    return work()
  } finally {
    Object.assign(fs, { [call]: real })
    syncBuiltinESMExports()
  }
}
