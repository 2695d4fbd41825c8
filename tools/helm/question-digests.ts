import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { digestJson, type Digest } from '../../cache/values/digest.ts'
import { instanceDigest, storedInstance } from '../../targets/record/instance-ref.ts'
import { REDACTED } from './redacted.ts'

/**
 * Digests of a run's questions, by id. Redacted ones read alike, and ids tell them apart: only among the same ids, for where
 * some came or went the others may have shifted.
 */
export class QuestionDigests {
  readonly #digests = new Map<string, Digest<'instance'>>()
  #areRedacted = false

  /** The first of an id counts. */
  add(id: string, instance: Instance): void {
    if (this.#digests.has(id)) return
    this.#areRedacted ||= instance.input.text === REDACTED
    this.#digests.set(id, instanceDigest(storedInstance(instance)))
  }

  all(): ReadonlyMap<string, Digest<'instance'>> {
    if (!this.#areRedacted) return this.#digests
    const ids = digestJson([...this.#digests.keys()].toSorted())
    return new Map([...this.#digests].map(([id, digest]) => [id, digestJson([ids, id, digest])]))
  }
}
