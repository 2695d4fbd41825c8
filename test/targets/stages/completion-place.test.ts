import { describe, expect, it } from 'vitest'
import { completionPlace } from '../../../targets/stages/ask.ts'
import { deploymentOf, requestOf } from '../../rig/model-calls.ts'

const placeOf = (className: string, args: Readonly<Record<string, unknown>>): string =>
  completionPlace(deploymentOf(className, args), requestOf('Is it safe?', { maxTokens: 5 })).digest

const SERVER = { base_url: 'http://127.0.0.1:1/v1', api_key: 'x' }
const NAMED = '122c071b2ec31e287ed89177d34b32e15e62449dab617909eae4ff50d16f8bfa'
const UNNAMED = '773e47b8ea3c7690ccb3275bc12914aa20556ad0e900d162410dbebc1c2f7e92'
const WHOLE_NAME = '735575b3ca3b781f8f9be5b2a66daf8c6bcb0f7473553f7cfc9ce252efc3647c'

// Paid replies lie at these places in the stores of users: another digest here is a bill for them.
describe('a reply is kept at the same place in every version', () => {
  it.each([
    ['medmake.chat', UNNAMED],
    ['helm.clients.openai_client.OpenAIClient', UNNAMED],
    ['helm.clients.vllm_client.VLLMChatClient', UNNAMED],
    ['helm.clients.together_client.TogetherChatClient', UNNAMED],
    ['helm.clients.openrouter_client.OpenRouterClient', WHOLE_NAME],
    ['helm.clients.deepseek_client.DeepSeekChatClient', UNNAMED],
    ['helm.clients.grok_client.GrokChatClient', UNNAMED],
    ['helm.clients.stanfordhealthcare_openai_client.StanfordHealthCareOpenAIClient', UNNAMED],
  ])('for %s, wherever its server is', (className, unnamed) => {
    expect(placeOf(className, { ...SERVER, model: 'm-1' })).toBe(NAMED)
    expect(placeOf(className, { model: 'm-1' })).toBe(NAMED)
    expect(placeOf(className, SERVER)).toBe(unnamed)
  })

  it.each([
    ['medmake.baseline', {}, 'e8bdce1fc51b811a3bde2f9e7a293a032bd782e5d77d718072e8f75fc7fbf0ba'],
    [
      'medmake.baseline',
      { name: 'first' },
      'eb74ddf39b4fa1799bff372a4f22d0af109a7e1b164fe4186a0054b3db8fd581',
    ],
    ['medmake.simple', {}, '8a213d5179f070db90b8397e20d785d9625f8c522d53688f2c16b8c0e27664e9'],
    [
      'helm.clients.simple_client.SimpleClient',
      {},
      '8a213d5179f070db90b8397e20d785d9625f8c522d53688f2c16b8c0e27664e9',
    ],
  ])('for %s with %o', (className, args, digest) => {
    expect(placeOf(className, args)).toBe(digest)
  })
})
