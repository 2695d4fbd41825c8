import { groupBy } from '../../cache/lists.ts'
import { LEAST_SAMPLES } from './total-range.ts'

/** What one reply took, as its provider told. */
export interface SpendSample {
  readonly deployment: string
  readonly benchmark: string
  /** Judges' replies say nothing of answers. */
  readonly judged: boolean
  readonly promptBytes: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly seconds: number
  /** It took more than its request allows, as hidden reasoning does. */
  readonly overran?: boolean
}

/**
 * Whose replies an estimate rests on: the same deployment's to the same benchmark, its others of the same kind, or
 * nobody's.
 */
export type Basis = 'benchmark' | 'deployment' | 'stated'

export interface Evidence {
  readonly basis: Basis
  /** Empty where the basis is stated. */
  readonly samples: readonly SpendSample[]
}

type Asking = Pick<SpendSample, 'deployment' | 'benchmark' | 'judged'>

/** Past replies by who gave them. */
export class History {
  readonly #byBenchmark: ReadonlyMap<string, readonly SpendSample[]>
  readonly #byDeployment: ReadonlyMap<string, readonly SpendSample[]>

  constructor(samples: readonly SpendSample[]) {
    this.#byBenchmark = groupBy(samples, benchmarkId)
    this.#byDeployment = groupBy(samples, deploymentId)
  }

  /** The nearest replies of which there are enough. */
  nearest(asking: Asking): Evidence {
    const own = this.#byBenchmark.get(benchmarkId(asking)) ?? []
    if (own.length >= LEAST_SAMPLES) return { basis: 'benchmark', samples: own }
    const others = this.#byDeployment.get(deploymentId(asking)) ?? []
    return others.length >= LEAST_SAMPLES
      ? { basis: 'deployment', samples: others }
      : { basis: 'stated', samples: [] }
  }

  /** Mean seconds of a call; undefined without any. Those of batches have no time of their own. */
  latency(deployment: string): number | undefined {
    const all = [true, false].flatMap(
      (judged) =>
        this.#byDeployment.get(deploymentId({ deployment, judged }))?.filter(({ seconds }) => seconds > 0) ??
        [],
    )
    return all.length === 0 ? undefined : all.reduce((sum, { seconds }) => sum + seconds, 0) / all.length
  }
}

const benchmarkId = ({ deployment, benchmark, judged }: Asking): string =>
  JSON.stringify([deployment, judged, benchmark])

const deploymentId = ({ deployment, judged }: Omit<Asking, 'benchmark'>): string =>
  JSON.stringify([deployment, judged])
