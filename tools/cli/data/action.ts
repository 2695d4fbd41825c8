import { EXIT, ProblemError, type ExitCode, type Place } from '../../../cache/problems/problem.ts'
import { dataStatus, type DataStatus, type DataVariant } from '../../../benchmarks/lookup/data-status.ts'
import { fetchData } from '../../../benchmarks/lookup/fetch-data.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { parseDescription } from '../../../targets/entries/run-entry.ts'
import type { Event } from '../../../targets/event.ts'
import { listSuites, readSuite } from '../../session/suites.ts'
import type { Session } from '../../session/session.ts'
import { boolFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { withCommands } from '../common/command-of.ts'
import { request } from '../../../benchmarks/declaration/data/locate.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { wrapped } from '../../../cache/words/tables.ts'

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

/** Milliseconds between two lines on one download. */
const INTERVAL = 2000

/** Lines on downloads: start, how far now and then, end. */
const downloads = (warn: Invocation['warn']): ((event: Event) => void) => {
  const shown = new Map<string, number>()
  return (event) => {
    if (event.type === 'source-download-start')
      warn(`downloading ${event.url}${event.resumedAt > 0 ? ` from byte ${event.resumedAt} on` : ''}`)
    else if (event.type === 'source-download-progress') {
      const now = performance.now()
      if (now - (shown.get(event.url) ?? now - INTERVAL / 2) < INTERVAL) return
      shown.set(event.url, now)
      const part = event.bytes === undefined ? '' : ` of ${megabytes(event.bytes)}`
      warn(`  ${megabytes(event.received)}${part}  ${event.url}`)
    } else if (event.type === 'source-download-done') warn(`done ${event.url} (${megabytes(event.bytes)})`)
    else if (event.type === 'source-retry') warn(`retrying ${event.url}: ${event.reason}`)
    else if (event.type === 'source-waiting')
      warn(`process ${event.holder} is fetching ${event.file}: waiting`)
    else if (event.type === 'source-recorded')
      warn(`recorded in datasets.lock: ${event.url} sha256 ${event.sha256}`)
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** The whole catalog at a glance: what is wrong in full, the rest by what is to be done about it. */
const catalogLines = (entries: readonly DataStatus[]): readonly string[] => {
  const missing = entries.filter(({ condition }) => condition === 'missing')
  const elsewhere = missing.filter(({ fetchable }) => !fetchable)
  const groups: readonly (readonly [what: string, of: readonly DataStatus[]])[] = [
    ['ready', entries.filter(({ condition }) => condition === 'ready')],
    ['to download: `medmake data fetch`', missing.filter(({ fetchable }) => fetchable)],
    ['gated: `medmake data status NAME` says whom to ask, and where it goes', elsewhere.filter(isGated)],
    [
      'private or of your own: `medmake data status NAME` says likewise',
      elsewhere.filter((entry) => !isGated(entry)),
    ],
  ]
  const wrong = entries.filter(({ condition }) => condition === 'mismatched')
  return [
    ...wrong.flatMap((entry) => linesOf(entry, 0)),
    ...groups.flatMap(([what, of]) =>
      of.length === 0 ? [] : [`${plural(of.length, 'benchmark')} ${what}`, ...listed(of.map(partlyReady))],
    ),
    ...lastLines(entries),
  ]
}

const isGated = ({ access }: DataStatus): boolean => access === 'gated'

const partlyReady = ({ name, variants }: DataStatus): string => {
  const ready = variants.filter(({ condition }) => condition === 'ready').length
  return ready === 0 || ready === variants.length ? name : `${name} (${ready} of ${variants.length} ready)`
}

const WIDTH = 100
const INDENT = '    '

/** Names side by side, as many as fit. */
const listed = (names: readonly string[]): readonly string[] =>
  wrapped(names, ', ', WIDTH - INDENT.length).map((line) => INDENT + line)

/** How the data of benchmarks that are named stands: a line each, and below it what is to be done. */
const dataLines = (entries: readonly DataStatus[]): readonly string[] => {
  const width = Math.max(0, ...entries.map(({ name }) => name.length))
  return [...entries.flatMap((entry) => linesOf(entry, width)), ...lastLines(entries)]
}

const lastLines = (entries: readonly DataStatus[]): readonly string[] => {
  const count = (condition: DataStatus['condition']): number =>
    entries.filter((entry) => entry.condition === condition).length
  return [
    ...(entries.some(({ condition, fetchable }) => condition === 'missing' && !fetchable)
      ? ['Data that lies elsewhere is named in the run entry: data_path=<path>.']
      : []),
    `${count('ready')} ready, ${count('missing')} missing, ${count('mismatched')} mismatched`,
  ]
}

const linesOf = (entry: DataStatus, width: number): readonly string[] => {
  const { name, access, condition, variants } = entry
  const ready = variants.filter((variant) => variant.condition === 'ready').length
  const part = variants.length > 1 && condition !== 'ready' ? `, ${ready} of ${variants.length} ready` : ''
  const head = `${name.padEnd(width)}  ${access.padEnd(7)}  ${condition}${part}`
  return [head, ...detailOf(entry).map((line) => `    ${line}`)]
}

const detailOf = (entry: DataStatus): readonly string[] => {
  const bad = entry.variants.filter(({ condition }) => condition === 'mismatched')
  const mismatches = [...new Set(bad.flatMap(mismatch))]
  const missing = entry.variants.filter(({ condition }) => condition === 'missing')
  if (missing.length === 0) return mismatches
  if (entry.fetchable) return [...mismatches, `not downloaded: medmake data fetch ${entry.name}`]
  const files = [...new Set(missing.flatMap(filesOf))]
  const ask = request(entry.obtain).trim()
  return [
    ...mismatches,
    ...(ask === '' ? [] : [ask]),
    files.length === 1 ? `put it there: ${files[0]}` : 'put the files there:',
    ...(files.length === 1 ? [] : files.map((file) => `  ${file}`)),
  ]
}

/** The first fault of the data; the others often follow from it. */
const mismatch = ({ problems: [first] }: DataVariant): readonly string[] =>
  first === undefined
    ? []
    : [`${placeText(first.where)}${first.message} [${first.code}]`, `  ${first.remedy}`]

const filesOf = ({ problems }: DataVariant): readonly string[] =>
  problems.flatMap(({ where }) => (where?.file === undefined ? [] : [where.file]))

const placeText = (where: Place | undefined): string => {
  if (where === undefined) return ''
  const { file = '', line, row, field } = where
  const cell = [row === undefined ? '' : `row ${row}`, field ?? ''].filter((part) => part !== '').join(', ')
  return `${file}${line === undefined ? '' : `:${line}`}${cell === '' ? '' : ` ${cell}`}: `
}
