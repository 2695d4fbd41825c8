import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Client, ClientError, Reply } from '../../../models/calls/client.ts'
import { createCodeClient } from '../../../models/clients/code/code-client.ts'
import { clientFile, unnamedClients } from '../../../models/clients/code/client-file.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import { createWorkspace } from '../../rig/workspace.ts'
import { deploymentOf, never, requestOf } from '../../rig/model-calls.ts'

/** A client whose `complete` is this. */
const clientOf = (complete: string, timeout = 5000): Promise<Client> => {
  const root = createWorkspace({
    'models/clients/own.mjs': `export const client = { complete: async (request, context, signal) => ${complete} }\n`,
  })
  const file = join(root, 'models/clients/own.mjs')
  return createCodeClient(
    deploymentOf(
      'workspace.clients.own',
      {
        base_url: 'http://127.0.0.1:1/?code=query-secret',
        model: 'x',
        client_secret: 'other-secret',
        headers: { 'X-Gate': 'Gate let-me-in' },
      },
      { name: 'own/m', code: { file, digest: 'd' as Digest<'code'> } },
    ),
    { lookup: () => 'my-secret' },
    { timeout, longestReply: 1000 },
  )
}

/** What it replies to a request for two answers. */
const replied = async (
  complete: string,
  timeout = 5000,
  request = requestOf('Well?', { n: 2 }),
  stop = never,
): Promise<Reply | ClientError> => {
  const client = await clientOf(complete, timeout)
  return client.complete(request, stop).catch((error: unknown) => error as ClientError)
}
const choices = (count: number): string =>
  `choices: Array.from({ length: ${count} }, (_, text) => ({ text: String(text), finishReason: 'length' }))`

test('A workspace’s client is given request, place and key, and gives as many answers as were asked for.', async () => {
  expect(
    await replied(
      `({ ${choices(2)}, usage: { inputTokens: 3, outputTokens: 4 }, model: context.model + context.apiKey + request.n })`,
    ),
  ).toEqual({
    choices: ['0', '1'].map((text) => ({ text, finishReason: 'length' })),
    usage: { inputTokens: 3, outputTokens: 4 },
    model: 'xmy-secret2',
  })
  expect(await replied(`({ choices: [{ text: 'a' }, { text: 'b' }] })`)).toEqual({
    choices: ['a', 'b'].map((text) => ({ text, finishReason: null })),
  })
})

test('What a client changes of what it is given is changed for nobody else.', async () => {
  const request = requestOf('Well?', { n: 2 })
  const changes = '((request.messages[0].content = "other"), (request.n = 7), (context.args.model = "other"))'
  expect(await replied(`(${changes}, { ${choices(2)} })`, 5000, request)).toMatchObject({
    choices: [{ text: '0' }, { text: '1' }],
  })
  expect(request).toEqual(requestOf('Well?', { n: 2 }))
})

test('One object that it fills anew for each call is each call’s own.', async () => {
  const client = await clientOf(
    '((globalThis.kept ??= { choices: [{}] }).choices[0].text = request.messages[0].content, globalThis.kept)',
  )
  const replies = await Promise.all(['a', 'b', 'c'].map((text) => client.complete(requestOf(text), never)))
  expect(replies.map((reply) => reply.choices[0]?.text)).toEqual(['a', 'b', 'c'])
})

test.each([1, 3])('%d answers to a request for two are none.', async (count) => {
  expect(await replied(`({ ${choices(count)} })`)).toMatchObject({
    code: 'reply/other-count',
    message: `${count} answers came to a request for 2`,
    retriable: false,
  })
})

test('A reply of another form is told by what is wrong with it, without its words.', async () => {
  const { message } = (await replied(`({ choices: [{ text: 5, secret: 'Mr. Smith' }] })`)) as ClientError
  expect(message).toContain('choices.0.text: ')
  expect(message).not.toContain('Smith')
})

test.each([
  `({ ${choices(0)} })`,
  `({ ${choices(1)}, usage: { inputTokens: -1, outputTokens: 4 } })`,
  `({ ${choices(1)}, usage: { inputTokens: 1, outputTokens: -4 } })`,
  `'yes'`,
])('The reply %s is none.', async (given) => {
  expect(await replied(given)).toMatchObject({ code: 'reply/client-form', retriable: false })
})

test.each([
  ['{}', { retriable: false, status: undefined }],
  ['{ retriable: true, status: 503 }', { retriable: true, status: 503 }],
  ['{ retriable: 1, status: "503" }', { retriable: false, status: undefined }],
])('What it throws with %s is a failed call, without its key.', async (more, told) => {
  const error = await replied(`{ throw Object.assign(new Error('at ' + context.apiKey), ${more}) }`)
  expect(error).toMatchObject({ code: 'call/client-code', ...told })
  expect(JSON.stringify([error, (error as ClientError).message])).not.toContain('my-secret')
})

test('A usage or a model that its server did not tell may be null.', async () => {
  expect(await replied(`({ ${choices(2)}, usage: null, model: null })`)).toEqual({
    choices: [expect.anything(), expect.anything()],
  })
})

test('Half a surrogate pair, as a stream that was cut in the midst of an emoji leaves, is made well-formed.', async () => {
  expect(await replied(`({ choices: [{ text: 'fine \\ud83d' }, { text: 'b' }], model: 'm' })`)).toMatchObject(
    {
      choices: [{ text: 'fine \ufffd' }, { text: 'b' }],
    },
  )
})

test('Answers of more characters than a server may send are none.', async () => {
  const answers = (size: number): string => `({ choices: [{ text: 'x'.repeat(${size}) }, { text: 'b' }] })`
  expect(await replied(answers(999))).toHaveProperty('choices')
  expect(await replied(answers(1000))).toMatchObject({ code: 'reply/too-large', retriable: false })
})

test.each([
  ['throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })', 'call/client-code'],
  [
    'throw { get message() { throw 1 }, get retriable() { throw 2 }, get status() { throw 3 } }',
    'call/client-code',
  ],
  ['return { get choices() { throw new Error("Mr. Smith") } }', 'reply/client-form'],
  [
    'return new Proxy({}, { get(_, name) { if (name === "then") return undefined; throw null } })',
    'reply/client-form',
  ],
])('What can’t be read is a failed call as well: %s', async (body, code) => {
  const failed = (await replied(`{ ${body} }`)) as ClientError
  expect(failed).toMatchObject({ code, retriable: false })
  expect(failed.message).not.toContain('Smith')
})

test('One that gives no answer in time may be asked again, whether it heeds its signal or not.', async () => {
  const late = { code: 'call/timeout', retriable: true }
  expect(await replied(`new Promise(() => undefined)`, 10)).toMatchObject(late)
  const heeding = `new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('heeded'))))`
  expect(await replied(heeding, 10)).toMatchObject(late)
})

test('What was given up before it began is not begun.', async () => {
  const stop = new AbortController()
  const begun: unknown[] = []
  Object.assign(globalThis, { begun })
  const beginning = `(globalThis.begun.push(1), new Promise(() => undefined))`
  stop.abort()
  const aborted = { code: 'call/aborted', retriable: false }
  expect(await replied(beginning, 5000, undefined, stop.signal)).toMatchObject(aborted)
  expect(begun).toEqual([])
})

test('Files beside the clients that no deployment names are told, but for types and what a client imports.', () => {
  const root = createWorkspace({
    'models/clients/own.ts': "import { help } from './help.ts'\nexport const client = help\n",
    'models/clients/help.ts': 'export const help = 1\n',
    'models/clients/types.d.ts': 'export type A = 1\n',
    'models/clients/left.js': 'export const client = 1\n',
    'models/clients/notes.txt': '',
    'models/outside.ts': '',
  })
  const found = (...classes: readonly string[]) =>
    unnamedClients(root, classes).map((file) => file.slice(root.length + 1))
  expect(found('workspace.clients.own')).toEqual(['models/clients/left.js'])
  expect(found('workspace.clients.own', 'workspace.clients.left')).toEqual([])
  expect(clientFile(root, 'left')).toBe(join(root, 'models/clients/left.js'))
  expect(clientFile(root, '../outside')).toBeUndefined()
  expect(clientFile(root, 'notes')).toBeUndefined()
})

test('What it throws is without the other secrets of its args, in whatever form it quotes them.', async () => {
  const quoted =
    '`${context.args.client_secret} ${encodeURIComponent(context.args.headers["X-Gate"])} ${context.baseUrl}`'
  expect(
    await replied(`{ throw new Error(${quoted} + context.model) }`.replace(/^\{(.*)\}$/, '(() => {$1})()')),
  ).toMatchObject({
    message: expect.not.stringMatching(/other-secret|let-me-in|query-secret/) as string,
  })
})
