import type { JsonObject } from '../../../cache/values/json.ts'
import { plainJson } from '../../../benchmarks/python/plain-json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { AnnotatorCodeInput } from '../../../benchmarks/scenario/annotator-code.ts'
import { inputText, isCorrect, type Instance } from '../../../benchmarks/scenario/instance.ts'

/** What a workspace's code is told of an instance. */
export const codeInput = (
  instance: Instance,
): Pick<AnnotatorCodeInput, 'input' | 'references' | 'split'> & { readonly extra: JsonObject } => ({
  input: inputText(instance),
  references: instance.references.map((reference) => ({
    text: reference.text,
    correct: isCorrect(reference),
  })),
  extra: plainRecord(instance.extraData),
  split: instance.split,
})

/** A dict as plain JSON; an empty one for anything else. */
export const plainRecord = (value: PyValue | undefined): JsonObject =>
  value instanceof Map ? (plainJson(value) as JsonObject) : {}
