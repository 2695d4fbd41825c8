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

/** Why one of HELM's client classes has no counterpart here, and what to declare in its place. */
interface OtherClass {
  readonly reason: string
  readonly instead: string
}

const chatAt = (url: string): string => `Use medmake.chat with base_url ${url} and the model's name there.`
const GATEWAY =
  'Use medmake.chat with a gateway that speaks OpenAI’s interface, such as LiteLLM’s proxy, as its base_url.'
const ANTHROPIC = {
  reason: 'speaks Anthropic’s own interface',
  instead: chatAt('https://api.anthropic.com/v1'),
}
const GEMINI = {
  reason: 'speaks Google’s own interface',
  instead: chatAt('https://generativelanguage.googleapis.com/v1beta/openai'),
}
const VERTEX = {
  reason: 'signs its requests with a Google Cloud account',
  instead: `${chatAt('https://generativelanguage.googleapis.com/v1beta/openai')} Or run a gateway that signs for Vertex AI.`,
}
const BEDROCK = {
  reason: 'signs its requests with an AWS account',
  instead: `${GATEWAY} Bedrock’s own OpenAI-compatible endpoint will do, too, with its API key.`,
}
const IN_PYTHON = {
  reason: 'runs the model inside Python',
  instead:
    'Serve the model with vLLM, Ollama or llama.cpp and use medmake.chat, or use medmake.local for its ONNX form.',
}
const IMAGES = {
  reason: 'makes images',
  instead: 'Leave it out: medical text benchmarks ask for none.',
}
const PICTURES_OR_SOUND = {
  reason: 'takes pictures or sound',
  instead: 'Leave it out, or serve the model with vLLM and ask it for text by medmake.chat.',
}
const NO_MODEL = {
  reason: 'is no client of a model but a part of HELM',
  instead: 'Name the class of a client.',
}
const SHC_HTTP = {
  reason: 'speaks the own interface of Stanford Health Care’s gateway',
  instead: GATEWAY,
}
const IBM = { reason: 'logs in to watsonx for each session', instead: GATEWAY }

/** All classes of `helm.clients` in 0.5.16 that `classes.ts` does not map, by what follows that. */
const OTHERS: Readonly<Record<string, OtherClass>> = {
  'ai21_client.AI21ChatClient': {
    reason: 'speaks AI21’s own interface',
    instead: chatAt('https://api.ai21.com/studio/v1'),
  },
  'ai21_client.AI21Client': {
    reason: 'asks AI21’s completions, which were switched off',
    instead: chatAt('https://api.ai21.com/studio/v1'),
  },
  'aleph_alpha_client.AlephAlphaClient': { reason: 'speaks Aleph Alpha’s own interface', instead: GATEWAY },
  'anthropic_client.AnthropicClient': {
    ...ANTHROPIC,
    reason: 'asks Anthropic’s completions, which were switched off',
  },
  'anthropic_client.AnthropicLegacyClient': {
    ...ANTHROPIC,
    reason: 'asks a server of before Anthropic’s public one',
  },
  'anthropic_client.AnthropicMessagesClient': ANTHROPIC,
  'auto_client.AutoClient': NO_MODEL,
  'bedrock_client.BedrockClient': BEDROCK,
  'bedrock_client.BedrockLlamaClient': BEDROCK,
  'bedrock_client.BedrockMistralClient': BEDROCK,
  'bedrock_client.BedrockNovaClient': BEDROCK,
  'bedrock_client.BedrockPalmyraClient': BEDROCK,
  'bedrock_client.BedrockTitanClient': BEDROCK,
  'client.CachingClient': NO_MODEL,
  'client.Client': NO_MODEL,
  'cohere_client.CohereChatClient': {
    reason: 'speaks Cohere’s own interface',
    instead: chatAt('https://api.cohere.ai/compatibility/v1'),
  },
  'cohere_client.CohereClient': {
    reason: 'asks Cohere’s generate interface, which was switched off',
    instead: chatAt('https://api.cohere.ai/compatibility/v1'),
  },
  'dspy_client.DSPyClient': {
    reason: 'runs a prompt program inside Python',
    instead: 'Use the program’s own model by medmake.chat; its optimised prompt goes into a benchmark.',
  },
  'goose_ai_client.GooseAIClient': {
    reason: 'is named in HELM’s files but not part of HELM any more',
    instead: 'Use medmake.completions with base_url https://api.goose.ai/v1.',
  },
  'google_client.GoogleClient': {
    reason: 'only reads answers that Google made offline',
    instead: GEMINI.instead,
  },
  'google_genai_client.GoogleGenAIClient': GEMINI,
  'http_model_client.HTTPModelClient': {
    reason: 'speaks an interface of its own',
    instead: 'Serve the model with an OpenAI-compatible server and use medmake.chat.',
  },
  'huggingface_pipeline_client.HuggingFacePipelineClient': IN_PYTHON,
  'ibm_client.IbmChatClient': IBM,
  'ibm_client.IbmClient': NO_MODEL,
  'ibm_client.IbmTextClient': IBM,
  'lit_gpt_client.LitGPTClient': IN_PYTHON,
  'litellm_client.LiteLLMCompletionClient': {
    reason: 'calls a Python library that speaks for many providers',
    instead: 'Run its proxy (litellm --model …) and use medmake.chat with base_url http://127.0.0.1:4000.',
  },
  'megatron_client.MegatronClient': {
    reason: 'speaks Megatron’s own interface',
    instead: 'Serve the model with vLLM and use medmake.completions.',
  },
  'moderation_api_client.ModerationAPIClient': NO_MODEL,
  'open_lm_client.OpenLMClient': IN_PYTHON,
  'openai_client.OpenAITranscriptionThenCompletionClient': PICTURES_OR_SOUND,
  'palmyra_client.PalmyraClient': {
    reason: 'asks Writer’s completions, which were switched off',
    instead: 'Use helm.clients.palmyra_client.PalmyraChatClient.',
  },
  'perspective_api_client.PerspectiveAPIClient': NO_MODEL,
  'reka_client.RekaClient': {
    reason: 'speaks Reka’s own interface',
    instead: chatAt('https://api.reka.ai/v1'),
  },
  'stanfordhealthcare_claude_client.StanfordHealthCareClaudeClient': SHC_HTTP,
  'stanfordhealthcare_google_client.StanfordHealthCareGoogleClient': SHC_HTTP,
  'stanfordhealthcare_http_model_client.StanfordHealthCareHTTPModelClient': SHC_HTTP,
  'together_client.TogetherClient': {
    reason: 'only reads answers that Together made offline',
    instead: 'Use helm.clients.together_client.TogetherChatClient or TogetherCompletionClient.',
  },
  'toxicity_classifier_client.ToxicityClassifierClient': NO_MODEL,
  'vertexai_client.VertexAIChatClient': VERTEX,
  'vertexai_client.VertexAIClient': VERTEX,
  'vertexai_client.VertexAITextClient': VERTEX,
  'vision_language.palmyra_vision_client.PalmyraVisionClient': PICTURES_OR_SOUND,
  'vllm_granite_thinking_client.VLLMGraniteThinkingClient': {
    reason: 'cuts thoughts out of the text by rules of one model',
    instead:
      'Start vLLM with --reasoning-parser granite and use medmake.chat with body: {chat_template_kwargs: {thinking: true}}.',
  },
  'writer_client.WriterClient': {
    reason: 'speaks Writer’s own interface',
    instead: 'Use helm.clients.palmyra_client.PalmyraChatClient.',
  },
  'yi_client.YiChatClient': {
    reason: 'sends its key over an unencrypted connection',
    instead: chatAt('https://api.01.ai/v1'),
  },
}

const FAMILIES: readonly (readonly [RegExp, OtherClass])[] = [
  [/^image_generation\./, IMAGES],
  [/^clip_scorers?\.|^clip_score_client\./, IMAGES],
  [/^(?:audio_language|vision_language)\./, PICTURES_OR_SOUND],
  [/^gcs_client\.|^google_translate_client\./, NO_MODEL],
]

/** @param className as HELM's files write it, `helm.clients.…` */
export const otherClass = (className: string): OtherClass | undefined => {
  const name = className.replace(/^helm\.clients\./, '')
  if (name === className) return undefined
  return OTHERS[name] ?? FAMILIES.find(([form]) => form.test(name))?.[1]
}
