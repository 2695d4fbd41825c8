import { LostValueError } from '../../cache/problems/lost-value.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Listener } from '../../targets/event.ts'
import { dropLostBuilds } from '../../targets/scheduler/lost-builds.ts'
import { resultStores } from '../session/result-stores.ts'
import { openSession, type Session, type SessionOptions } from '../session/session.ts'
import { stopOnSignals, type Stopper } from '../session/stopper.ts'
import { findWorkspace } from '../session/workspace/workspace.ts'
import { createLostRecords, type LostRecords } from './output/lost-records.ts'
import { storeNote } from './output/store-note.ts'
import { profileOfSuites } from '../session/suites.ts'
import { sessionFlags } from './common/session-flags.ts'
import { listFlag } from './flags.ts'
import type { Invocation } from './verb.ts'

/** What a command says of its session; flags and settings say the rest. */
export interface SessionUse extends Partial<
  Pick<SessionOptions, 'workspace' | 'cwd' | 'listener' | 'readOnly' | 'tier' | 'storedOnly' | 'storePath'>
> {
  /** Takes what the store can't give, which is told at the end. */
  readonly lost?: LostRecords
  /** Whose profile it takes where one is built in; those of arguments and flags unless given. */
  readonly suites?: readonly string[]
}

/**
 * Opens what the flags name, and closes it however the work ends.
 * @throws ProblemError `spend/cap-reached`, exit code 4, where a cap stopped the work
 */
export const withSession = async <T>(
  { args, flags, cwd, env, warn, strictHelm }: Invocation,
  { workspace: given, listener = noteTo(warn), lost = createLostRecords(), suites, ...use }: SessionUse,
  work: (session: Session, stopper: Stopper) => Promise<T>,
): Promise<T> => {
  const workspace = given ?? (await findWorkspace(cwd))
  const asked = suites ?? [...args, ...(listFlag(flags, 'suite') ?? []), ...(listFlag(flags, 'suites') ?? [])]
  const profile = await profileOfSuites(asked, workspace.root)
  const stopper = stopOnSignals(warn, use.tier !== undefined)
  const options: SessionOptions = {
    // A built-in suite names its profile; a flag wins.
    ...(profile === undefined ? {} : { profile }),
    ...sessionFlags(flags, cwd),
    cwd,
    ...use,
    workspace,
    env,
    listener: (event) => {
      if (event.type === 'store-corrupt-record') lost.add(event)
      else listener(event)
    },
    stopper,
    ...(strictHelm ? { csvTypes: 'pandas' } : {}),
  }
  const session = await openSession(options).catch((error: unknown) => {
    stopper.close()
    throw error
  })
  let isLost = false
  try {
    const result = await work(session, stopper)
    const stopped = session.spending.problem()
    if (stopped !== undefined) throw stopped
    return result
  } catch (error) {
    isLost = error instanceof LostValueError
    throw error
  } finally {
    stopper.close()
    await session.close()
    const told = lost.text()
    if (told !== undefined) warn(told)
    if (isLost) await forgetLost(options)
  }
}

/** Of a verb that shows no progress: what of the store its user must know. */
const noteTo =
  (warn: Invocation['warn']): Listener =>
  (event) => {
    switch (event.type) {
      case 'store-waiting':
      case 'store-behind':
      case 'store-older':
      case 'tier-other-key':
      case 'tier-read':
      case 'tier-waiting':
        warn(storeNote(event))
    }
  }

/** A reader met something lost: whatever else is lost with it, the next run makes it again. */
const forgetLost = async (options: SessionOptions): Promise<void> => {
  try {
    const session = await openSession({ ...options, readOnly: false })
    try {
      await dropLostBuilds(await resultStores(session))
    } finally {
      await session.close()
    }
  } catch (error) {
    // Not in a store that can only be read; `cache verify --repair` does the same elsewhere.
    if (!(error instanceof ProblemError)) throw error
  }
}
