import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ClientError, Reply } from '../../../models/calls/client.ts'
import { createCodeClient } from '../../../models/clients/code/code-client.ts'
import { clientFile, unnamedClients } from '../../../models/clients/code/client-file.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import { createWorkspace } from '../../rig/workspace.ts'
import { never, requestOf } from './request.ts'

/** What a client whose `complete` is this replies to a request for two answers. */
const replied = async (complete: string, timeout = 5000): Promise<Reply | ClientError> => {
  const root = createWorkspace({
    'models/clients/own.mjs': `export const client = { complete: async (request, context, signal) => ${complete} }\n`,
  })
  const file = join(root, 'models/clients/own.mjs')
  const client = await createCodeClient(
    {
      name: 'own/m',
      modelName: 'own/m',
      client: { className: 'workspace.clients.own', args: { base_url: 'http://127.0.0.1:1', model: 'x' } },
      deprecated: false,
      limits: {},
      file: 'models/own.yaml',
      code: { file, digest: 'd' as Digest<'code'> },
    },
    { lookup: () => 'my-secret' },
    timeout,
  )
  return client.complete(requestOf('Well?', { n: 2 }), never).catch((error: unknown) => error as ClientError)
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
  expect(await replied(given)).toMatchObject({ code: 'reply/malformed', retriable: false })
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

test('One that gives no answer in time may be asked again, whether it heeds its signal or not.', async () => {
  const late = { code: 'call/timeout', retriable: true }
  expect(await replied(`new Promise(() => undefined)`, 10)).toMatchObject(late)
  const heeding = `new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('heeded'))))`
  expect(await replied(heeding, 10)).toMatchObject(late)
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
