import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Client, CompletionRequest } from '../../../models/calls/client.ts'
import { createLocalClient } from '../../../models/clients/local.ts'
import { findModelFiles } from '../../../models/local/model-files.ts'
import type { LocalSettings } from '../../../models/local/settings.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { writeTinyLlama, type TinyLlama } from '../../rig/tiny-llama.ts'
import { requestOf } from '../../rig/model-calls.ts'

const signal = new AbortController().signal

const request = (content: string, changes: Partial<CompletionRequest> = {}): CompletionRequest =>
  requestOf(content, { maxTokens: 24, ...changes })

const open = async (settings: Partial<LocalSettings> = {}, model: TinyLlama = {}): Promise<Client> => {
  const path = join(temporaryFolder(), 'tiny')
  writeTinyLlama(path, model)
  return createLocalClient(await findModelFiles(path), {
    source: { kind: 'folder', path },
    device: 'cpu',
    threads: 1,
    maxBatch: 1,
    logprobs: 'none',
    asHelm: false,
    ...settings,
  })
}

const textOf = async (client: Client, asked: CompletionRequest): Promise<string> =>
  (await client.complete(asked, signal)).choices[0]?.text ?? ''

describe('a tiny random Llama', () => {
  test('answers with tokens up to the limit, the same every time', async () => {
    const client = await open()
    const first = await client.complete(request('Fever?'), signal)
    expect(first.usage).toEqual({ inputTokens: 25, outputTokens: 24 })
    expect(first.choices[0]?.finishReason).toBe('length')
    expect(first.model).toBe('tiny')
    expect(await client.complete(request('Fever?'), signal)).toEqual(first)
    expect(await textOf(client, request('Cough?'))).not.toBe(first.choices[0]?.text)
    await client.close?.()
  })

  test('gives six prompts the same answers in one batch as one by one', async () => {
    const prompts = ['a', 'Is it flu?', 'b'.repeat(90), 'Yes or no', 'dose', 'x y z'.repeat(9)]
    const [alone, together] = await Promise.all([open(), open({ maxBatch: 8 })])
    const expected: string[] = []
    for (const prompt of prompts) expected.push(await textOf(alone, request(prompt)))
    expect(await Promise.all(prompts.map((prompt) => textOf(together, request(prompt))))).toEqual(expected)
    expect(new Set(expected).size).toBe(prompts.length)
  })

  test('takes a text within the context, though its template sticks out, and none beyond', async () => {
    const client = await open()
    const { usage } = await client.complete(request('ä'.repeat(125), { maxTokens: 1 }), signal)
    expect(usage?.inputTokens).toBe(19 + 250)
    await expect(client.complete(request('a'.repeat(256)), signal)).rejects.toMatchObject({
      code: 'local/context',
      message: expect.stringContaining('256 tokens'),
    })
  })

  test.each([
    ['nothing', '', 'local/empty-prompt'],
    ['as many tokens as the context has', 'a'.repeat(256), 'local/context'],
  ])('refuses a prompt that its template makes of %s', async (_, prompt, code) => {
    const chat_template = "{{ messages[0]['content'] }}"
    const client = await open({}, { tokenizerConfig: { chat_template } })
    await expect(client.complete(request(prompt), signal)).rejects.toMatchObject({ code, retriable: false })
    const { usage } = await client.complete(request('a'.repeat(255), { maxTokens: 1 }), signal)
    expect(usage).toEqual({ inputTokens: 255, outputTokens: 1 })
  })

  test('leaves special tokens out of its answers, but not as HELM does', async () => {
    const said = async (asHelm: boolean): Promise<string> => {
      const client = await open({ asHelm, maxBatch: 8 })
      const drawn = request('Fever?', { temperature: 3, n: 16, seed: 7, maxTokens: 60 })
      return (await client.complete(drawn, signal)).choices.map(({ text }) => text).join('')
    }
    expect(await said(false)).not.toMatch(/<\|\w+\|>/)
    expect(await said(true)).toMatch(/<\|\w+\|>/)
  })

  test('stops before a stop sequence and says so', async () => {
    const client = await open()
    const whole = await textOf(client, request('Fever?'))
    const stop = whole.slice(4, 6)
    const { choices, usage } = await client.complete(request('Fever?', { stop: ['never', stop] }), signal)
    expect(choices[0]).toEqual({ text: whole.slice(0, whole.indexOf(stop)), finishReason: 'stop' })
    expect(usage?.outputTokens).toBeLessThan(24)
  })

  test('draws by seed: the same for one, others for others, each answer its own', async () => {
    const client = await open({ maxBatch: 4 })
    const ask = async (changes: Partial<CompletionRequest>) =>
      (await client.complete(request('Fever?', { temperature: 1, ...changes }), signal)).choices.map(
        ({ text }) => text,
      )
    const [first, second] = await ask({ n: 2, seed: 7 })
    expect(second).not.toBe(first)
    expect(await ask({ n: 2, seed: 7 })).toEqual([first, second])
    expect(await ask({ seed: 8 })).not.toEqual([first])
    expect(await ask({ seed: 7, sampleIndex: 1 })).not.toEqual([first])
  })

  test('tells log probabilities only where they are asked for', async () => {
    const [plain, model, drawn] = await Promise.all([
      open(),
      open({ logprobs: 'model' }),
      open({ logprobs: 'drawn', asHelm: true }),
    ])
    const asked = request('Fever?', { maxTokens: 3 })
    expect((await plain.complete(asked, signal)).choices[0]).not.toHaveProperty('tokens')
    const own = (await model.complete(asked, signal)).choices[0]?.tokens ?? []
    expect(own).toHaveLength(3)
    expect(own.every(({ logprob }) => logprob < 0 && logprob > -10)).toBe(true)
    const helm = (await drawn.complete(asked, signal)).choices[0]
    expect(helm?.tokens?.map(({ logprob }) => logprob)).toEqual([0, 0, 0])
    expect(helm?.finishReason).toBeNull()
  })

  test('opens a text as its tokenizer does where there is no template, and twice as HELM does', async () => {
    const [bare, helm] = await Promise.all([open({ applyChatTemplate: false }), open({ asHelm: true })])
    expect((await bare.complete(request('abc'), signal)).usage?.inputTokens).toBe(4)
    expect((await helm.complete(request('Fever?'), signal)).usage?.inputTokens).toBe(26)
  })

  test('ends a call between two tokens when its signal is aborted, and answers the others', async () => {
    const client = await open({ maxBatch: 4 })
    const expected = await textOf(client, request('Fever?'))
    const stop = new AbortController()
    const doomed = client.complete(request('Cough?', { maxTokens: 100_000 }), stop.signal)
    const other = textOf(client, request('Fever?'))
    stop.abort()
    await expect(doomed).rejects.toMatchObject({ code: 'call/aborted', retriable: false })
    expect(await other).toBe(expected)
  })

  test('penalises what was said where its generation_config says so', async () => {
    const [plain, shy] = await Promise.all([open(), open({}, { generation: { repetition_penalty: 5 } })])
    expect(await textOf(shy, request('Fever?'))).not.toBe(await textOf(plain, request('Fever?')))
  })

  test('names a template that refuses the messages, and a file that is no model', async () => {
    const strict = await open(
      {},
      { tokenizerConfig: { chat_template: "{{ raise_exception('no users here') }}" } },
    )
    await expect(strict.complete(request('a'), signal)).rejects.toMatchObject({
      code: 'local/chat-template',
      message: expect.stringContaining('no users here'),
    })
    const path = join(temporaryFolder(), 'broken')
    writeTinyLlama(path, { file: 'tokenizer.json.onnx' })
    const files = {
      folder: path,
      model: 'tokenizer.json',
      all: ['config.json', 'tokenizer.json', 'tokenizer_config.json'],
    }
    const broken = createLocalClient(files, {
      source: { kind: 'folder', path },
      device: 'auto',
      maxBatch: 1,
      logprobs: 'none',
      asHelm: false,
    })
    await expect(broken.complete(request('a'), signal)).rejects.toMatchObject({
      problems: [{ code: 'models/local-graph', where: { file: join(path, 'tokenizer.json') } }],
    })
  })
})
