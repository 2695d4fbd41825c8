import { describe, expect, it } from 'vitest'
import { chatClass } from '../../../../models/clients/chat/server-of.ts'
import { callSettings } from '../../../../models/clients/chat/call-settings.ts'
import { identityOf } from '../../../../models/clients/create-client.ts'
import { deploymentOf } from '../../../rig/model-calls.ts'

describe('the identity of a deployment', () => {
  it('is that of its name and model alone where nothing else is said', () => {
    expect(
      identityOf(deploymentOf('medmake.chat', { base_url: 'http://a', api_key: 'k', model: 'x' })),
    ).toEqual({ deployment: 'acme/m', modelString: 'x', protocol: 'chat' })
  })

  it('knows a model that reasons behind its maker’s name, and heeds no argument that is switched off', () => {
    const args = { model: 'openai/o3-mini', output_processor: null, parse_thinking: false }
    const deployment = deploymentOf('medmake.chat', args)
    expect(identityOf(deployment)).toEqual({
      deployment: 'acme/m',
      modelString: 'openai/o3-mini',
      protocol: 'chat',
    })
    expect(callSettings(deployment, chatClass(deployment), 'openai/o3-mini').reasoning).toBe(true)
    expect(callSettings(deployment, chatClass(deployment), 'own/o-three').reasoning).toBe(false)
  })

  it('holds whatever else shapes its requests', () => {
    const args = {
      model: 'x',
      reasoning: false,
      reasoning_effort: 'high',
      body: { top_k: 1 },
      api: 'responses',
    }
    expect(identityOf(deploymentOf('medmake.chat', args))).toMatchObject({
      form: 'responses',
      arguments: { reasoning: false, reasoningEffort: 'high', body: { top_k: 1 } },
    })
  })

  it.each([
    ['medmake.chat', { modle: 'x' }, /Did you mean "model"/],
    ['medmake.chat', { model: 'openai/o3-mini', resoning: false }, /Did you mean "reasoning"/],
    ['helm.clients.openai_client.OpenAIClient', { output_processor: 'a.b' }, /Python function/],
    ['helm.clients.together_client.TogetherChatClient', { parse_thinking: true }, /thoughts/],
    ['medmake.chat', { api: 'chats' }, /one of chat, responses, completions/],
    ['medmake.chat', { reasoning: 'yes' }, /true or false/],
    ['medmake.chat', { body: [] }, /a mapping/],
  ])('of %s with %o names what is wrong', (className, args, text) => {
    let problem: unknown
    try {
      identityOf(deploymentOf(className, args))
    } catch (error) {
      problem = error
    }
    expect(JSON.stringify((problem as { problems: unknown }).problems).replaceAll('\\"', '"')).toMatch(text)
  })
})
