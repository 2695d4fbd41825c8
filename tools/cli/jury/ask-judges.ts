import { EXIT, type ExitCode, ProblemError } from '../../../cache/problems/problem.ts'
import { requireAgreements } from '../../../targets/access/agreements.ts'
import type { Event } from '../../../targets/event.ts'
import type { JudgeFailure } from '../../jury/ask-each.ts'
import { judgedTargets, type JudgedTarget } from '../../jury/judged-runs.ts'
import type { Session } from '../../session/session.ts'
import { refuseUnpriced } from '../../session/spending/session-spending.ts'
import { boolFlag, countFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { runFilter } from '../common/built-runs.ts'
import { targetsOf } from '../common/suites.ts'

/** A command that asks judges what the runs themselves did not. */
interface JudgeCommand<Run, Result extends { readonly failures: readonly JudgeFailure[] }> {
  /** E.g. `3 repeats take`. */
  readonly what: string
  /** Part of the JSON that is printed, also of a dry run. */
  readonly about: object
  readonly open: (run: JudgedTarget, session: Session) => Promise<readonly Run[]>
  readonly count: (runs: readonly Run[]) => JudgeCalls
  /** Undefined when it was stopped on the way. */
  readonly ask: (runs: readonly Run[], session: Session) => Promise<Result | undefined>
  readonly text: (result: Result) => string
}

/**
 * Names the price, asks what the store lacks, prints what came of it. `--dry-run` names the price alone; nothing is
 * asked beyond `--max-calls`, `--max-usd` and what agreements allow.
 */
export const askJudges = async <Run, Result extends { readonly failures: readonly JudgeFailure[] }>(
  invocation: Invocation,
  { what, about, open, count, ask, text }: JudgeCommand<Run, Result>,
): Promise<ExitCode> => {
  const { flags, print, warn } = invocation
  const wanted = runFilter(flags)
  const [dry, json] = [boolFlag(flags, 'dryRun'), boolFlag(flags, 'json')]
  const allowFailures = boolFlag(flags, 'allowFailures')
  let made = 0
  const listener = ({ type }: Event): void => {
    if (type === 'provider-call') made += 1
  }
  return withSession(invocation, { readOnly: dry, listener, stopsItself: !dry }, async (session, stopper) => {
    const named = (await targetsOf(invocation, session)).filter(({ target }) => wanted(target.spec.name))
    const targets = named.map(({ target }) => target)
    requireAgreements(targets, session.env.endpoint)
    const judges = targets.flatMap((target) => target.judges.map(({ deployment }) => deployment))
    if (!dry) refuseUnpriced(judges, session)
    const runs: Run[] = []
    for (const run of await judgedTargets(named, session, warn, { allowFailures }))
      runs.push(...(await open(run, session)))
    const calls = count(runs)
    if (dry) {
      print(json ? JSON.stringify({ ...about, ...callsJson(calls) }) : callsText(calls, what))
      return EXIT.done
    }
    refuseTooMany(calls, countFlag(flags, 'maxCalls', 0))
    warn(callsText(calls, what))
    const result = await ask(runs, session)
    if (result === undefined || stopper.interrupted()) {
      warn(`Stopped after ${made} calls; their replies are kept, and the same command goes on from there.`)
      return EXIT.interrupted
    }
    print(json ? JSON.stringify({ ...about, calls: made, ...result }) : text(result))
    if (result.failures.length > 0) warn(failuresText(result.failures))
    return result.failures.length > 0 ? EXIT.incomplete : EXIT.done
  })
}

/** Calls still to be made, by judge. */
type JudgeCalls = ReadonlyMap<string, number>

const totalOf = (calls: JudgeCalls): number => [...calls.values()].reduce((sum, each) => sum + each, 0)

const callsJson = (calls: JudgeCalls): object => ({
  calls: totalOf(calls),
  judges: Object.fromEntries(calls),
})

/** @param what e.g. `3 repeats take` */
const callsText = (calls: JudgeCalls, what: string): string =>
  `${what} ${totalOf(calls)} more calls: ${[...calls].map(([judge, own]) => `${judge} ${own}`).join(', ')}`

/** @throws ProblemError `jury/too-many-calls`, exit code 4, before any is made */
const refuseTooMany = (calls: JudgeCalls, most: number | undefined): void => {
  const total = totalOf(calls)
  if (most === undefined || total <= most) return
  throw new ProblemError(
    {
      code: 'jury/too-many-calls',
      message: `asking takes ${total} calls, more than --max-calls ${most}`,
      where: { field: '--max-calls' },
      remedy: 'Raise it, or ask about fewer answers with --instances.',
    },
    { exitCode: EXIT.spendingCap },
  )
}

const failuresText = (failures: readonly JudgeFailure[]): string => {
  const [first] = failures
  return (
    `incomplete: ${failures.length} replies did not come` +
    `${first === undefined ? '' : `, first ${first.judge}: ${first.cause.code} ${first.cause.detail}`}; ` +
    'their answers are left out. The same command asks for these alone.'
  )
}

interface JudgeStudy {
  /** What `--json` prints. */
  readonly json: object
  /** Else, a part for each benchmark. */
  readonly texts: () => readonly string[]
}

/** Prints what a study finds in the judgements that the runs of suites have; asks nobody. */
export const studyJudges = async (
  invocation: Invocation,
  study: (runs: readonly JudgedTarget[], session: Session) => JudgeStudy,
): Promise<ExitCode> =>
  withSession(invocation, { readOnly: true }, async (session) => {
    const { flags, print, warn } = invocation
    const runs = await judgedTargets(await targetsOf(invocation, session), session, warn, {
      allowFailures: boolFlag(flags, 'allowFailures'),
    })
    const { json, texts } = study(runs, session)
    print(boolFlag(flags, 'json') ? JSON.stringify(json) : texts().join('\n\n'))
    return EXIT.done
  })
