import type { Event } from '../../targets/event.ts'

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
  const state = {
    targets: 0,
    finished: 0,
    requests: 0,
    done: 0,
    calls: 0,
    retries: 0,
    failed: 0,
    started: performance.now(),
  }
  const live = stream.isTTY === true
  let shown = ''
  const draw = (): void => {
    const line = lineOf(state)
    if (line === shown) return
    shown = line
    stream.write(live ? `\r\u001B[2K${line.slice(0, (stream.columns ?? 120) - 1)}` : `${line}\n`)
  }
  const timer = setInterval(() => {
    if (state.requests > 0) draw()
  }, interval)
  timer.unref()
  return {
    on: (event) => {
      switch (event.type) {
        case 'plan':
          state.targets = event.targets
          break
        case 'target-started':
          state.requests += event.work
          break
        case 'target-finished':
          state.finished += 1
          break
        case 'stage-results':
          if (event.stage === 'completions') state.done += event.executed + event.cached
          break
        case 'provider-call':
          state.calls += 1
          break
        case 'call-retried':
          state.retries += 1
          break
        case 'instance-failed':
          state.failed += 1
          break
        case 'source-download-start':
          stream.write(`${live ? '\r\u001B[2K' : ''}downloading ${event.url}\n`)
          break
        case 'source-recorded':
          stream.write(
            `${live ? '\r\u001B[2K' : ''}recorded in datasets.lock: ${event.url} sha256 ${event.sha256}\n`,
          )
          break
        case 'store-corrupt-record':
          stream.write(
            `${live ? '\r\u001B[2K' : ''}damaged record in ${event.table} (${event.id.slice(0, 12)}): made anew\n`,
          )
          break
        default:
      }
    },
    close: () => {
      clearInterval(timer)
      if (live && shown !== '') stream.write('\r\u001B[2K')
    },
  }
}

const lineOf = (state: {
  readonly targets: number
  readonly finished: number
  readonly requests: number
  readonly done: number
  readonly calls: number
  readonly retries: number
  readonly failed: number
  readonly started: number
}): string => {
  const seconds = (performance.now() - state.started) / 1000
  const rate = seconds > 0 ? state.done / seconds : 0
  const left = rate > 0 ? Math.ceil((state.requests - state.done) / rate) : undefined
  return [
    `${state.finished}/${state.targets} targets`,
    `${state.done}/${state.requests} requests`,
    `${rate.toFixed(0)}/s`,
    ...(left === undefined || state.requests === state.done ? [] : [`${duration(left)} left`]),
    `${state.calls} calls`,
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
