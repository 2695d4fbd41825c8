import { remembered } from '../../cache/once.ts'
import { LostValueError } from '../../cache/problems/lost-value.ts'
import { fieldOf, ProblemError, type ExitCode } from '../../cache/problems/problem.ts'
import type { Listener } from '../../targets/event.ts'
import { dropLostBuilds, type ResultStores } from '../../targets/scheduler/lost-builds.ts'
import { openSession, type Session, type SessionOptions } from '../session/session.ts'
import { exitOfSignal, stopOnSignals, type Stopper } from '../session/stopper.ts'
import { findWorkspace } from '../session/workspace/workspace.ts'
import { isNoted, storeNote } from './output/store-note.ts'
import { profileOfSuites } from '../session/suites.ts'
import { listFlag } from './flags.ts'
import type { Invocation } from './verb.ts'
import { plural } from '../../cache/words/number-text.ts'
import { compareCodePoints } from '../../benchmarks/python/text.ts'
import type { StoreEvent } from '../../cache/store.ts'
import { sessionFlags } from './common/session-flags.ts'

/** What a command says of its session; flags and settings say the rest. */
interface SessionUse extends Partial<
  Pick<SessionOptions, 'workspace' | 'cwd' | 'listener' | 'readOnly' | 'tier' | 'storedOnly' | 'storePath'>
> {
  /** Takes what the store can't give, which is told at the end. */
  readonly lost?: LostRecords
  /** Heeds the stopper: what it asks servers for is paid for. Any other work ends at the first signal, as if it were killed. */
  readonly stopsItself?: boolean
  /** Asks no server for anything that is paid for: nothing is said of calls when it is stopped. */
  readonly asksNobody?: boolean
  /** Whose profile it takes where one is built in; those of arguments and flags unless given. */
  readonly suites?: readonly string[]
}

/**
 * Opens what the flags name, and closes it however the work ends.
 * @throws ProblemError `spend/cap-reached`, exit code 4, where a cap stopped the work
 */
export const withSession = async <T>(
  { args, flags, cwd, env, warn, strictHelm }: Invocation,
  {
    workspace: given,
    listener = noteTo(warn),
    lost = createLostRecords(),
    suites,
    stopsItself = false,
    asksNobody = false,
    ...use
  }: SessionUse,
  work: (session: Session, stopper: Stopper) => Promise<T>,
): Promise<T> => {
  const workspace = given ?? (await findWorkspace(cwd))
  const asked = suites ?? [...args, ...(listFlag(flags, 'suite') ?? []), ...(listFlag(flags, 'suites') ?? [])]
  const profile = await profileOfSuites(asked, workspace.root)
  const stopper = stopOnSignals(
    stopsItself ? (asksNobody ? () => undefined : warn) : undefined,
    use.tier !== undefined,
  )
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
      else if (!isNoted(event) || toldBy.get(warn)?.has(storeNote(event)) !== true) listener(event)
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
    const capped = session.spending.problem()
    if (capped !== undefined) throw capped
    return result
  } catch (error) {
    isLost = error instanceof LostValueError
    const exitCode = exitOfSignal(stopper)
    // What waited at that moment, as for a download, ends with the signal's own error.
    throw exitCode !== undefined && fieldOf(error, 'name') === 'AbortError' ? stopped(exitCode) : error
  } finally {
    stopper.close()
    await session.close()
    const told = lost.text()
    if (told !== undefined) warn(told)
    if (isLost) await forgetLost(options)
  }
}

const stopped = (exitCode: ExitCode): ProblemError =>
  new ProblemError(
    {
      code: 'cli/stopped',
      message: 'a signal stopped it before its end',
      remedy: 'Run it again: it goes on with what is kept.',
    },
    { exitCode },
  )

/** Of a verb that shows no progress: what of the store its user must know. Several sessions of one command tell it once. */
const noteTo = (warn: Invocation['warn']): Listener => {
  const told = remembered(toldBy, warn, () => new Set<string>())
  return (event) => {
    if (!isNoted(event)) return
    const note = storeNote(event)
    told.add(note)
    warn(note)
  }
}

const toldBy = new WeakMap<Invocation['warn'], Set<string>>()

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

type LostEvent = Extract<StoreEvent, { readonly type: 'store-corrupt-record' }>

/** What a store lists and can't give, while a command works. */
interface LostRecords {
  readonly add: (event: LostEvent) => void
  readonly count: () => number
  /** What is lost, and what mends it; undefined where nothing is. */
  readonly text: () => string | undefined
}

export const createLostRecords = (): LostRecords => {
  const names = new Set<string>()
  const byTable = new Map<string, number>()
  return {
    add: ({ table, id }) => {
      const name = `${table}/${id}`
      if (names.has(name)) return
      names.add(name)
      byTable.set(table, (byTable.get(table) ?? 0) + 1)
    },
    count: () => names.size,
    text: () => {
      if (names.size === 0) return undefined
      const counts = [...byTable].sort(([a], [b]) => compareCodePoints(a, b))
      const parts = counts.map(([table, count]) => `${table} ${count}`).join(', ')
      const payments = byTable.get('ledger') ?? 0
      return [
        `${plural(names.size, 'record')} of the store can't be read (${parts}): what they held counts as missing.`,
        ...(payments === 0 ? [] : ['  Nothing makes payments again: sums and caps by day lack these.']),
        `  ${payments === names.size ? '' : '`medmake run` makes it again, and asks again for lost replies; '}\`medmake cache verify\` lists the records, \`--repair\` drops them.`,
      ].join('\n')
    },
  }
}

/** The session's stores, the vault among them where there is one and its key is at hand. */
export const resultStores = async ({ store, vault }: Session): Promise<ResultStores> => ({
  open: store,
  vault: vault.exists() ? await vault.store().catch(unlessProblem) : undefined,
})

const unlessProblem = (error: unknown): undefined => {
  if (!(error instanceof ProblemError)) throw error
}
