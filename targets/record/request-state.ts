import type { Float } from '../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { Chat, Instance } from '../../benchmarks/scenario/instance.ts'

/** HELM's Request (HELM.md T9), fields in HELM's order. */
export interface HelmRequest {
  readonly modelDeployment: string
  readonly model: string
  readonly prompt: string
  readonly temperature: number | Float
  readonly numCompletions: number
  readonly topKPerToken: number
  readonly maxTokens: number
  readonly stopSequences: readonly string[]
  readonly random?: string
  /** Of a chat, whose prompt is empty. */
  readonly messages?: Chat
}

export interface Token {
  readonly text: string
  readonly logprob: number
}

/** One sampled answer as HELM's GeneratedOutput shows it. */
export interface HelmCompletion {
  readonly text: string
  /** Sum of token log probabilities; the int 0 where the provider gave none. */
  readonly logprob: number
  readonly tokens: readonly Token[]
  readonly finishReason?: string
  readonly thinking?: string
}

export interface HelmResult {
  readonly success: boolean
  readonly completions: readonly HelmCompletion[]
  readonly cached: boolean
  /** Seconds. */
  readonly requestTime: number
  /** Epoch seconds. */
  readonly requestDatetime: number
  readonly error?: string
}

/** HELM's RequestState: one evaluated request of one instance and all that became of it. */
export interface RequestState {
  readonly instance: Instance
  readonly trainTrialIndex: number
  /** Letter → reference text, for multiple choice. */
  readonly outputMapping?: ReadonlyMap<string, string>
  readonly request: HelmRequest
  /** Absent when the request finally failed; then the instance has no metrics either. */
  readonly result?: HelmResult
  readonly numTrainInstances: number
  readonly promptTruncated: boolean
  /** Tokens of the prompt by the deployment's tokenizer; 1 where it has none (models/HELM.md M3), null where unknown. */
  readonly numPromptTokens: number | null
  /** Annotator name → what it stored. */
  readonly annotations?: ReadonlyMap<string, PyValue>
}
