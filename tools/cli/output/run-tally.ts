import type { Event } from '../../../targets/event.ts'
import { usdText } from '../../spend/money-text.ts'

/** How far a run is, in one line. */
export interface OutcomeTally {
  readonly on: (event: Event) => void
  /** Whether there is work under way. */
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
