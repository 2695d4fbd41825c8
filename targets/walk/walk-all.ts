import type { StageEnv } from '../env/env.ts'
import { inOrder } from './in-order.ts'
import type { Mode, RequestAt, RequestResult } from './request.ts'
import type { OpenStages } from './run.ts'
import { walkRequest } from './walk-request.ts'

/** Requests of one target under way at once, in multiples of what its limiter lets through: the others wait for judges or the disk. */
const AHEAD = 2

/** The requests of a walk. */
export interface WalkedRequests {
  readonly count: number
  readonly at: (index: number) => RequestAt
  readonly stages: OpenStages
  readonly mode: Mode
}

/**
 * Takes requests through the stages side by side and hands on what became of them, in their order.
 *
 * @returns false when it was stopped half-way: what was done is in the store
 */
export const walkAll = async (
  { count, at, stages, mode }: WalkedRequests,
  { limiter, stop }: Pick<StageEnv, 'limiter' | 'stop'>,
  take: (result: RequestResult, at: RequestAt) => void,
): Promise<boolean> => {
  const taken = await inOrder(
    count,
    limiter(stages.target.deployment).concurrency * AHEAD,
    async (index) => {
      const own = at(index)
      return { own, result: await walkRequest(own, stages, mode) }
    },
    ({ own, result }) => take(result, own),
    () => stop.aborted,
  )
  return taken === count && !stop.aborted
}
