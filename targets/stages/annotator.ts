import { strip } from '../../benchmarks/python/text.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { Outcome } from '../../cache/outcome.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import type { Completion } from '../record/completion.ts'

/** What one judge, or another annotator, made of one answer. */
export interface Judgement {
  readonly judge: string
  /**
   * done: the parsed reply, or what was computed; failed: no reply came or none that could be read, or what was
   * computed is not what HELM would have; absent: nothing to judge.
   */
  readonly outcome: Outcome<PyValue>
  /** A failure to get a reply can succeed on a rerun; an unreadable reply is final. */
  readonly retriable: boolean
  /** Key of the result in the store. */
  readonly digest?: Digest<'annotation'>
  /** The judge's replies; absent where nobody was asked. */
  readonly completions?: readonly Completion[]
  readonly cached: boolean
}

/** What the store has of a judgement. */
export interface PeekedJudgement {
  /** False where annotating would ask or compute: true where there is nothing to judge, too. */
  readonly isKnown: boolean
  /** As `Judgement` has it; absent where it is not known, and where no reply can be read. */
  readonly digest?: Digest<'annotation'>
  /** Whether the result that the digest names is there. */
  readonly isStored: boolean
  /** The stored replies that it is read from; absent where nobody was asked. */
  readonly replies?: readonly Digest<'completion'>[]
}

/** What adds annotations to an answer: a jury, or the execution of queries. Each judgement is a column of the record. */
export interface Annotator {
  /** How many judgements `run` gives. */
  readonly columns: number
  run(instance: Instance, answer: string): Promise<readonly Judgement[]>
  /** Per column: what the store has of it. */
  peek(instance: Instance, answer: string): readonly PeekedJudgement[]
  /** Per column: the requests that are still to be made; all that are sure where the answer is not known yet. Absent:
   * nobody is asked. */
  missing?(instance: Instance, answer: string | undefined): readonly (readonly CompletionRequest[])[]
  /** HELM's annotations from stored results, in the columns' order; undefined digests are judges that dropped out. */
  assemble(
    instance: Instance,
    answer: string,
    digests: readonly (Digest<'annotation'> | undefined)[],
  ): ReadonlyMap<string, PyValue>
}

/** Whether a jury is asked about an answer: one of blanks only has nothing to judge. */
export const isJudged = (answer: string): boolean => strip(answer) !== ''

export const nothingToJudge = (judge: string): Judgement => ({
  judge,
  outcome: { kind: 'absent', reason: 'nothing to judge' },
  retriable: false,
  cached: true,
})
