import type { CompletionRequest } from '../../models/calls/client.ts'
import { completionParts } from './keys.ts'

/** One of `count` parts of a run's calls, from 0. */
export interface Shard {
  readonly index: number
  readonly count: number
}

/**
 * Which of `count` shards has a request's call, and with it its judges'. It is the digest of the messages that decides, not that
 * of the whole request: what several models are asked alike falls to one shard, where answers that are equal are judged
 * once.
 */
export const shardOf = (request: CompletionRequest, count: number): number =>
  Number.parseInt(completionParts(request).messages.slice(0, 8), 16) % count
