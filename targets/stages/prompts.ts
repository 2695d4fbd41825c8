import { asJson, storedShape } from '../../cache/stored-shape.ts'
import { dumps } from '../../benchmarks/python/dumps.ts'
import { str } from '../../benchmarks/python/numbers/number.ts'
import type { Chat, Instance } from '../../benchmarks/scenario/instance.ts'
import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import { type Digest, keyTemplate } from '../../cache/values/digest.ts'
import { type Window, fits, truncateFromRight } from '../../models/tokenizers/tokenizer.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { promptKey } from '../keys/keys.ts'
import { once } from '../../cache/once.ts'
import { dialectOf } from '../profile.ts'
import type { StageEnv } from '../env/env.ts'
import { promptText, type PromptParts } from '../adapters/prompt.ts'

/** A prompt as the store keeps it. */
export interface Prompt {
  readonly text: string
  /** Python JSON text of the messages of a chat; its text is then empty. */
  readonly messages?: string
  readonly truncated: boolean
  readonly numTrainInstances: number
  /** By the deployment's tokenizer; 1 where it has none, null where it has one that is not at hand offline. */
  readonly tokens: number | null
}

/** A prompt as the store gives it. */
export const storedPrompt = storedShape<Prompt>('a prompt', {
  text: 'text',
  truncated: 'flag',
  numTrainInstances: 'number',
})

export interface PromptResult {
  readonly digest: Digest<'prompt'>
  readonly prompt: Prompt
  readonly cached: boolean
}

interface InstanceAt {
  readonly digest: Digest<'instance'>
  /** Read only on a miss. */
  readonly load: () => Instance
}

export interface PromptStage {
  run(instance: InstanceAt): Promise<PromptResult>
}

/** The in-context examples of one trial; the same for all its instances. */
export interface TrainSet {
  readonly digests: readonly Digest<'instance'>[]
  readonly instances: readonly Instance[]
}

export const createPromptStage = (
  adapter: AdapterSpec,
  deployment: ModelDeployment,
  train: TrainSet,
  env: StageEnv,
): PromptStage => {
  const key = keyTemplate<'instance', 'prompt'>(
    { ...promptKey(adapter, deployment, env.profile), train: train.digests },
    ['instance'],
  )
  const windowOnce = once(() => windowOf(deployment, env))
  const make = async (instance: Instance): Promise<Prompt> => {
    const { window, known } = await windowOnce()
    const { messages } = instance.input
    if (adapter.method !== 'chat' || messages === undefined)
      return makePrompt(adapter, train, instance, { window, known })
    return chatPrompt(messages, window, { isKnown: known, isCounted: dialectOf(env.profile).countsChats })
  }
  return {
    run: async ({ digest: instance, load }) => {
      const digest = key.digest({ instance })
      const known = storedPrompt(env.store.get('prompts', digest))
      if (known !== undefined) return { digest, prompt: known, cached: true }
      const prompt = await make(load())
      await env.store.put('prompts', digest, asJson(prompt))
      return { digest, prompt, cached: false }
    },
  }
}

/** A chat is sent as it is, whatever the window (HELM.md T6); its tokens are those of its messages, where the profile counts them. */
const chatPrompt = (
  messages: Chat,
  { tokenizer }: Window,
  { isKnown, isCounted }: { readonly isKnown: boolean; readonly isCounted: boolean },
): Prompt => {
  const texts = isCounted ? messages.map((message) => str(message.get('content') ?? '')) : ['']
  const tokens = tokenizer === undefined ? 1 : texts.reduce((sum, text) => sum + tokenizer.count(text), 0)
  return {
    text: '',
    messages: dumps(messages),
    truncated: false,
    numTrainInstances: 0,
    tokens: isKnown ? tokens : null,
  }
}

const makePrompt = (
  adapter: AdapterSpec,
  train: TrainSet,
  instance: Instance,
  { window, known }: { window: Window; known: boolean },
): Prompt => {
  const { text, truncated, numTrainInstances } = fitPrompt(
    { adapter, train: train.instances, instance },
    window,
  )
  return { text, truncated, numTrainInstances, tokens: known ? (window.tokenizer?.count(text) ?? 1) : null }
}

/** HELM counts 1 token where no tokenizer and no length is set (models/HELM.md M3). */
const windowOf = async (
  deployment: ModelDeployment,
  env: StageEnv,
): Promise<{ window: Window; known: boolean }> => {
  const { tokenizerName, maxRequestLength, maxSequenceLength } = deployment
  const length = maxRequestLength ?? maxSequenceLength
  if (tokenizerName === undefined) return { window: {}, known: true }
  const tokenizer = await env.tokenizer(deployment)
  if (tokenizer === undefined) return { window: {}, known: false }
  return { window: { tokenizer, ...(length === undefined ? {} : { maxRequestLength: length }) }, known: true }
}

interface FittedPrompt {
  readonly text: string
  readonly truncated: boolean
  /** In-context examples that stayed. */
  readonly numTrainInstances: number
}

/**
 * Drops in-context examples from the end until prompt and answer fit; without examples cuts the text itself
 * (HELM.md T8). A text cut down to nothing is sent whole, as HELM does, though it counts as truncated.
 */
export const fitPrompt = (parts: PromptParts, window: Window): FittedPrompt => {
  const { adapter, train, instance } = parts
  for (let kept = train.length; kept > 0; kept -= 1) {
    const text = promptText({ adapter, train: train.slice(0, kept), instance })
    if (fits(text, adapter.maxTokens, window)) return { text, truncated: false, numTrainInstances: kept }
  }
  const whole = promptText({ adapter, train: [], instance })
  const { text, truncated } = truncateFromRight(whole, adapter.maxTokens, window)
  return { text: text === '' ? whole : text, truncated, numTrainInstances: 0 }
}
