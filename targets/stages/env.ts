import type { Digest } from '../../cache/digest.ts'
import type { Store } from '../../cache/store.ts'
import type { Availability } from '../../models/availability.ts'
import type { Endpoint } from '../../models/agreement/data-agreement.ts'
import type { Client } from '../../models/clients/client.ts'
import type { Limiter } from '../../models/limits/limiter.ts'
import type { ModelDeployment } from '../../models/registry/model.ts'
import type { RetryPolicy } from '../../models/retry.ts'
import type { Tokenizer, TokenizerOf } from '../../models/tokenizers/tokenizer.ts'
import type { Batches } from '../batch/batches.ts'
import type { Listener } from '../event.ts'
import type { BertScorer } from '../metrics/bert-score/bert-score.ts'
import type { Profile } from '../profile.ts'
import type { Spending } from '../spend/spending.ts'
import type { SqlBox } from '../sql/box.ts'

/** A SQLite file with its digest. */
export interface DatabaseFile {
  readonly path: string
  readonly digest: Digest<'file'>
}

/** What the stages of all targets of one invocation share. Everything that touches disk, net, clock or chance is here. */
export interface StageEnv {
  readonly store: Store
  /**
   * What takes the place of these for gated and private benchmarks, whose texts are kept in the vault. Absent where this
   * is their environment already: stages get theirs from `envFor`.
   */
  readonly restricted?: () => Promise<Pick<StageEnv, 'store' | 'bertScorer'>>
  readonly profile: Profile
  readonly listener: Listener
  /** Clients and limiters are opened on the first miss that needs them: a cached run opens none. */
  readonly client: (deployment: ModelDeployment) => Promise<Client>
  readonly limiter: (deployment: ModelDeployment) => Limiter
  readonly availability: (deployment: ModelDeployment) => Availability
  /** Where the client of a deployment would send requests. */
  readonly endpoint: (deployment: ModelDeployment) => Endpoint
  readonly tokenizer: (deployment: TokenizerOf) => Promise<Tokenizer | undefined>
  /** Opened on the first query that the store does not know. */
  readonly sqlBox: (database: DatabaseFile) => SqlBox
  /** Absent where the workspace configures no encoder. */
  readonly bertScorer?: () => Promise<BertScorer>
  readonly spending: Spending
  /** Absent where no call is made. */
  readonly batches?: Batches
  readonly retry: RetryPolicy
  /** Aborted first: no new work is begun. */
  readonly stop: AbortSignal
  /** Aborted a grace later: calls in flight are given up. */
  readonly abort: AbortSignal
  readonly random: () => number
  /** Epoch milliseconds. */
  readonly now: () => number
}
