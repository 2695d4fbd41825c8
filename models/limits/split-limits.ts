import type { DeploymentLimits } from '../deployment/model.ts'
import { MINUTE } from './limiter.ts'

/** One of `count` tasks that keep a limit together, from 0. */
interface Part {
  readonly index: number
  readonly count: number
}

/**
 * A task's part of what a deployment states: whole requests, tokens and calls, the remainder to the first tasks, so that
 * all tasks together never pass it. 0: there are more tasks than the limit has parts. Limits of a server that each machine
 * has for itself stay whole.
 */
export const splitLimits = (limits: DeploymentLimits, part: Part): DeploymentLimits => {
  const { concurrency, requestsPerMinute, tokensPerMinute } = limits
  if (limits.perMachine === true) return limits
  return {
    ...(concurrency === undefined ? {} : { concurrency: share(concurrency, part) }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute: share(requestsPerMinute, part) }),
    ...(tokensPerMinute === undefined ? {} : { tokensPerMinute: share(tokensPerMinute, part) }),
  }
}

const share = (total: number, { index, count }: Part): number =>
  Math.floor(total / count) + (index < Math.floor(total) % count ? 1 : 0)

/** The most tasks that a deployment's limits can be split over; undefined for any number. */
export const mostTasks = ({
  concurrency = Infinity,
  requestsPerMinute = Infinity,
  tokensPerMinute = Infinity,
  perMachine = false,
}: DeploymentLimits): number | undefined => {
  const least = Math.floor(Math.min(concurrency, requestsPerMinute, tokensPerMinute))
  return perMachine || least === Infinity ? undefined : least
}

/**
 * Milliseconds that a task waits before its first call: until the time is up that a task before it, which may have
 * ended a moment ago on another machine, would have waited. What that one's last calls took of the tokens is not known:
 * where these are limited and the task was tried before, it is a whole minute.
 */
export const firstPause = (
  { requestsPerMinute = 0, tokensPerMinute = 0, perMachine = false }: DeploymentLimits,
  isResumed: boolean,
): number => {
  if (perMachine) return 0
  if (isResumed && tokensPerMinute > 0) return MINUTE
  return requestsPerMinute > 0 ? MINUTE / requestsPerMinute : 0
}
