import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { boolFlag, countFlag, nameFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import { reportAction } from '../report/action.ts'
import { runAction } from '../run/action.ts'
import type { FlagValues, Invocation } from '../verb.ts'
import { tierPlace } from '../common/session-flags.ts'

const DEFAULT_SECONDS = 30
/** Of the time that a board took to make, so long until the next one: a login node has other users. */
const REST = 3

/** A board made of what a tier holds, again and again. */
export interface WatchedBoard {
  /** Where its results and its site are. */
  readonly output: string
  readonly store: string
  /** Of its pages: seconds after which they are to be asked for again. */
  readonly seconds: number
  /** Makes it anew until closed. */
  readonly follow: () => { readonly close: () => Promise<void> }
}

/**
 * The board of what a running array has paid for so far, made in a folder and a store of its own: it asks no server and
 * leaves the workspace alone. Undefined unless it is asked for.
 * @throws ProblemError `cli/missing-flag` where no tier is named, and what a run of the suites throws
 */
export const watchedBoard = async (
  invocation: Invocation,
  workspace: Workspace,
  temporary: string,
): Promise<WatchedBoard | undefined> => {
  const { flags } = invocation
  const asked = countFlag(flags, 'every')
  if (!boolFlag(flags, 'watch')) {
    if (asked === undefined && flags['tier'] === undefined) return undefined
    throw missing('--watch', '--every and --tier go with --watch.')
  }
  const place = tierPlace(invocation, workspace)
  if (place === undefined)
    throw missing(
      '--tier',
      'Name the tier of the run that is watched: --tier /folder/that/all/machines/reach, or store: { tier: … } in medmake.yaml.',
    )
  const board = { tier: place, output: join(temporary, 'watched'), store: join(temporary, 'store') }
  const seconds = asked ?? DEFAULT_SECONDS
  await make(invocation, board)
  return { ...board, seconds, follow: () => follow(invocation, board, seconds) }
}

const missing = (field: string, remedy: string): ProblemError =>
  new ProblemError({ code: 'cli/missing-flag', message: 'a flag is missing', where: { field }, remedy })

interface Board {
  readonly tier: string
  readonly output: string
  readonly store: string
}

/** Of what is missing nothing is told: it is still to come. */
const make = async (invocation: Invocation, { tier, output, store }: Board): Promise<void> => {
  const suite = nameFlag(invocation.flags, 'suite')
  const told: string[] = []
  const call = (flags: FlagValues): Invocation => ({
    ...invocation,
    args: suite === undefined ? [] : [suite],
    flags: { ...flags, outputPath: output, store, allowFailures: true },
    print: () => undefined,
    warn: (text) => void told.push(text),
  })
  const code = await runAction(call({ tier, storedOnly: true }))
  if (code !== EXIT.done && code !== EXIT.incomplete && code !== EXIT.goOn && code !== EXIT.interrupted)
    for (const text of told) invocation.warn(text)
  await reportAction(call({}))
}

const follow = (
  invocation: Invocation,
  board: Board,
  seconds: number,
): { readonly close: () => Promise<void> } => {
  const end = new AbortController()
  const rest = (milliseconds: number): Promise<void> =>
    setTimeout(milliseconds, undefined, { signal: end.signal }).catch(() => undefined)
  const work = async (): Promise<void> => {
    for (let took = 0; ;) {
      await rest(Math.max(seconds * 1000, took * REST))
      if (end.signal.aborted) return
      const begun = performance.now()
      // What is shown stays; it is only not the newest.
      await make(invocation, board).catch((error: unknown) => {
        if (!(error instanceof ProblemError)) throw error
        invocation.warn(formatProblems(error.problems, process.stderr.isTTY))
      })
      took = performance.now() - begun
    }
  }
  const working = work()
  // It is awaited at the end; until then a fault of ours must not end the process unseen.
  working.catch(() => undefined)
  return {
    close: async () => {
      end.abort()
      await working
    },
  }
}
