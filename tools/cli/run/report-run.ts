import { listText, plural } from '../../../cache/words/number-text.ts'
import { compareCodePoints } from '../../../benchmarks/python/text.ts'
import { groupBy } from '../../../cache/lists.ts'
import { EXIT, fieldOf, type ExitCode } from '../../../cache/problems/problem.ts'
import { exitOfSignal, type Stopper } from '../../session/stopper.ts'
import { type RunFailure, driftText } from '../../../targets/record/record.ts'
import { skippedText } from '../../../targets/record/instance-ref.ts'
import { moneyText, oddMoneyLines } from '../../spend/money-text.ts'
import { causesText } from '../../compare/coverage-text.ts'
import { omittedLines } from '../../site/content/omitted-text.ts'
import { failedExit, tellFailed } from '../output/print-problems.ts'
import { boolFlag } from '../flags.ts'
import { stoppedText, type ProgressSummary, type ToldFailure } from '../output/progress.ts'
import type { Invocation } from '../verb.ts'
import { WAITING } from '../../../targets/record/coverage.ts'
import { batchLines, waitingText, type Ended } from './build-runs.ts'

/** Says how a run ended: counts and money to print, all that is less than it seems as warnings. */
export const reportRun = (
  ended: Ended,
  { invocation, summary, stopper }: { invocation: Invocation; summary: ProgressSummary; stopper: Stopper },
): ExitCode => {
  const { flags, print, warn, leftOut } = invocation
  const { waiting = [], stale = [] } = ended
  tellFailed(ended.failed, warn)
  const counts = countsOf(ended, exitOfSignal(stopper) !== undefined)
  if (boolFlag(flags, 'json'))
    print(
      JSON.stringify({
        ...summary.json(counts),
        failures: allFailures(ended, summary),
        causes: Object.fromEntries(byName(ended.causes)),
        ...(ended.omitted.size === 0 ? {} : { omitted: Object.fromEntries(byName(ended.omitted)) }),
        skippedRows: Object.fromEntries(byName(ended.skipped)),
        ...(ended.drift.size === 0 ? {} : { drift: Object.fromEntries(byName(ended.drift)) }),
        ...(waiting.length === 0 ? {} : { waiting }),
        ...(stale.length === 0 ? {} : { stale }),
        ...(leftOut.length === 0 ? {} : { unknown: leftOut }),
      }),
    )
  else
    print(
      [
        lastLine(counts, summary),
        ...(waiting.length > 0 ? [] : causeLines(ended.causes)),
        ...(waiting.length > 0 ? [] : omittedLines(byName(ended.omitted))),
        ...moneyLines(summary),
      ].join('\n'),
    )
  for (const entry of leftOut) warn(`left out, as its benchmark is unknown or can't be run here: ${entry}`)
  for (const each of summary.stopped()) warn(`stopped: ${stoppedText(each)}`)
  for (const line of oddMoneyLines(summary.money())) warn(line)
  for (const line of batchLines('under way, though nothing waits for it', ended.idle ?? [])) warn(line)
  for (const line of new Set(byName(ended.skipped).map(([, rows]) => skippedText(rows)))) warn(line)
  for (const [name, all] of byName(ended.drift)) for (const drift of all) warn(`${name}: ${driftText(drift)}`)
  if (ended.incomplete.length > 0 && !boolFlag(flags, 'json')) {
    const isWaiting = waiting.length > 0
    // What only waits is told of with the batches.
    const told = ended.incomplete.filter((name) => !isWaiting || failuresOf(name, summary).length > 0)
    if (isWaiting) warn(waitingText(waiting))
    if (told.length > 0) warn(incompleteText(told, summary, boolFlag(flags, 'allowFailures')))
  }
  if (!boolFlag(flags, 'json'))
    for (const [name, failures] of byName(ended.missing).slice(0, NAMED))
      for (const line of missingLines(name, failures)) warn(line)
  if (stale.length > 0)
    warn(`files of an earlier state, which \`medmake summarize\` tells: ${listText(stale, NAMED)}`)
  const failed = failedExit(ended.failed)
  const early = exitOfSignal(stopper) ?? failed
  if (early !== undefined) return early
  if (waiting.length > 0) return EXIT.incomplete
  return ended.incomplete.length > 0 && !boolFlag(flags, 'allowFailures') ? EXIT.incomplete : EXIT.done
}

/** What a signal ended half-way, as while it waited for a download, or before it began, did not fail. */
const countsOf = ({ total, ...ended }: Ended, isStopped: boolean) => {
  const own = {
    fresh: ended.fresh.length,
    built: ended.built.length,
    incomplete: ended.incomplete.length,
    failed: ended.failed.filter((error) => !isStopped || fieldOf(error, 'name') !== 'AbortError').length,
  }
  const stopped = total - Object.values(own).reduce((sum, count) => sum + count)
  return { total, ...own, ...(isStopped && stopped > 0 ? { stopped } : {}) }
}

const lastLine = (counts: ReturnType<typeof countsOf>, summary: ProgressSummary): string => {
  const parts = [
    `${plural(counts.total, 'target')}: ${counts.fresh} fresh, ${counts.built} built`,
    ...(counts.incomplete > 0 ? [`${counts.incomplete} incomplete`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(counts.stopped === undefined ? [] : [`${counts.stopped} stopped`]),
    `${summary.executed()} stage results executed`,
    plural(summary.providerCalls(), 'provider call'),
  ]
  return parts.join(', ')
}

/** Nothing where nobody is paid, now or at a known price before. */
const moneyLines = (summary: ProgressSummary): readonly string[] => {
  const money = summary.money()
  const priced = money.reused - money.unknownReused
  const idle = summary.providerCalls() + priced + money.uncertainAttempts === 0
  return idle ? [] : [moneyText(money)]
}

const byName = <Told>(told: ReadonlyMap<string, Told>): readonly (readonly [string, Told])[] =>
  [...told].sort(([a], [b]) => compareCodePoints(a, b))

/** Runs whose causes are worth a line each. */
const NAMED = 10

/** What of the runs' results is less than it seems. */
const causeLines = (causes: Ended['causes']): readonly string[] => [
  ...byName(causes)
    .slice(0, NAMED)
    .map(([name, own]) => `${name}: ${causesText(own)}`),
  ...(causes.size > NAMED ? [`and ${causes.size - NAMED} more: see \`medmake report\``] : []),
]

/** Those of the work that was done, then of whole runs that were fresh: what their records hold. */
const allFailures = ({ missing }: Ended, summary: ProgressSummary): readonly ToldFailure[] => {
  const told = summary.failures()
  const worked = new Set(told.map(({ target }) => target))
  const kept = byName(missing).flatMap(([target, own]) =>
    worked.has(target) ? [] : own.map((each) => toldFailure(target, each)),
  )
  return [...told, ...kept]
}

const toldFailure = (target: string, { instance, stage, judge, code, detail }: RunFailure): ToldFailure => ({
  target,
  instance,
  stage,
  ...(judge === undefined ? {} : { judge }),
  code,
  detail,
})

const failuresOf = (name: string, summary: ProgressSummary): readonly ToldFailure[] =>
  summary.failures().filter(({ target, code }) => target === name && code !== WAITING)

/** Causes of one run that are worth a line each. */
const SHOWN = 3

/** A run may be whole and lack values all the same: each cause with its count and the first answer it is of. */
const missingLines = (name: string, failures: readonly RunFailure[]): readonly string[] => {
  const told = ({ code, detail }: RunFailure): string => `${detail} [${code}]`
  const byDetail = groupBy(failures, told)
  // Where each says something else, what is alike in them is the code.
  const groups = [...(byDetail.size > SHOWN ? groupBy(failures, ({ code }) => code) : byDetail).values()]
  const lines = groups
    .toSorted((a, b) => b.length - a.length)
    .flatMap((alike) => {
      const [first] = alike
      const values = alike.length === 1 ? '1 value is' : `${alike.length} values are`
      return first === undefined
        ? []
        : [`${name}: ${values} missing, first of ${first.instance}: ${told(first)}`]
    })
  return lines.length > SHOWN
    ? [
        ...lines.slice(0, SHOWN),
        `${name}: values are missing for other causes, too: see its page of \`medmake report\``,
      ]
    : lines
}

const incompleteText = (names: readonly string[], summary: ProgressSummary, areAllowed: boolean): string => {
  const failed = names.map((name) => failuresOf(name, summary))
  const lines = names.map((name, at) => {
    const own = failed[at] ?? []
    const [first] = own
    const why =
      first === undefined
        ? 'some was not asked'
        : `${own.length} failed, first ${first.instance}: ${first.code} ${first.detail}`
    return `incomplete: ${name}: ${why}`
  })
  const accept = areAllowed ? '' : ', or add --allow-failures to accept them'
  // No flag accepts what was not asked.
  const isFailed = failed.some(({ length }) => length > 0)
  return [
    ...lines,
    isFailed ? `Run again to try only the failed ones${accept}.` : 'Run again for the rest.',
  ].join('\n')
}
