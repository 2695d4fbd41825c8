import type { Instance, Split } from '../../benchmarks/scenario/instance.ts'
import { defined } from '../../cache/values/defined.ts'
import type { AskedInstance, AskedQuestions } from '../../targets/runs/run.ts'
import type { HelmInstance } from './forms/request-state.ts'
import { QuestionDigests } from './question-digests.ts'
import { readRequestStates } from './read-run.ts'

/**
 * What the files of a run tell of its questions: an instance has the digest that a store gives it.
 * @param sources of the instances that share one, by id; HELM's files name none
 */
export const askedAt = async (
  path: string,
  {
    unread,
    sources = new Map(),
  }: Pick<AskedQuestions, 'unread'> & { readonly sources?: ReadonlyMap<string, string> },
): Promise<AskedQuestions> => {
  const instances = new Map<string, Omit<AskedInstance, 'digest'>>()
  const digests = new QuestionDigests()
  let trials = 1
  for await (const { instance, trainTrialIndex } of readRequestStates(path)) {
    if (instance.perturbation !== undefined) continue
    trials = Math.max(trials, trainTrialIndex + 1)
    const plain = plainInstance(instance)
    const id = String(plain.id)
    if (instances.has(id)) continue
    digests.add(id, plain)
    const cluster = sources.get(id)
    instances.set(id, {
      id: plain.id,
      split: plain.split,
      ...(cluster === undefined ? {} : { cluster }),
      body: () => plain,
    })
  }
  return {
    instances: [...digests.all()].flatMap(([id, digest]) => {
      const instance = instances.get(id)
      return instance === undefined ? [] : [{ ...instance, digest }]
    }),
    trials,
    unread,
  }
}

/** An instance of HELM's files as one of ours. */
export const plainInstance = (instance: HelmInstance): Instance => ({
  ...instance,
  id: instance.id ?? '',
  input: defined({ text: instance.input.text, messages: instance.input.messages }),
  split: (instance.split ?? 'test') as Split,
})
