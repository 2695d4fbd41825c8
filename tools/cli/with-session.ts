import { LostValueError } from '../../cache/problems/lost-value.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Listener } from '../../targets/event.ts'
import { dropLostBuilds } from '../../targets/scheduler/lost-builds.ts'
import { resultStores } from '../session/result-stores.ts'
import { openSession, type Session, type SessionOptions } from '../session/session.ts'
import { stopOnSignals, type Stopper } from '../session/stopper.ts'
import type { TierUse } from '../session/tier/session-tier.ts'
import { findWorkspace, type Workspace } from '../session/workspace/workspace.ts'
import { createLostRecords, type LostRecords } from './output/lost-records.ts'
import { storeNote } from './output/store-note.ts'
import { profileOfSuites } from '../session/built-in-suites.ts'
import { listSuites } from '../session/resolve-targets.ts'
import { sessionFlags } from './common/session-flags.ts'
import { listFlag } from './flags.ts'
import type { Invocation } from './verb.ts'

export interface SessionUse {
  /** That of the invocation's folder unless given. */
  readonly workspace?: Workspace
  readonly listener?: Listener
  /** Takes what the store can't give, which is told at the end. */
  readonly lost?: LostRecords
  /** For reading only: nothing is written, not even a store where there is none. */
  readonly readOnly?: boolean
  /** What it shares with other machines. */
  readonly tier?: TierUse
  /** Asks no server. */
  readonly storedOnly?: boolean
  /** In place of what flags and settings name. */
  readonly storePath?: string
  /** Whose profile it takes where one is built in; those of arguments and flags unless given. */
  readonly suites?: readonly string[]
  /** Run entries' paths are relative to it; the invocation's folder unless given. */
  readonly cwd?: string
}

/**
 * Opens what the flags name, and closes it however the use of it ends.
 * @throws ProblemError `spend/cap-reached`, exit code 4, where a cap stopped the use
 */
export const withSession = async <T>(
  { args, flags, cwd, env, warn, strictHelm }: Invocation,
  {
    workspace: given,
    listener = noteTo(warn),
    lost = createLostRecords(),
    readOnly,
    cwd: base,
    suites,
    ...shared
  }: SessionUse,
  use: (session: Session, stopper: Stopper) => Promise<T>,
): Promise<T> => {
  const workspace = given ?? (await findWorkspace(cwd))
  const own = await listSuites(workspace.root)
  const asked = suites ?? [...args, ...(listFlag(flags, 'suite') ?? []), ...(listFlag(flags, 'suites') ?? [])]
  const profile = profileOfSuites(asked.filter((name) => !own.has(name)))
  const stopper = stopOnSignals(warn, shared.tier !== undefined)
  const options: SessionOptions = {
    // A built-in suite names its profile; a flag wins.
    ...(profile === undefined ? {} : { profile }),
    ...sessionFlags(flags, cwd),
    ...shared,
    workspace,
    cwd: base ?? cwd,
    env,
    listener: (event) => {
      if (event.type === 'store-corrupt-record') lost.add(event)
      else listener(event)
    },
    stopper,
    readOnly: readOnly ?? false,
    ...(strictHelm ? { csvTypes: 'pandas' } : {}),
  }
  const session = await openSession(options).catch((error: unknown) => {
    stopper.close()
    throw error
  })
  let isLost = false
  try {
    const result = await use(session, stopper)
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
