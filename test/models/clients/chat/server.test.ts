import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import type { RateHeaders } from '../../../../models/limits/learned-rate.ts'
import { deploymentOf, never, requestOf } from '../../../rig/model-calls.ts'
import { recordingServer, type Sent } from '../../../rig/recording-server.ts'
import { tlsFront } from '../../../rig/tls-front.ts'
import { chat, opened, response, secret } from './opened-client.ts'

const REQUEST = requestOf('Is it safe?', { maxTokens: 5 })

describe('chat completions', () => {
  it('send what is asked for and nothing more', async () => {
    const { url, received } = await recordingServer(() => chat('yes'))
    const client = await opened(deploymentOf('medmake.chat', { base_url: `${url}/v1`, model: 'x' }))
    expect(await client.complete(REQUEST, never)).toMatchObject({
      choices: [{ text: 'yes', finishReason: 'stop' }],
      model: 'served-1',
      systemFingerprint: 'fp',
    })
    expect(received[0]).toMatchObject({ path: '/v1/chat/completions' })
    expect(received[0]?.headers.authorization).toBe(`Bearer ${secret}`)
    expect(received[0]?.body).toEqual({
      model: 'x',
      messages: [{ role: 'user', content: 'Is it safe?' }],
      n: 1,
      temperature: 0,
      top_p: 1,
      max_tokens: 5,
    })
  })

  it.each([
    ['by its name', 'o3-mini', {}],
    ['by an argument', 'some-thinker', { reasoning: true }],
  ])('leave out sampling for a reasoning model %s', async (_how, model, args) => {
    const { url, received } = await recordingServer(() => chat('yes'))
    const client = await opened(
      deploymentOf('medmake.chat', { base_url: url, model, reasoning_effort: 'low', ...args }),
    )
    await client.complete(REQUEST, never)
    expect(received[0]?.body).toEqual({
      model,
      messages: [{ role: 'user', content: 'Is it safe?' }],
      n: 1,
      max_completion_tokens: 5,
      reasoning_effort: 'low',
    })
  })

  it('put what the deployment names into the request and its headers', async () => {
    const { url, received } = await recordingServer(() => chat('yes'))
    const args = { base_url: url, model: 'x', body: { chat_template_kwargs: { thinking: true } } }
    const client = await opened(
      deploymentOf('medmake.chat', { ...args, headers: { 'x-team': 'cardio' }, key_header: 'x-key' }),
    )
    await client.complete(REQUEST, never)
    expect(received[0]?.body).toMatchObject({ chat_template_kwargs: { thinking: true } })
    expect(received[0]?.headers).toMatchObject({ 'x-team': 'cardio', 'x-key': secret })
    expect(received[0]?.headers.authorization).toBeUndefined()
  })

  it('are sent once: whether they are sent again is for those to say who pay', async () => {
    for (const status of [408, 429, 500]) {
      const { url, received } = await recordingServer(() => ({ status, body: { error: { message: 'no' } } }))
      const client = await opened(deploymentOf('medmake.chat', { base_url: url, model: 'x' }))
      await expect(client.complete(REQUEST, never)).rejects.toMatchObject({ code: `http/${status}` })
      expect(received).toHaveLength(1)
    }
  })

  it('tell nobody which project or organisation the environment names for OpenAI', async () => {
    vi.stubEnv('OPENAI_PROJECT_ID', 'proj_of_ours')
    vi.stubEnv('OPENAI_ORG_ID', 'org_of_ours')
    const { url, received } = await recordingServer(() => chat('yes'))
    const client = await opened(deploymentOf('medmake.chat', { base_url: url, model: 'x' }))
    await client.complete(REQUEST, never)
    vi.unstubAllEnvs()
    expect(JSON.stringify(received[0]?.headers)).not.toContain('of_ours')
  })

  it('send each call its own body, and the same headers with it', async () => {
    const { url, received } = await recordingServer(() => chat('yes'))
    const client = await opened(deploymentOf('medmake.chat', { base_url: url, model: 'x' }))
    const own = new AbortController()
    await client.complete(requestOf('first'), own.signal)
    own.abort()
    await client.complete(requestOf('second'), never)
    await client.complete(requestOf('third'), never)
    const texts = received.map(
      ({ body }) => (body as { messages: { content: string }[] }).messages[0]?.content,
    )
    expect(texts).toEqual(['first', 'second', 'third'])
    const headers = received.map((sent) => ({ ...sent.headers, 'content-length': 'any' }))
    expect(headers[1]).toEqual(headers[0])
    expect(headers[2]).toEqual(headers[0])
  })

  it('tell the limits that the headers name', async () => {
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '2s' }
    const { url } = await recordingServer(() => ({ ...chat('yes'), headers }))
    const told: RateHeaders[] = []
    const deployment = deploymentOf('medmake.chat', { base_url: url, model: 'x' })
    await (await opened(deployment, {}, (each) => told.push(each))).complete(REQUEST, never)
    expect(told).toEqual([{ requests: { remaining: 0, reset: 2000 } }])
  })

  it.each([
    [0, 0],
    [0, 4],
    [9, 0],
  ])('do not believe %d tokens of a prompt and %d of an answer', async (input, output) => {
    const { url } = await recordingServer(() => ({
      body: {
        choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: input, completion_tokens: output },
      },
    }))
    const reply = await (
      await opened(deploymentOf('medmake.chat', { base_url: url, model: 'm' }))
    ).complete(REQUEST, never)
    expect(reply).toMatchObject({ impossibleUsage: true })
    expect(reply).not.toHaveProperty('usage')
  })

  it('take a 429 for an account without money for final', async () => {
    const { url } = await recordingServer(() => ({
      status: 429,
      body: { error: { message: `No money on ${secret}`, code: 'insufficient_quota' } },
    }))
    const client = await opened(deploymentOf('medmake.chat', { base_url: url, model: 'x' }))
    const error = await client.complete(REQUEST, never).catch((each: unknown) => each)
    expect(error).toMatchObject({ code: 'http/429', retriable: false })
    expect(String(error)).not.toContain(secret)
  })
})

describe('Azure', () => {
  it('is asked at its deployment, with a version and the key in its header', async () => {
    const { url, received } = await recordingServer(() => chat('yes'))
    const client = await opened(
      deploymentOf('medmake.azure', { deployment: 'my gpt/1', api_version: '2025-01-01' }),
      { Endpoint: `${url}/` },
    )
    await client.complete(REQUEST, never)
    expect(received[0]?.path).toBe('/openai/deployments/my%20gpt%2F1/chat/completions?api-version=2025-01-01')
    expect(received[0]?.headers['api-key']).toBe(secret)
    expect(received[0]?.headers.authorization).toBeUndefined()
  })

  it('is reached behind a gateway whose URL holds the endpoint', async () => {
    const { url, received } = await recordingServer(() => chat('yes'))
    const className =
      'helm.clients.stanfordhealthcare_azure_openai_client.StanfordHealthCareAzureOpenAIClient'
    const args = { base_url: '{endpoint}/gate/openai', openai_model_name: 'g', api_version: '1' }
    await (await opened(deploymentOf(className, args), { Endpoint: url })).complete(REQUEST, never)
    expect(received[0]?.path).toBe('/gate/openai/deployments/g/chat/completions?api-version=1')
    expect(received[0]?.headers['ocp-apim-subscription-key']).toBe(secret)
  })

  it('is asked at the deployment that its URL names', async () => {
    const { url, received } = await recordingServer(() => chat('yes'))
    const args = { base_url: `${url}/openai/deployments/own/`, deployment: 'other', api_version: '1' }
    await (await opened(deploymentOf('medmake.azure', args))).complete(REQUEST, never)
    expect(received[0]?.path).toBe('/openai/deployments/own/chat/completions?api-version=1')
  })

  it('takes the version of its URL where no other is named', async () => {
    const { url, received } = await recordingServer(() => chat('yes'))
    const args = { base_url: `${url}/openai/deployments/own?api-version=7`, deployment: 'own' }
    await (await opened(deploymentOf('medmake.azure', args))).complete(REQUEST, never)
    expect(received[0]?.path).toBe('/openai/deployments/own/chat/completions?api-version=7')
  })

  it('is asked at the credentials’ endpoint where none is named', async () => {
    const { url, received } = await recordingServer(() => chat('yes'))
    const args = { base_url: '', endpoint: '', deployment: 'g', api_version: '1' }
    await (
      await opened(deploymentOf('medmake.azure', args), { Endpoint: `${url}/openai` })
    ).complete(REQUEST, never)
    expect(received[0]?.path).toBe('/openai/deployments/g/chat/completions?api-version=1')
  })
})

describe('Responses', () => {
  it('are asked without leaving anything behind, and their thoughts are counted', async () => {
    const { url, received } = await recordingServer(() => response('no'))
    const deployment = deploymentOf('helm.clients.openai_responses_client.OpenAIResponseClient', {
      base_url: `${url}/v1`,
      openai_model_name: 'gpt-5-mini',
      reasoning_effort: 'low',
    })
    const reply = await (await opened(deployment)).complete(REQUEST, never)
    expect(received[0]).toMatchObject({
      path: '/v1/responses',
      body: {
        model: 'gpt-5-mini',
        input: [{ role: 'user', content: 'Is it safe?' }],
        max_output_tokens: 16,
        store: false,
        reasoning: { summary: 'detailed', effort: 'low' },
      },
    })
    expect(received[0]?.body).not.toHaveProperty('temperature')
    expect(reply).toEqual({
      choices: [{ text: 'no', finishReason: 'stop', thinking: 'Weighing.' }],
      model: 'served-2',
      usage: { inputTokens: 7, outputTokens: 30, cachedInputTokens: 2, reasoningTokens: 20 },
    })
  })

  it('that were cut or refused say so', async () => {
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    const { url } = await recordingServer(() => response('so f', cut))
    const client = await opened(deploymentOf('medmake.responses', { base_url: url, model: 'gpt-4o' }))
    expect(await client.complete(REQUEST, never)).toMatchObject({ choices: [{ finishReason: 'length' }] })
    const refusing = await recordingServer(() => ({
      body: {
        status: 'completed',
        output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'I must not.' }] }],
      },
    }))
    const other = await opened(deploymentOf('medmake.responses', { base_url: refusing.url, model: 'gpt-4o' }))
    expect(await other.complete(REQUEST, never)).toMatchObject({
      choices: [{ text: '', refusal: 'I must not.' }],
    })
  })

  it('are asked as often as answers are wanted', async () => {
    const { url, received } = await recordingServer(() => response('no'))
    const client = await opened(deploymentOf('medmake.responses', { base_url: url, model: 'gpt-4o' }))
    const reply = await client.complete({ ...REQUEST, n: 3 }, never)
    expect(received).toHaveLength(3)
    expect(reply.choices).toHaveLength(3)
    expect(reply.usage).toEqual({
      inputTokens: 21,
      outputTokens: 90,
      cachedInputTokens: 6,
      reasoningTokens: 60,
    })
  })

  it('that don’t all tell their tokens tell none together, and one of one answer tells no more than was said', async () => {
    let calls = 0
    const { url } = await recordingServer(() => {
      calls += 1
      if (calls === 2) return response('no', { usage: null })
      return response('no', { usage: { input_tokens: 7, output_tokens: calls === 6 ? 0 : 30 } })
    })
    const client = await opened(deploymentOf('medmake.responses', { base_url: url, model: 'gpt-4o' }))
    expect(await client.complete({ ...REQUEST, n: 3 }, never)).not.toHaveProperty('usage')
    expect((await client.complete(REQUEST, never)).usage).toEqual({ inputTokens: 7, outputTokens: 30 })
    expect(await client.complete({ ...REQUEST, n: 2 }, never)).toMatchObject({ impossibleUsage: true })
  })
})

describe('text completions', () => {
  it('send the prompt as it is', async () => {
    const { url, received } = await recordingServer(() => ({
      body: { model: 'b', choices: [{ text: ' yes', finish_reason: 'length' }] },
    }))
    const className = 'helm.clients.vllm_client.VLLMClient'
    const client = await opened(deploymentOf(className, { base_url: url, vllm_model_name: 'base' }))
    expect(await client.complete({ ...REQUEST, stop: ['\n'] }, never)).toEqual({
      choices: [{ text: ' yes', finishReason: 'length' }],
      model: 'b',
    })
    expect(received[0]).toMatchObject({
      path: '/completions',
      body: { model: 'base', prompt: 'Is it safe?', stop: ['\n'], max_tokens: 5 },
    })
  })
})

const escaped = (text: string): string =>
  Array.from(text, (one) => String.raw`\u` + one.charCodeAt(0).toString(16).padStart(4, '0')).join('')
const deep = (times: number): string => `${'['.repeat(times)}${']'.repeat(times)}`
const said = (content: string, more = ''): Sent => ({
  body: `{"choices":[{"message":{"content":"${content}"}${more}}]}`,
})

describe('a server', () => {
  const answered = async (sent: Sent, n = 1): Promise<unknown> => {
    const { url } = await recordingServer(() => sent)
    const client = await opened(deploymentOf('medmake.chat', { base_url: url, model: 'x' }))
    return client.complete({ ...REQUEST, n }, never).catch((error: unknown) => error)
  }

  it.each([
    ['as it is', secret],
    ['in JSON’s escapes', escaped(secret)],
    ['in a URL’s escapes', secret.replaceAll('-', '%2d')],
    ['in HTML’s', secret.replaceAll('-', '&#45;').replaceAll('e', '&#x65;')],
  ])('that repeats the key %s has it taken out of answers and errors', async (_how, key) => {
    expect(await answered(said(`Your ${key}.`))).toMatchObject({ choices: [{ text: 'Your [key].' }] })
    expect(await answered({ status: 400, body: `{"error":{"message":"bad ${key}"}}` })).toMatchObject({
      message: '400 bad [key]',
    })
  })

  it.each([
    [
      'more answers than were asked for',
      { body: { choices: [{ message: { content: 'a' } }, { message: { content: 'b' } }] } },
      1,
    ],
    ['fewer', chat('yes'), 3],
  ])('that sends %s gave no reply', async (_what, sent, n) => {
    expect(await answered(sent, n)).toMatchObject({ code: 'reply/other-count', retriable: false })
  })

  it.each([
    ['a text', '"gone"', 'the server could not answer: gone'],
    ['no more than that there is one', 'true', 'the server could not answer'],
  ])('that tells an error as %s beside an answer gave none', async (_what, error, message) => {
    const body = `{"error":${error},"choices":[{"message":{"content":"ye"}}]}`
    expect(await answered({ body })).toMatchObject({ code: 'reply/error', message })
  })

  it.each(['null', 'false', '""'])('that tells %s for an error has none', async (error) => {
    const body = `{"error":${error},"choices":[{"message":{"content":"yes"}}]}`
    expect(await answered({ body })).toMatchObject({ choices: [{ text: 'yes' }] })
  })

  it.each(['[null]', '5', '[{"token":"yes"}]'])(
    'whose log probabilities are %s is heard without them',
    async (tokens) => {
      expect(await answered(said('yes', `,"logprobs":{"content":${tokens}}`))).toEqual({
        choices: [{ text: 'yes', finishReason: null }],
      })
    },
  )

  it.each([
    ['a reply', { body: `{"choices":[{"message":{"content":"\\ud83d"}}],"x":${deep(50_000)}}` }],
    ['an error', { status: 400, body: `{"error":${deep(50_000)}}` }],
    ['a list for a message', { body: { choices: [{ message: ['yes'] }] } }],
  ])('that sends %s which no one can walk sent one that can’t be read', async (_what, sent) => {
    expect(await answered(sent)).toMatchObject({ code: 'reply/malformed' })
  })

  it.each([
    ['GZip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['identity, br,gzip', (text: string) => gzipSync(brotliCompressSync(text))],
  ])('that packs what nobody asked it to (%s) is read all the same, up to a length', async (coding, pack) => {
    const packed = (text: string): Sent => ({
      headers: { 'content-encoding': coding },
      body: pack(`{"choices":[{"message":{"content":"${text}"}}]}`),
    })
    expect(await answered(packed('yes'))).toMatchObject({ choices: [{ text: 'yes' }] })
    expect(await answered(packed('x'.repeat(2e6)))).toMatchObject({ code: 'reply/too-large' })
    expect(await answered({ ...packed(''), body: 'no' })).toMatchObject({ code: 'reply/malformed' })
  })

  it.each(['application/json', 'text/plain; charset=iso-8859-1'])(
    'that sends bytes of another code (%s) sent no answer',
    async (type) => {
      const headers = { 'content-type': type }
      const body = Buffer.from('{"choices":[{"message":{"content":"Übelkeit"}}]}', 'latin1')
      expect(await answered({ headers, body })).toMatchObject({ code: 'reply/malformed' })
    },
  )

  it('that redirects is not followed, and the error says so', async () => {
    const elsewhere = await recordingServer(() => chat('stolen'))
    const error = await answered({
      status: 307,
      headers: { location: elsewhere.url },
      body: `see ${elsewhere.url}`,
    })
    expect(error).toMatchObject({ code: 'http/307', message: expect.stringContaining('redirects') })
    expect(elsewhere.received).toEqual([])
  })

  it('with a certificate for another name is sent nothing, and may charge for nothing', async () => {
    const { url, received } = await recordingServer(() => chat('yes'))
    const client = await opened(
      deploymentOf('medmake.chat', {
        base_url: (await tlsFront({ url })).replace('0.0.0.0', '127.0.0.1'),
        model: 'x',
      }),
    )
    await expect(client.complete(REQUEST, never)).rejects.toMatchObject({ code: 'call/unreached' })
    expect(received).toEqual([])
  })
})

it('A server whose URL has a query gets it behind each path, and is told who asks', async () => {
  const { url, received } = await recordingServer(() => chat('yes'))
  const client = await opened(
    deploymentOf('medmake.chat', { base_url: `${url}/v1?tenant=a%20b&x=1`, model: 'x' }),
  )
  await client.complete(REQUEST, never)
  await client.complete(REQUEST, never)
  expect(received.map(({ path }) => path)).toEqual(Array(2).fill('/v1/chat/completions?tenant=a%20b&x=1'))
  expect(received[0]?.headers['user-agent']).toBe('medmake')
})
