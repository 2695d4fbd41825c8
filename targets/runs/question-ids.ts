import { withIds, type InstanceVector } from './instance-vector.ts'

/**
 * Names for the questions of one scenario's runs. Ids are counted in HELM's files: a row before the others moves all of them. A
 * question is known again by its digest, of several alike the first by the first, and an id that names another one is another's.
 */
export class QuestionIds {
  readonly #byDigest = new Map<string, string[]>()
  readonly #digests = new Map<string, string>()

  /** @param digests of the ids' questions, in their order */
  of(ids: readonly string[], digests: readonly string[]): readonly string[] {
    const isKept = ids.map((id, at) => this.#digests.get(id) === digests[at])
    const taken = new Set(ids.filter((_, at) => isKept[at] === true))
    return ids.map((id, at) => {
      if (isKept[at] === true) return id
      const digest = digests[at] ?? ''
      const name = this.#byDigest.get(digest)?.find((each) => !taken.has(each)) ?? this.#added(id, digest)
      taken.add(name)
      return name
    })
  }

  #added(id: string, digest: string): string {
    const name = this.#digests.has(id) ? `${id}${OTHER}${digest}` : id
    this.#digests.set(name, digest)
    this.#byDigest.set(digest, [...(this.#byDigest.get(digest) ?? []), name])
    return name
  }
}

/** No id holds it. */
const OTHER = '\u0000'

/** The id by which a run itself calls what these are the only ones to call so. */
export const ownId = (name: string): string => name.split(OTHER, 1)[0] ?? name

/** With the names of questions that several runs may ask, where their digests are known. */
export const withQuestionIds = (vector: InstanceVector, names: QuestionIds): InstanceVector =>
  vector.questions === undefined ? vector : withIds(vector, names.of(vector.ids, vector.questions))
