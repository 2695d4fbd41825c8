import type { Digest } from '../../cache/values/digest.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { Completion } from '../record/completion.ts'
import type { Target } from '../record/target.ts'

/** A request to a server as planning meets it. */
export interface PlannedCall {
  readonly target: Target
  /** Null for the model's own answer. */
  readonly judge: string | null
  readonly deployment: ModelDeployment
  readonly request: CompletionRequest
  /** Absent for a judge of an answer that is not there yet: the request then lacks that answer. */
  readonly digest?: Digest<'completion'>
  /** In the digest's place: equal for requests that will be equal once the answer is there. */
  readonly lacking?: string
  /** The stored reply; absent where it would have to be paid for. Judges' stored replies are not told. */
  readonly completion?: Completion
}
