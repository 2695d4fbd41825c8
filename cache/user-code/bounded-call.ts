import { Script } from 'node:vm'
import { requireFiles } from '../problems/require-files.ts'
import { putBuiltinsBack } from './builtins.ts'
import { beat, codeLimit } from './watch.ts'

/** With a longer limit it may end: what was not finished is no result. */
class EndlessError extends Error {
  readonly retriable = true
}

const CALL = Symbol.for('medmake.call')
const script = new Script("globalThis[Symbol.for('medmake.call')]()")

/** Endless calls of a piece of code after which it is called no more: each costs the whole limit. */
const MOST = 3
const endless = new Map<string, number>()

/**
 * Calls a function of a user's, which a loop without end can't hold: Node ends whatever it computes at the limit. What it
 * awaits runs later and is not counted; `watchCode` looks at that.
 * @param name what is called, for all its calls the same
 * @throws Error at the limit; ProblemError `system/too-many-files`; what the function throws
 */
export const boundedCall = <T>(name: string, call: () => T): T => {
  const before = endless.get(name) ?? 0
  if (before === MOST) throw new EndlessError(`${tooLong()}, ${MOST} times`)
  beat()
  requireFiles()
  Object.assign(globalThis, { [CALL]: call })
  try {
    return script.runInThisContext({ timeout: codeLimit() * 1000 }) as T
  } catch (error) {
    if (!(error instanceof Error && 'code' in error) || error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw error
    endless.set(name, before + 1)
    throw new EndlessError(tooLong(), { cause: error })
  } finally {
    putBuiltinsBack()
  }
}

const tooLong = (): string => `it computed for more than ${codeLimit()} s without a pause (code_timeout)`
