import type { Digest } from '../../cache/values/digest.ts'

/** Where the store keeps what a target's key led to. */
export const traceId = (target: Digest<'target'>): string => `target:${target}`
