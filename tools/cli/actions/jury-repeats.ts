import { EXIT, ProblemError, type ExitCode } from '../../../cache/problem.ts'
import { requireAgreements } from '../../../targets/access/agreements.ts'
import type { Event } from '../../../targets/event.ts'
import { studyLines } from '../../jury/format-judge-agreement.ts'
import { alignedTable } from '../../compare/tables.ts'
import { judgedTargets } from '../../jury/judged-runs.ts'
import {
  askRepeats,
  countCalls,
  repeatRun,
  type JudgeRepeats,
  type RepeatCount,
  type Repeated,
} from '../../jury/repeat-runs.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import { refuseUnpriced } from '../../session/unpriced.ts'
import { findWorkspace } from '../../session/workspace.ts'
import { boolFlag, countFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { runFilter } from './run-filter.ts'
import { suitesOf } from './suites.ts'

const REPEATS = 3

/** `medmake jury repeats`: asks each judge the same several times, and says how alike its scores are. */
export const juryRepeats = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print, warn } = invocation
  const workspace = await findWorkspace(cwd)
  const instances = countFlag(flags, 'instances')
  const repeats = countFlag(flags, 'repeats', 2) ?? REPEATS
  const count: RepeatCount = { repeats, ...(instances === undefined ? {} : { instances }) }
  const wanted = runFilter(flags)
  const dry = boolFlag(flags, 'dryRun')
  let made = 0
  const listener = ({ type }: Event): void => {
    if (type === 'provider-call') made += 1
  }
  return withSession(invocation, { workspace, readOnly: dry, listener }, async (session, stopper) => {
    const targets = await resolveTargets(await suitesOf(invocation, workspace, session.entries), session)
    const named = targets.filter(({ target }) => wanted(target.spec.name))
    requireAgreements(
      named.map(({ target }) => target),
      session.env.endpoint,
    )
    const judges = named.flatMap(({ target }) => target.judges.map(({ deployment }) => deployment))
    if (!dry) refuseUnpriced(judges, session)
    const runs = []
    for (const run of await judgedTargets(named, session)) runs.push(await repeatRun(run, count, session))
    const calls = countCalls(runs, count)
    if (dry) {
      print(boolFlag(flags, 'json') ? JSON.stringify(callsJson(calls, repeats)) : callsText(calls, repeats))
      return EXIT.done
    }
    refuseTooMany(calls, countFlag(flags, 'maxCalls', 0))
    warn(callsText(calls, repeats))
    const repeated = await askRepeats(runs, count, session)
    if (repeated === undefined || stopper.interrupted()) {
      warn(`Stopped after ${made} calls; their replies are kept, and the same command goes on from there.`)
      return EXIT.interrupted
    }
    if (boolFlag(flags, 'json')) print(JSON.stringify({ repeats, calls: made, ...repeated }))
    else print(repeatsText(repeated, repeats))
    if (repeated.failures.length > 0) warn(failuresText(repeated.failures))
    return repeated.failures.length > 0 ? EXIT.incomplete : EXIT.done
  })
}

const totalOf = (calls: ReadonlyMap<string, number>): number =>
  [...calls.values()].reduce((sum, each) => sum + each, 0)

const callsJson = (calls: ReadonlyMap<string, number>, repeats: number): object => ({
  repeats,
  calls: totalOf(calls),
  judges: Object.fromEntries(calls),
})

const callsText = (calls: ReadonlyMap<string, number>, repeats: number): string => {
  const each = [...calls].map(([judge, own]) => `${judge} ${own}`).join(', ')
  return `${repeats} repeats take ${totalOf(calls)} more calls: ${each}`
}

/** @throws ProblemError `jury/too-many-calls` before any is made */
const refuseTooMany = (calls: ReadonlyMap<string, number>, most: number | undefined): void => {
  const total = totalOf(calls)
  if (most === undefined || total <= most) return
  throw new ProblemError(
    {
      code: 'jury/too-many-calls',
      message: `asking again takes ${total} calls, more than --max-calls ${most}`,
      where: { field: '--max-calls' },
      remedy: 'Raise it, or ask about fewer answers with --instances.',
    },
    { exitCode: EXIT.spendingCap },
  )
}

const HEADS = [
  'judge',
  'answers',
  'same scores',
  'SD',
  'largest change',
  'ICC(1,1)',
  'alpha',
  'means',
  'unreadable',
]

const repeatsText = ({ judges, studies }: Repeated, repeats: number): string => {
  const benchmarks = [...new Set(judges.map(({ benchmark }) => benchmark))]
  return benchmarks
    .map((benchmark) => {
      const rows = judges.filter((each) => each.benchmark === benchmark).map(rowOf)
      const found = studies.find((each) => each.benchmark === benchmark)
      return [
        `${benchmark}, each judge asked ${repeats} times`,
        alignedTable(HEADS, rows).replaceAll(/^/gm, '  '),
        ...(found?.study == null
          ? ['  no variance components: fewer than two answers have all judgements']
          : studyLines(found.study, `${found.answers} answers`)),
      ].join('\n')
    })
    .join('\n\n')
}

const rowOf = (found: JudgeRepeats): readonly string[] => {
  const { judge, answers, compared, unreadable, identical, sd, maxChange, icc, alpha, means } = found
  const limits =
    icc?.interval === undefined ? '' : ` (${icc.interval.low.toFixed(3)}, ${icc.interval.high.toFixed(3)})`
  return [
    judge,
    compared === answers ? String(answers) : `${compared} of ${answers}`,
    identical === undefined ? '–' : `${(100 * identical).toFixed(1)} %`,
    sd?.toFixed(3) ?? '–',
    maxChange?.toString() ?? '–',
    icc === undefined ? '–' : `${icc.value.toFixed(3)}${limits}`,
    alpha?.toFixed(3) ?? '–',
    means.length === 0 ? '–' : `${Math.min(...means).toFixed(3)} to ${Math.max(...means).toFixed(3)}`,
    String(unreadable),
  ]
}

const failuresText = (failures: Repeated['failures']): string => {
  const [first] = failures
  return (
    `incomplete: ${failures.length} replies did not come` +
    `${first === undefined ? '' : `, first ${first.judge}: ${first.cause.code} ${first.cause.detail}`}; ` +
    'their answers are left out. The same command asks for these alone.'
  )
}
