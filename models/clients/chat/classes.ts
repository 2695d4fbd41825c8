import type { JsonObject } from '../../../cache/values/json.ts'
import { LOCAL_MODEL_CLASSES } from '../../local/settings.ts'
import type { CredentialKind } from '../../deployment/credentials.ts'
import type { FormName } from './call-settings.ts'

/** How a deployment finds its server and what it speaks: HELM's client classes mapped onto the one client. */
export interface ChatClass {
  /** Server when neither args nor credentials name one. */
  readonly baseUrl?: string
  /** Args that may hold the server's model string, in order; else the last part of the model's name. */
  readonly modelArgs: readonly string[]
  /** Without such an arg the model's whole name is sent. */
  readonly wholeName?: true
  /** Credential to fall back to for the URL, and for `{endpoint}` in it. */
  readonly urlCredential?: CredentialKind
  /** A server on this machine needs no key. */
  readonly keyOptional?: boolean
  /** Chat completions unless given; the arg `api` wins. */
  readonly form?: FormName
  /** Azure's way: the model in the path, a version in the query, the key in the header `api-key`. */
  readonly azure?: { readonly apiVersion: string }
  /** Header that carries the key in place of `Authorization`. */
  readonly keyHeader?: string
  /** Put into every request. */
  readonly body?: JsonObject
  /** The provider takes batches (`/files`, `/batches`) at a lower price. */
  readonly batches?: true
}

const openAiArgs = ['openai_model_name', 'model', 'model_name']
const OPENAI = 'https://api.openai.com/v1'
const TOGETHER = 'https://api.together.xyz/v1'
const APIM_HEADER = 'Ocp-Apim-Subscription-Key'
/** HELM's defaults. */
const AZURE = { apiVersion: '2024-07-01-preview' }

const openAi: ChatClass = {
  baseUrl: OPENAI,
  modelArgs: openAiArgs,
  urlCredential: 'BaseUrl',
  batches: true,
}
const vllm: ChatClass = {
  modelArgs: ['vllm_model_name', ...openAiArgs],
  urlCredential: 'BaseUrl',
  keyOptional: true,
}
const azure: ChatClass = {
  modelArgs: ['azure_openai_deployment_name', 'deployment', ...openAiArgs],
  urlCredential: 'Endpoint',
  azure: AZURE,
}

/** Ours: any compatible server, by interface. */
const OWN: Readonly<Record<string, ChatClass>> = {
  'medmake.chat': { modelArgs: ['model'], urlCredential: 'BaseUrl', keyOptional: true },
  'medmake.responses': { ...openAi, modelArgs: ['model'], form: 'responses' },
  'medmake.completions': {
    modelArgs: ['model'],
    urlCredential: 'BaseUrl',
    keyOptional: true,
    form: 'completions',
  },
  'medmake.azure': azure,
}

/** HELM 0.5.16's client classes that speak an OpenAI-compatible interface, or whose provider has one. */
const HELM: Readonly<Record<string, ChatClass>> = {
  'openai_client.OpenAIClient': openAi,
  'openai_client.OpenAILegacyCompletionsClient': { ...openAi, form: 'completions' },
  'openai_responses_client.OpenAIResponseClient': { ...openAi, form: 'responses' },
  'azure_openai_client.AzureOpenAIClient': azure,
  'vllm_client.VLLMChatClient': vllm,
  'vllm_client.VLLMClient': { ...vllm, form: 'completions' },
  'together_client.TogetherChatClient': {
    baseUrl: TOGETHER,
    modelArgs: ['together_model', ...openAiArgs],
  },
  'together_client.TogetherCompletionClient': {
    baseUrl: TOGETHER,
    modelArgs: ['together_model', ...openAiArgs],
    form: 'completions',
  },
  'openrouter_client.OpenRouterClient': {
    baseUrl: 'https://openrouter.ai/api/v1',
    modelArgs: ['openrouter_model_name', ...openAiArgs],
    wholeName: true,
  },
  'deepseek_client.DeepSeekChatClient': { baseUrl: 'https://api.deepseek.com', modelArgs: openAiArgs },
  'grok_client.GrokChatClient': { baseUrl: 'https://api.x.ai/v1', modelArgs: openAiArgs },
  'nvidia_nim_client.NvidiaNimClient': {
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    modelArgs: openAiArgs,
    wholeName: true,
  },
  'upstage_client.UpstageChatClient': {
    baseUrl: 'https://api.upstage.ai/v1/solar',
    modelArgs: openAiArgs,
  },
  'palmyra_client.PalmyraChatClient': {
    baseUrl: 'https://api.writer.com/v1/chat',
    modelArgs: openAiArgs,
  },
  'mistral_client.MistralAIClient': {
    baseUrl: 'https://api.mistral.ai/v1',
    modelArgs: ['mistral_model', ...openAiArgs],
  },
  'huggingface_inference_providers_client.HuggingFaceInferenceProvidersClient': {
    baseUrl: 'https://router.huggingface.co/v1',
    modelArgs: ['huggingface_model_name', ...openAiArgs],
    wholeName: true,
  },
  'stanfordhealthcare_openai_client.StanfordHealthCareOpenAIClient': {
    modelArgs: openAiArgs,
    urlCredential: 'Endpoint',
    keyHeader: APIM_HEADER,
  },
  'stanfordhealthcare_azure_openai_client.StanfordHealthCareAzureOpenAIClient': {
    ...azure,
    keyHeader: APIM_HEADER,
  },
  'stanfordhealthcare_shc_openai_client.StanfordHealthCareSHCOpenAIClient': {
    ...azure,
    azure: { apiVersion: '2024-08-01-preview' },
  },
}

export const CHAT_CLASSES: Readonly<Record<string, ChatClass>> = {
  ...OWN,
  ...Object.fromEntries(Object.entries(HELM).map(([name, kind]) => [`helm.clients.${name}`, kind])),
}

/** Embedded models: no server, no key. */
const LOCAL_CLASSES = [
  'medmake.baseline',
  'medmake.simple',
  'helm.clients.simple_client.SimpleClient',
] as const

export const supportedClasses = (): readonly string[] => [
  ...Object.keys(CHAT_CLASSES),
  ...LOCAL_CLASSES,
  ...LOCAL_MODEL_CLASSES,
]
