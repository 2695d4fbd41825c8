import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { dataStatus, type DataStatus } from '../../../benchmarks/lookup/data-status.ts'
import { fetchData } from '../../../benchmarks/lookup/fetch-data.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { parseDescription } from '../../../targets/entries/run-entry.ts'
import { listSuites, readSuite } from '../../session/suites.ts'
import type { Session } from '../../session/session.ts'
import { boolFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { withCommands } from '../common/command-of.ts'
import { downloads } from './downloads.ts'
import { catalogLines, dataLines } from './status-text.ts'

/** `medmake data status | fetch`. */
export const dataAction: Action = withCommands('data', {
  status: async (invocation) => withData(invocation, true, status),
  fetch: async (invocation) => withData(invocation, false, fetchAll),
})

const withData = async (
  invocation: Invocation,
  readOnly: boolean,
  use: (session: Session, names: readonly string[], invocation: Invocation) => Promise<ExitCode>,
): Promise<ExitCode> => {
  const listener = downloads(invocation.warn)
  return withSession(invocation, { readOnly, listener }, (session) =>
    use(session, invocation.args, invocation),
  )
}

const status = async (
  session: Session,
  names: readonly string[],
  invocation: Invocation,
): Promise<ExitCode> => {
  const { flags, print } = invocation
  const all = await dataStatus(session.benchmarks, {
    full: boolFlag(flags, 'full'),
    entries: await suiteArguments(session, invocation),
  })
  const shown = names.length === 0 ? all : names.map((name) => known(name, all))
  if (boolFlag(flags, 'json'))
    print(
      JSON.stringify({
        benchmarks: shown.map((entry) => ({
          ...entry,
          variants: entry.variants.map((variant) => ({ ...variant, args: Object.fromEntries(variant.args) })),
        })),
      }),
    )
  else for (const line of names.length === 0 ? catalogLines(all) : dataLines(shown)) print(line)
  return shown.some(({ condition }) => condition === 'mismatched') ? EXIT.incomplete : EXIT.done
}

/** What the workspace's suites say of their benchmarks; one that can't be read is told, and the data of the others shown. */
const suiteArguments = async (
  { workspace: { root }, entries: memory }: Session,
  { warn, leftOut }: Invocation,
): Promise<ReadonlyMap<string, readonly ReadonlyMap<string, PyValue>[]>> => {
  const found = new Map<string, ReadonlyMap<string, PyValue>[]>()
  for (const suite of (await listSuites(root)).keys()) {
    try {
      for (const { description, where } of await readSuite(root, suite, memory)) {
        const { name, args } = parseDescription(description, where)
        found.set(name, [...(found.get(name) ?? []), args])
      }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      leftOut.push(suite)
      warn(`left out, as it can't be read: suite ${suite}\n${formatProblems(error.problems, false)}`)
    }
  }
  return found
}

const known = (name: string, all: readonly DataStatus[]): DataStatus => {
  const found = all.find((entry) => entry.name === name)
  if (found !== undefined) return found
  const names = all.map((entry) => entry.name)
  throw new ProblemError({
    code: 'benchmarks/unknown',
    message: `there is no benchmark ${JSON.stringify(name)} whose data is used here`,
    remedy: `${suggestion(name, names)}\`medmake data status\` lists all.`,
  })
}

const fetchAll = async (
  session: Session,
  names: readonly string[],
  { flags, print, warn }: Invocation,
): Promise<ExitCode> => {
  const results = await fetchData(session.benchmarks, names)
  const failed = results.filter(({ problems }) => problems.length > 0)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ benchmarks: results }))
  else {
    for (const { name, problems } of results)
      print(`${name.padEnd(28)} ${problems.length === 0 ? 'here' : 'failed'}`)
    for (const { problems } of failed) warn(formatProblems(problems, false))
  }
  return failed.length === 0 ? EXIT.done : EXIT.incomplete
}
