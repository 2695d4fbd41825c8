import { describe, expect, it } from 'vitest'
import { supportedClasses, otherClass } from '../../../../models/clients/chat/classes.ts'

/** Every class of helm.clients in crfm-helm 0.5.16, and those that only its configuration names. */
const HELM = `
ai21_client.AI21ChatClient ai21_client.AI21Client aleph_alpha_client.AlephAlphaClient
anthropic_client.AnthropicClient anthropic_client.AnthropicLegacyClient
anthropic_client.AnthropicMessagesClient audio_language.diva_llama_client.DivaLlamaClient
audio_language.llama_omni_client.LlamaOmniAudioLMClient
audio_language.qwen2_5_omni_client.Qwen2_5OmniAudioLMClient
audio_language.qwen2_audiolm_client.Qwen2AudioLMClient audio_language.qwen_audiolm_client.QwenAudioLMClient
auto_client.AutoClient azure_openai_client.AzureOpenAIClient bedrock_client.BedrockClient
bedrock_client.BedrockLlamaClient bedrock_client.BedrockMistralClient bedrock_client.BedrockNovaClient
bedrock_client.BedrockPalmyraClient bedrock_client.BedrockTitanClient client.CachingClient client.Client
cohere_client.CohereChatClient cohere_client.CohereClient dspy_client.DSPyClient google_client.GoogleClient
google_genai_client.GoogleGenAIClient goose_ai_client.GooseAIClient grok_client.GrokChatClient
http_model_client.HTTPModelClient huggingface_client.HuggingFaceClient
huggingface_inference_providers_client.HuggingFaceInferenceProvidersClient
huggingface_pipeline_client.HuggingFacePipelineClient ibm_client.IbmChatClient ibm_client.IbmClient
ibm_client.IbmTextClient image_generation.adobe_vision_client.AdobeVisionClient
image_generation.aleph_alpha_image_generation_client.AlephAlphaImageGenerationClient
image_generation.cogview2_client.CogView2Client image_generation.dalle2_client.DALLE2Client
image_generation.dalle3_client.DALLE3Client image_generation.dalle_mini_client.DALLEMiniClient
image_generation.deep_floyd_client.DeepFloydClient
image_generation.huggingface_diffusers_client.HuggingFaceDiffusersClient
image_generation.lexica_client.LexicaClient image_generation.mindalle_client.MinDALLEClient
image_generation.together_image_generation_client.TogetherImageGenerationClient lit_gpt_client.LitGPTClient
litellm_client.LiteLLMCompletionClient megatron_client.MegatronClient mistral_client.MistralAIClient
nvidia_nim_client.NvidiaNimClient open_lm_client.OpenLMClient openai_client.OpenAIClient
openai_client.OpenAILegacyCompletionsClient openai_client.OpenAITranscriptionThenCompletionClient
openai_responses_client.OpenAIResponseClient openrouter_client.OpenRouterClient
palmyra_client.PalmyraChatClient palmyra_client.PalmyraClient perspective_api_client.PerspectiveAPIClient
reka_client.RekaClient simple_client.SimpleClient
stanfordhealthcare_azure_openai_client.StanfordHealthCareAzureOpenAIClient
stanfordhealthcare_claude_client.StanfordHealthCareClaudeClient
stanfordhealthcare_google_client.StanfordHealthCareGoogleClient
stanfordhealthcare_http_model_client.StanfordHealthCareHTTPModelClient
stanfordhealthcare_openai_client.StanfordHealthCareOpenAIClient
stanfordhealthcare_shc_openai_client.StanfordHealthCareSHCOpenAIClient together_client.TogetherChatClient
together_client.TogetherClient together_client.TogetherCompletionClient
toxicity_classifier_client.ToxicityClassifierClient upstage_client.UpstageChatClient
vertexai_client.VertexAIChatClient vertexai_client.VertexAIClient vertexai_client.VertexAITextClient
vision_language.huggingface_vision2seq_client.HuggingFaceVision2SeqClient
vision_language.huggingface_vlm_client.HuggingFaceVLMClient vision_language.idefics_client.IDEFICSClient
vision_language.open_flamingo_client.OpenFlamingoClient vision_language.paligemma_client.PaliGemmaClient
vision_language.palmyra_vision_client.PalmyraVisionClient vision_language.qwen2_vlm_client.Qwen2VLMClient
vision_language.qwen_vlm_client.QwenVLMClient vllm_client.VLLMChatClient vllm_client.VLLMClient
vllm_granite_thinking_client.VLLMGraniteThinkingClient writer_client.WriterClient yi_client.YiChatClient
`

const names = HELM.trim()
  .split(/\s+/)
  .map((name) => `helm.clients.${name}`)

describe("HELM's client classes", () => {
  it.each(names)('%s is mapped, or has a reason and a way instead', (name) => {
    if (supportedClasses().includes(name)) return
    expect(otherClass(name)).toMatchObject({
      reason: expect.stringMatching(/^\S.*[^.]$/),
      instead: expect.stringMatching(/\.$/),
    })
  })

  it('are each in one place', () => {
    expect(
      names.filter((name) => supportedClasses().includes(name) && otherClass(name) !== undefined),
    ).toEqual([])
  })

  it('are not taken for classes of others', () => {
    expect(otherClass('helm.clients.nothing.NothingClient')).toBeUndefined()
    expect(otherClass('my.own.Client')).toBeUndefined()
  })
})
