import type { Access } from '../benchmarks/scenario/benchmark.ts'
import type { SourceEvent } from '../benchmarks/context/context.ts'
import type { StoreEvent } from '../cache/store.ts'
import type { CodeEvent } from '../cache/user-code/bounded-call.ts'
import type { ModelEvent } from '../models/retry.ts'

/** The stages of a target, in order. */
export const STAGES = ['instances', 'prompts', 'completions', 'annotations', 'metrics'] as const
export type StageName = (typeof STAGES)[number]

/** What the engine itself reports. */
export type EngineEvent =
  | { readonly type: 'plan'; readonly targets: number }
  /** A server of this machine gets texts that are not public, and no agreement says that it may. */
  | {
      readonly type: 'server-assumed'
      /** Host and port. */
      readonly address: string
      readonly deployments: readonly string[]
      readonly benchmarks: readonly string[]
    }
  /** A run's values lie where the changed access of its benchmark has them; `erased`: no file holds them besides. */
  | {
      readonly type: 'access-followed'
      readonly target: string
      readonly access: Access
      readonly values: number
      readonly erased: boolean
    }
  /** Something of it has to run; its data is about to be looked at. */
  | { readonly type: 'target-stale'; readonly target: string }
  /** `instances`: evaluated ones; `calls`: the most model and judge calls it can take. */
  | {
      readonly type: 'target-started'
      readonly target: string
      readonly instances: number
      readonly work: number
      /** Judgements that all requests together can get. */
      readonly judgements: number
    }
  | {
      readonly type: 'target-finished'
      readonly target: string
      /** fresh: nothing had to be done. */
      readonly outcome: 'fresh' | 'built' | 'incomplete'
      readonly failures: number
    }
  | {
      readonly type: 'stage-results'
      readonly target: string
      readonly stage: StageName
      readonly executed: number
      readonly cached: number
    }
  /** One request that reached a server and was paid for. */
  | {
      readonly type: 'provider-call'
      readonly target: string
      readonly deployment: string
      /** US dollars; null where price or usage is not known. */
      readonly usd: number | null
    }
  /** An attempt failed that may be charged for all the same: at most so much; null without a price. */
  | { readonly type: 'call-uncertain'; readonly target: string; readonly usd: number | null }
  /** A reply that cost so much more than its request allows, US dollars: reasoning that `max_tokens` does not bound. */
  | {
      readonly type: 'call-overran'
      readonly target: string
      readonly deployment: string
      readonly usd: number
    }
  /** A reply whose token counts cannot be: its cost is not known. */
  | { readonly type: 'usage-impossible'; readonly target: string; readonly deployment: string }
  /** Replies that the store had and that asking now would cost so much; null where that is not known. */
  | {
      readonly type: 'replies-reused'
      readonly target: string
      readonly replies: number
      readonly usd: number | null
    }
  | {
      readonly type: 'instance-failed'
      readonly target: string
      readonly instance: string
      readonly stage: StageName
      /** Judge's name, for a failed annotation. */
      readonly judge?: string
      readonly code: string
      readonly detail: string
    }

/** Every event of the product: progress, `--json`, logs and explain subscribe to this union. */
export type Event = EngineEvent | SourceEvent | ModelEvent | StoreEvent | CodeEvent

export type Listener = (event: Event) => void
