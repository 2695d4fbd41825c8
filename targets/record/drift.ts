import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'

/** Replies of one deployment by what the provider said that it used: `model id (fingerprint)`. */
export type Served = Readonly<Record<string, number>>

/** A deployment whose model changed within a run, as far as the provider says. */
export interface Drift {
  readonly deployment: string
  /** Absent for the model that is evaluated. */
  readonly judge?: string
  /** More than one. */
  readonly served: Served
}

/** `openai/gpt-4o changed under way: gpt-4o-1 (a) 40 replies, gpt-4o-1 (b) 1 reply`. */
export const driftText = ({ deployment, judge, served }: Drift): string => {
  const parts = Object.entries(served).map(
    ([name, count]) => `${name} ${count.toLocaleString('en')} ${count === 1 ? 'reply' : 'replies'}`,
  )
  const who = judge === undefined ? deployment : `judge ${judge} (${deployment})`
  return `${who} changed under way: ${parts.join(', ')}`
}

/**
 * What a provider named itself by, as records and output may hold it. About a gated or private benchmark a name may repeat
 * what was sent: it is told only where it is the one that was asked for, others are told apart.
 *
 * @param asked the model string that requests carry
 */
export const discreetServed = (
  served: Served,
  asked: string,
  { access }: Pick<Benchmark, 'access'>,
): Served =>
  access === 'public'
    ? served
    : Object.fromEntries(
        Object.entries(served).map(([name, count], index) => [
          name === asked ? name : `withheld name ${index + 1}`,
          count,
        ]),
      )
