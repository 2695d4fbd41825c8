import { LOCAL_MODEL_CLASSES } from '../local/settings.ts'
import type { CredentialKind } from '../registry/credentials.ts'

/** How a chat deployment finds its server: HELM's client classes mapped onto the one chat client. */
export interface ChatClass {
  /** Server when neither args nor credentials name one. */
  readonly baseUrl?: string
  /** Args that may hold the server's model string, in order; else the last part of the model's name. */
  readonly modelArgs: readonly string[]
  /** Credential to fall back to for the URL. */
  readonly urlCredential?: CredentialKind
  /** A server on this machine needs no key. */
  readonly keyOptional?: boolean
}

const openAiArgs = ['openai_model_name', 'model', 'model_name']

/** HELM's class names (helm-core.md §1.7) and ours that speak OpenAI-compatible chat completions. */
export const CHAT_CLASSES: Readonly<Record<string, ChatClass>> = {
  'medmake.chat': { modelArgs: ['model'], urlCredential: 'BaseUrl', keyOptional: true },
  'helm.clients.openai_client.OpenAIClient': {
    baseUrl: 'https://api.openai.com/v1',
    modelArgs: openAiArgs,
    urlCredential: 'BaseUrl',
  },
  'helm.clients.vllm_client.VLLMChatClient': {
    modelArgs: ['vllm_model_name', ...openAiArgs],
    urlCredential: 'BaseUrl',
    keyOptional: true,
  },
  'helm.clients.together_client.TogetherChatClient': {
    baseUrl: 'https://api.together.xyz/v1',
    modelArgs: ['together_model', ...openAiArgs],
  },
  'helm.clients.openrouter_client.OpenRouterClient': {
    baseUrl: 'https://openrouter.ai/api/v1',
    modelArgs: openAiArgs,
  },
  'helm.clients.deepseek_client.DeepSeekChatClient': {
    baseUrl: 'https://api.deepseek.com',
    modelArgs: openAiArgs,
  },
  'helm.clients.grok_client.GrokChatClient': { baseUrl: 'https://api.x.ai/v1', modelArgs: openAiArgs },
  'helm.clients.stanfordhealthcare_openai_client.StanfordHealthCareOpenAIClient': {
    modelArgs: openAiArgs,
    urlCredential: 'Endpoint',
  },
}

/** Embedded models: no server, no key. */
export const LOCAL_CLASSES = [
  'medmake.baseline',
  'medmake.simple',
  'helm.clients.simple_client.SimpleClient',
] as const

export const supportedClasses = (): readonly string[] => [
  ...Object.keys(CHAT_CLASSES),
  ...LOCAL_CLASSES,
  ...LOCAL_MODEL_CLASSES,
]
