import type { Listener } from '../../targets/event.ts'
import { openSession, type Session, type SessionOptions } from '../session/session.ts'
import { stopOnSignals, type Stopper } from '../session/stopper.ts'
import type { Workspace } from '../session/workspace.ts'
import { sessionFlags } from './actions/session-flags.ts'
import type { Invocation } from './verb.ts'

export interface SessionUse {
  readonly workspace: Workspace
  readonly listener?: Listener
  /** For reading only: nothing is written, not even a store where there is none. */
  readonly readOnly?: boolean
  /** Run entries' paths are relative to it; the invocation's folder unless given. */
  readonly cwd?: string
}

/**
 * Opens what the flags name, and closes it however the use of it ends.
 * @throws ProblemError `spend/cap-reached`, exit code 4, where a cap stopped the use
 */
export const withSession = async <T>(
  { flags, cwd, env, warn }: Invocation,
  { workspace, listener, readOnly, cwd: base }: SessionUse,
  use: (session: Session, stopper: Stopper) => Promise<T>,
): Promise<T> => {
  const stopper = stopOnSignals(warn)
  const options: SessionOptions = {
    ...sessionFlags(flags, cwd),
    workspace,
    cwd: base ?? cwd,
    env,
    listener: listener ?? (() => undefined),
    stopper,
    readOnly: readOnly ?? false,
  }
  const session = await openSession(options).catch((error: unknown) => {
    stopper.close()
    throw error
  })
  try {
    const result = await use(session, stopper)
    const stopped = session.spending.problem()
    if (stopped !== undefined) throw stopped
    return result
  } finally {
    stopper.close()
    await session.close()
  }
}
