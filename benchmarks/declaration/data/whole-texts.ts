import { ProblemError, type Place } from '../../../cache/problems/problem.ts'
import { safeText } from '../../../cache/problems/safe-text.ts'
import type { DraftInstance } from '../../scenario/instance.ts'

/**
 * The instance itself, if UTF-8 can hold it: an escape in JSON may leave half of an emoji.
 * @throws ProblemError `benchmarks/not-text`
 */
export const withWholeTexts = (draft: DraftInstance, where: Place): DraftInstance => {
  const { id, input, references, subSplit, cluster } = draft
  const messages = (input.messages ?? []).map((message) => [...message.values()])
  const texts = [id, input.text, subSplit, cluster, references.map(({ text }) => text), messages].flat(2)
  if (texts.every((text) => typeof text !== 'string' || text.isWellFormed())) return draft
  throw new ProblemError({
    code: 'benchmarks/not-text',
    safe: safeText`a text holds half of a surrogate pair`,
    message: 'a text holds half of a surrogate pair, which is no text',
    where,
    remedy: 'Export the file again: an emoji was cut in two.',
  })
}
