import type { ClientError } from './client.ts'

/** The network's own words for a request that nobody took. */
const UNDELIVERED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Whether a provider may charge for an attempt that gave no reply. An error status is not charged for; neither is a
 * request that reached nobody. After a timeout, a lost connection or an unreadable reply nobody knows.
 */
export const mayBeBilled = (error: ClientError): boolean =>
  error.status === undefined && !codes(error).some((code) => UNDELIVERED.has(code))

const codes = (error: unknown): readonly unknown[] => {
  const found: unknown[] = []
  for (let current = error; current instanceof Error; current = current.cause)
    if ('code' in current) found.push(current.code)
  return found
}
