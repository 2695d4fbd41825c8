import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { Chat } from '../../../benchmarks/scenario/chat.ts'
import type { Instance, Reference } from '../../../benchmarks/scenario/instance.ts'
import { any, dict, id, list, optional, record, text, wrapped, type Field, type Form } from './form.ts'

interface HelmInput {
  readonly text: string
  readonly multimediaContent?: PyValue
  readonly messages?: Chat
}

/** An Instance as HELM's files may hold it: with perturbations and images, which no benchmark of ours makes. */
export interface HelmInstance extends Omit<Instance, 'input' | 'split' | 'id' | 'cluster' | 'attributes'> {
  readonly input: HelmInput
  readonly split?: string
  readonly id?: string | number
  readonly perturbation?: ReadonlyMap<string, PyValue>
  readonly contrastInputs?: PyValue
  readonly contrastReferences?: PyValue
}

interface HelmReference {
  readonly output: string
  readonly tags: readonly string[]
}

const helmReference = record<HelmReference>({ output: wrapped('text', text), tags: list(text) })

const referenceForm: Form<Reference> = {
  write: ({ text, tags }) => helmReference.write({ output: text, tags }),
  read: (value, at) => {
    const { output, tags } = helmReference.read(value, at)
    return { text: output, tags }
  },
}

const inputForm: Field<HelmInput> = record<HelmInput>({
  text,
  multimediaContent: optional(any),
  messages: optional(list(dict)),
})

/** Instance in HELM's order (HELM.md F2). */
export const instanceForm: Form<HelmInstance> = record<HelmInstance>({
  input: inputForm,
  references: list(referenceForm),
  split: optional(text),
  subSplit: optional(text),
  id: optional(id),
  perturbation: optional(dict),
  contrastInputs: optional(any),
  contrastReferences: optional(any),
  extraData: optional(dict),
})
