import { holm } from '../../../../targets/statistics/multiple/holm.ts'
import { method, type Methods } from './method.ts'

/** Means, pairs, ranks, power, missing judgements and the gate. */
export const CORE: Methods = {
  holm: method<{ p: number[] }>(({ p }) => ({ adjusted: holm(p) })),
}
