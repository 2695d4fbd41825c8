import { ASSUMED_REMEDY, assumedText } from '../../../targets/access/agreements.ts'
import { type Event, type Listener, STAGES, type StageName } from '../../../targets/event.ts'
import { isNoted, storeNote } from './store-note.ts'
import { usdText } from '../../spend/money-text.ts'
import { WAITING } from '../../../targets/record/coverage.ts'
import type { JsonObject } from '../../../cache/values/json.ts'
import { createMoneyTally, type Money } from '../../../targets/spend/spending.ts'

/** One line that says how far a run is: rewritten on a terminal, repeated now and then elsewhere. */
interface Progress {
  readonly on: (event: Event) => void
  readonly close: () => void
}

interface ProgressOptions {
  readonly stream: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  /** Milliseconds between lines. */
  readonly interval: number
}

/** Whether a line can be drawn over; a dumb terminal, such as an editor's, shows what would clear it. */
const redraws = ({ isTTY }: ProgressOptions['stream']): boolean =>
  isTTY === true && process.env['TERM'] !== 'dumb'

export const createProgress = ({ stream, interval }: ProgressOptions): Progress => {
  const tally = createRunTally()
  // Of the monotonic clock.
  const started = performance.now()
  const live = redraws(stream)
  const clear = live ? '\r\u001B[2K' : ''
  let shown = ''
  const draw = (): void => {
    const line = tally.line((performance.now() - started) / 1000)
    if (line === shown) return
    shown = line
    stream.write(live ? `${clear}${line.slice(0, (stream.columns ?? 120) - 1)}` : `${line}\n`)
  }
  const timer = setInterval(() => {
    if (tally.isWorking()) draw()
  }, interval)
  timer.unref()
  return {
    on: (event) => {
      tally.on(event)
      const note = noteOf(event)
      if (note !== undefined) stream.write(`${clear}${note}\n`)
    },
    close: () => {
      clearInterval(timer)
      if (live && shown !== '') stream.write(clear)
    },
  }
}

/** That a deployment is asked no more, why, and what to do. */
export const stoppedText = ({ deployment, code, detail, remedy }: StoppedDeployment): string =>
  `${deployment} answers no call: ${detail} [${code}]\n  ${remedy}`

const followedText = ({
  target,
  access,
  values,
  erased,
}: Extract<Event, { readonly type: 'access-followed' }>): string =>
  `${target} is ${access} now: ${values.toLocaleString('en')} values were moved ${access === 'public' ? 'out of the vault' : 'into the vault; git, releases, sites and copies keep what they have'}${erased ? '' : '; the store’s files hold the old ones until a later run finds nobody else at it'}`

/** What deserves a line of its own. */
const noteOf = (event: Event): string | undefined => {
  switch (event.type) {
    case 'source-download-start':
      return `downloading ${event.url}`
    case 'source-recorded':
      return `recorded in datasets.lock: ${event.url} sha256 ${event.sha256}`
    case 'access-followed':
      return followedText(event)
    case 'server-assumed':
      return `${assumedText(event)}.\n  ${ASSUMED_REMEDY}`
    case 'deployment-stopped':
      return stoppedText(event)
    case 'limits-alone': {
      const [told] = event.problem.problems
      return `${told?.message}. The limits of each deployment hold for this process alone.\n  ${told?.remedy}`
    }
    case 'deployment-awaited':
      return `${event.deployment}: the first call waits ${Math.ceil(event.wait / 1000)} s, as a task before this one may have used this part of the limit`
    default:
      return isNoted(event) ? storeNote(event) : undefined
  }
}

export interface OutcomeTally {
  readonly on: (event: Event) => void
  readonly isWorking: () => boolean
  /** @param seconds since the run began */
  readonly line: (seconds: number) => string
}

/** What of a stage's results there is, of how many. */
interface Part {
  done: number
  total: number
}

interface TargetWork {
  readonly requests: Part
  readonly judgements: Part
}

/** Requests and judgements by target: what failed, or had nothing to judge, counts as done when its target ends. */
export const createRunTally = (): OutcomeTally => {
  const work = new Map<string, TargetWork>()
  const state = { targets: 0, finished: 0, calls: 0, usd: 0, retries: 0, failed: 0 }
  const add = (event: Extract<Event, { readonly type: 'stage-results' }>): void => {
    const own = work.get(event.target)
    const part = { completions: own?.requests, annotations: own?.judgements }[event.stage as 'completions']
    if (part !== undefined) part.done = Math.min(part.total, part.done + event.executed + event.cached)
  }
  return {
    on: (event) => {
      if (event.type === 'plan') state.targets = event.targets
      // A target that is tried again begins anew.
      else if (event.type === 'target-started')
        work.set(event.target, {
          requests: { done: 0, total: event.work },
          judgements: { done: 0, total: event.judgements },
        })
      else if (event.type === 'target-finished') {
        state.finished += 1
        for (const part of Object.values(work.get(event.target) ?? {}) as Part[]) part.done = part.total
      } else if (event.type === 'stage-results') add(event)
      else if (event.type === 'provider-call') {
        state.calls += 1
        state.usd += event.usd ?? 0
      } else if (event.type === 'call-retried') state.retries += 1
      else if (event.type === 'instance-failed') state.failed += 1
    },
    isWorking: () => work.size > 0 && state.finished < state.targets,
    line: (seconds) => {
      const all = [...work.values()]
      const requests = sumOf(all.map((each) => each.requests))
      const judgements = sumOf(all.map((each) => each.judgements))
      const done = requests.done + judgements.done
      const rate = seconds > 0 ? done / seconds : 0
      const left = requests.total + judgements.total - done
      return [
        `${state.finished}/${state.targets} targets`,
        `${requests.done}/${requests.total} requests`,
        ...(judgements.total > 0 ? [`${judgements.done}/${judgements.total} judgements`] : []),
        `${rate.toFixed(0)}/s`,
        ...(rate > 0 && left > 0 ? [`${duration(Math.ceil(left / rate))} left`] : []),
        `${state.calls} calls`,
        ...(state.usd > 0 ? [`${usdText(state.usd)} USD`] : []),
        ...(state.retries > 0 ? [`${state.retries} retries`] : []),
        ...(state.failed > 0 ? [`${state.failed} failed`] : []),
      ].join(' · ')
    },
  }
}

const sumOf = (parts: readonly Part[]): Part => ({
  done: parts.reduce((sum, { done }) => sum + done, 0),
  total: parts.reduce((sum, { total }) => sum + total, 0),
})

const duration = (seconds: number): string =>
  seconds < 90
    ? `${seconds} s`
    : seconds < 5400
      ? `${Math.round(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`

/** Shows on stderr how far a run is, and counts for its end. */
export const followRun = (): {
  readonly summary: ProgressSummary
  readonly progress: Progress
  readonly listener: Listener
} => {
  const summary = createSummary()
  const progress = createProgress({
    stream: process.stderr,
    interval: redraws(process.stderr) ? 100 : 10_000,
  })
  return {
    summary,
    progress,
    listener: (event) => {
      // What comes with a batch has not failed.
      if (event.type === 'instance-failed' && event.code === WAITING) return
      summary.on(event)
      progress.on(event)
    },
  }
}

export type ToldFailure = Omit<
  Extract<Event, { readonly type: 'instance-failed' }>,
  'type' | 'trial' | 'retriable'
>

type StoppedDeployment = Omit<Extract<Event, { readonly type: 'deployment-stopped' }>, 'type'>

/** Counts what happened: the object that `--json` prints, and the last lines of a run. */
export interface ProgressSummary {
  /** Forgets the failures so far: all are tried again. */
  readonly nextRound: () => void
  readonly on: (event: Event) => void
  readonly providerCalls: () => number
  readonly executed: () => number
  readonly money: () => Money
  /** Deployments that answered no call. */
  readonly stopped: () => readonly StoppedDeployment[]
  readonly failures: () => readonly ToldFailure[]
  readonly json: (targets: JsonObject) => JsonObject
}

export const createSummary = (): ProgressSummary => {
  const stages = Object.fromEntries(STAGES.map((stage) => [stage, { executed: 0, cached: 0 }])) as Record<
    StageName,
    { executed: number; cached: number }
  >
  const failures: ToldFailure[] = []
  const stopped: StoppedDeployment[] = []
  const money = createMoneyTally()
  let calls = 0
  return {
    nextRound: () => void failures.splice(0),
    on: (event) => {
      money.on(event)
      if (event.type === 'stage-results') {
        stages[event.stage].executed += event.executed
        stages[event.stage].cached += event.cached
      } else if (event.type === 'provider-call') calls += 1
      else if (event.type === 'deployment-stopped') {
        const { deployment, code, detail, remedy } = event
        stopped.push({ deployment, code, detail, remedy })
      } else if (event.type === 'instance-failed') {
        const { target, instance, stage, judge, code, detail } = event
        failures.push({ target, instance, stage, ...(judge === undefined ? {} : { judge }), code, detail })
      }
    },
    providerCalls: () => calls,
    executed: () => STAGES.reduce((sum, stage) => sum + stages[stage].executed, 0),
    money: money.result,
    stopped: () => stopped,
    failures: () => failures,
    json: (targets) => ({
      targets,
      stages: Object.fromEntries(STAGES.map((stage) => [stage, { ...stages[stage] }])),
      providerCalls: calls,
      failures: failures.map((each) => ({ ...each })),
      ...(stopped.length === 0 ? {} : { stopped: stopped.map((each) => ({ ...each })) }),
      ...moneyJson(money.result()),
    }),
  }
}

/** A sum that lacks a part is null, never too low. */
const moneyJson = ({
  spent,
  unknownCalls,
  uncertain,
  uncertainAttempts,
  saved,
  unknownReused,
  overruns,
  overrun,
  impossibleUsages,
}: Money): JsonObject => ({
  usd: unknownCalls > 0 ? null : spent,
  usdUncertain: uncertain,
  uncertainAttempts,
  usdSaved: unknownReused > 0 ? null : saved,
  ...(overruns > 0 ? { overruns, usdOverrun: overrun } : {}),
  ...(impossibleUsages > 0 ? { impossibleUsages } : {}),
})
