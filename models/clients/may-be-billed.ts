import type { ClientError } from '../calls/client.ts'

/**
 * Whether a provider may charge for an attempt that gave no reply. An error status is not charged for; neither is a
 * request that reached nobody. After a timeout, a lost connection or an unreadable reply nobody knows.
 */
export const mayBeBilled = ({ status, code }: Pick<ClientError, 'status' | 'code'>): boolean =>
  status === undefined && code !== 'call/unreached'
