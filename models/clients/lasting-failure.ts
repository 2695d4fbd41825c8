import { errorCodes, UNDELIVERED } from './may-be-billed.ts'

interface Failed {
  readonly code: string
  readonly status?: number
  readonly cause?: unknown
}

/** OpenAI's name for it, and what others send with 402. */
const QUOTA_CODES: ReadonlySet<unknown> = new Set(['insufficient_quota', 'billing_hard_limit_reached'])

export const isOutOfQuota = (error: Failed): boolean =>
  error.status === 402 || errorCodes(error).some((code) => QUOTA_CODES.has(code))

/** Nothing listens at the address, or there is no such address. */
export const isUnreached = (error: Failed): boolean =>
  error.status === undefined && errorCodes(error).some((code) => UNDELIVERED.has(code))

/** Failures that every other call to the same deployment is likely to meet, too: waiting for each would take hours. */
export const mayLast = (error: Failed): boolean =>
  isUnreached(error) ||
  isOutOfQuota(error) ||
  error.status === 401 ||
  error.status === 403 ||
  error.status === 404
