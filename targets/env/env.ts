import type { Digest } from '../../cache/values/digest.ts'
import type { Store } from '../../cache/store.ts'
import type { Availability, RetryPolicy } from '../../models/retry.ts'
import type { Endpoint } from '../../models/agreement/data-agreement.ts'
import type { Client } from '../../models/calls/client.ts'
import type { Limiter } from '../../models/limits/limiter.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { Tokenizer, TokenizerOf } from '../../models/tokenizers/tokenizer.ts'
import type { Batches } from '../batch/batches.ts'
import type { BertScorer } from '../metrics/bert-score/bert-score.ts'
import type { Profile } from '../profile.ts'
import type { SpendEnv } from '../spend/spending.ts'
import type { SqlBox } from '../sql/box.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'

/** A SQLite file with its digest. */
interface DatabaseFile {
  readonly path: string
  readonly digest: Digest<'file'>
}

/** Where a benchmark's texts are kept, and the encoder that keeps what it makes of them there, too. */
export interface Keeping {
  readonly store: Store
  /** Absent where the workspace configures no encoder. */
  readonly bertScorer?: () => Promise<BertScorer>
}

/** What all targets of one invocation share. It keeps no texts: `envFor` gives a benchmark the environment that does. */
export interface SharedEnv extends WorkEnv {
  /** Records and the traces that lead to them, of figures and digests alone, whatever the access. */
  readonly records: Store
  /** Public texts. */
  readonly open: Keeping
  /** Of gated and private benchmarks, in the vault. */
  readonly restricted: () => Promise<Keeping>
}

declare const KEPT: unique symbol

/** A store that was chosen by a benchmark's access: no other fits in its place. */
export type KeptStore = Store & { readonly [KEPT]: true }

/** Where one benchmark's texts are kept: what `keepingFor` gives, which looks at the benchmark's access. */
export interface Kept {
  readonly store: KeptStore
  /** Keeps embeddings of the texts in the same place. Absent where the workspace configures no encoder. */
  readonly bertScorer?: Keeping['bertScorer'] & { readonly [KEPT]: true }
}

/** What the stages of one benchmark see: what `envFor` gives. */
export interface StageEnv extends WorkEnv, Kept {}

/** Everything else that touches disk, net, clock or chance. */
interface WorkEnv extends Omit<SpendEnv, 'store'> {
  readonly profile: Profile
  /** Clients and limiters are opened on the first miss that needs them: a cached run opens none. */
  readonly client: (deployment: ModelDeployment) => Promise<Client>
  readonly limiter: (deployment: ModelDeployment) => Limiter
  readonly availability: (deployment: ModelDeployment) => Availability
  /** Where the client of a deployment would send requests. */
  readonly endpoint: (deployment: ModelDeployment) => Endpoint
  readonly tokenizer: (deployment: TokenizerOf) => Promise<Tokenizer | undefined>
  /** Opened on the first query that the store does not know. */
  readonly sqlBox: (database: DatabaseFile) => SqlBox
  /** Nobody is asked, no model in this process either: a reply that is not in the store is missing. */
  readonly storedOnly?: boolean
  /** Absent where no call is made. */
  readonly batches?: Batches
  readonly retry: RetryPolicy
  readonly random: () => number
}

/** As much of the shared environment as says where texts are kept. */
export type StoreEnv = Pick<SharedEnv, 'open' | 'restricted'>

/**
 * What the stages of one target see: for a gated or private benchmark the environment whose store keeps texts in the
 * vault. It is opened when the first such target has work to do.
 */
export const envFor = async (
  benchmark: Pick<Benchmark, 'access'>,
  { records: _records, open, restricted, ...work }: SharedEnv,
): Promise<StageEnv> => ({ ...work, ...(await keepingFor(benchmark, { open, restricted })) })

/** Where a benchmark's texts are kept. */
export const keepingFor = async (
  { access }: Pick<Benchmark, 'access'>,
  { open, restricted }: StoreEnv,
): Promise<Kept> => (access === 'public' ? open : await restricted()) as Kept

/** The same environment with a layer over its store: one that keeps in memory, or in what it lies over. */
export const layered = (env: StageEnv, layer: (own: Store) => Store): StageEnv => ({
  ...env,
  store: layer(env.store) as KeptStore,
})
