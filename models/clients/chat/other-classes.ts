/** Why one of HELM's client classes has no counterpart here, and what to declare in its place. */
export interface OtherClass {
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
