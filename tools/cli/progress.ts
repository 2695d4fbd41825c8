import { ASSUMED_REMEDY, assumedText } from '../../targets/access/assumed-servers.ts'
import type { Event } from '../../targets/event.ts'
import type { StoppedDeployment } from './summary.ts'
import { storeNote } from './store-note.ts'
import { usdText } from '../spend/money-text.ts'

/** One line that says how far a run is: rewritten on a terminal, repeated now and then elsewhere. */
export interface Progress {
  readonly on: (event: Event) => void
  readonly close: () => void
}

export interface ProgressOptions {
  readonly stream: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  /** Milliseconds between lines. */
  readonly interval: number
}

export const createProgress = ({ stream, interval }: ProgressOptions): Progress => {
  const state: State = {
    targets: 0,
    finished: 0,
    requests: 0,
    done: 0,
    calls: 0,
    usd: 0,
    retries: 0,
    failed: 0,
    started: performance.now(),
  }
  const live = stream.isTTY === true
  const clear = live ? '\r\u001B[2K' : ''
  let shown = ''
  const draw = (): void => {
    const line = lineOf(state)
    if (line === shown) return
    shown = line
    stream.write(live ? `${clear}${line.slice(0, (stream.columns ?? 120) - 1)}` : `${line}\n`)
  }
  const timer = setInterval(() => {
    if (state.requests > 0 && state.finished < state.targets) draw()
  }, interval)
  timer.unref()
  return {
    on: (event) => {
      count(event, state)
      const note = noteOf(event)
      if (note !== undefined) stream.write(`${clear}${note}\n`)
    },
    close: () => {
      clearInterval(timer)
      if (live && shown !== '') stream.write(clear)
    },
  }
}

interface State {
  targets: number
  finished: number
  requests: number
  done: number
  calls: number
  usd: number
  retries: number
  failed: number
  /** Milliseconds of the monotonic clock. */
  readonly started: number
}

const count = (event: Event, state: State): void => {
  if (event.type === 'plan') state.targets = event.targets
  else if (event.type === 'target-started') state.requests += event.work
  else if (event.type === 'target-finished') state.finished += 1
  else if (event.type === 'stage-results' && event.stage === 'completions')
    state.done += event.executed + event.cached
  else if (event.type === 'provider-call') {
    state.calls += 1
    state.usd += event.usd ?? 0
  } else if (event.type === 'call-retried') state.retries += 1
  else if (event.type === 'instance-failed') state.failed += 1
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
  `${target} is ${access} now: ${values.toLocaleString('en')} values were moved ${access === 'public' ? 'out of' : 'into'} the vault${erased ? '' : '; the store’s files hold the old ones until a later run finds nobody else at it'}`

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
    case 'store-corrupt-record':
    case 'store-waiting':
      return storeNote(event)
    default:
      return undefined
  }
}

const lineOf = (state: State): string => {
  const seconds = (performance.now() - state.started) / 1000
  const rate = seconds > 0 ? state.done / seconds : 0
  const left = rate > 0 ? Math.ceil((state.requests - state.done) / rate) : undefined
  return [
    `${state.finished}/${state.targets} targets`,
    `${state.done}/${state.requests} requests`,
    `${rate.toFixed(0)}/s`,
    ...(left === undefined || state.requests === state.done ? [] : [`${duration(left)} left`]),
    `${state.calls} calls`,
    ...(state.usd > 0 ? [`${usdText(state.usd)} USD`] : []),
    ...(state.retries > 0 ? [`${state.retries} retries`] : []),
    ...(state.failed > 0 ? [`${state.failed} failed`] : []),
  ].join(' · ')
}

const duration = (seconds: number): string =>
  seconds < 90
    ? `${seconds} s`
    : seconds < 5400
      ? `${Math.round(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`
