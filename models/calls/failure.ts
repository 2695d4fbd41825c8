interface Failed {
  readonly code: string
  readonly status?: number
  readonly cause?: unknown
}

/** OpenAI's name for it, and what others send with 402. */
const QUOTA_CODES: ReadonlySet<unknown> = new Set(['insufficient_quota', 'billing_hard_limit_reached'])

export const isOutOfQuota = (error: Failed): boolean =>
  error.status === 402 || errorCodes(error).some((code) => QUOTA_CODES.has(code))

/** Codes of an error and of what caused it. */
const errorCodes = (error: unknown): readonly unknown[] => {
  const found: unknown[] = []
  for (let current: unknown = error; isFailure(current); current = current.cause) found.push(current.code)
  return found
}

const isFailure = (error: unknown): error is { readonly code?: unknown; readonly cause?: unknown } =>
  typeof error === 'object' && error !== null

/** Nothing listens at the address, there is no such address, or who listens has no certificate that is trusted. */
export const isUnreached = ({ code }: Pick<Failed, 'code'>): boolean => code === 'call/unreached'

/** Failures that every other call to the same deployment is likely to meet, too: waiting for each would take hours. */
export const mayLast = (error: Failed): boolean =>
  isUnreached(error) ||
  isOutOfQuota(error) ||
  error.status === 401 ||
  error.status === 403 ||
  error.status === 404

/**
 * Whether a provider may charge for an attempt that gave no reply. An error status is not charged for; neither is a
 * request that reached nobody. After a timeout, a lost connection or an unreadable reply nobody knows.
 */
export const mayBeBilled = (error: Pick<Failed, 'status' | 'code'>): boolean =>
  error.status === undefined && !isUnreached(error)
