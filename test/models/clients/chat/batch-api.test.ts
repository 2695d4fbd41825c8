import { expect, test } from 'vitest'
import { ClientError } from '../../../../models/calls/client.ts'
import { openBatchApi, takesBatches } from '../../../../models/clients/chat/batch-api.ts'
import { afterFile } from '../../../rig/after-file.ts'
import { recordingServer, type Received, type Sent } from '../../../rig/recording-server.ts'
import { deploymentOf, requestOf } from '../../../rig/model-calls.ts'

const open = async (answer: (received: Received) => Sent) => {
  const { url, received } = await recordingServer(answer)
  const api = await openBatchApi(deploymentOf('medmake.chat', { base_url: url, model: 'x' }), {
    lookup: () => 'key',
  })
  afterFile(() => api.close())
  return { api, received }
}
const batch = (id: string, more: object = {}): object => ({ id, status: 'validating', ...more })

test.each([
  [{}, 'helm.clients.openai_client.OpenAIClient', true],
  [{ batches: false }, 'helm.clients.openai_client.OpenAIClient', false],
  [{}, 'medmake.chat', false],
  [{ batches: true }, 'medmake.chat', true],
  [{ batches: true }, 'workspace.clients.own', false],
] as const)('With %j a deployment of %s takes batches: %s.', (args, className, takes) => {
  expect(takesBatches(deploymentOf(className, args))).toBe(takes)
})

test('Several answers a request are asked for directly where one request of a batch gives one.', () => {
  const several = (className: string): boolean => takesBatches(deploymentOf(className, { batches: true }), 2)
  expect([several('medmake.chat'), several('medmake.responses')]).toEqual([true, false])
})

test('Requests go up in a file, and the batch that is made of it is named by its marker.', async () => {
  const { api, received } = await open(({ path }) => ({
    body: path === '/files' ? { id: 'file 1' } : batch('b', { metadata: { medmake: 'mark' } }),
  }))
  const line = api.line({ id: 'one', request: requestOf('Well?', { maxTokens: 5 }) })
  expect(JSON.parse(line)).toEqual({
    custom_id: 'one',
    method: 'POST',
    url: '/v1/chat/completions',
    body: {
      model: 'x',
      messages: [{ role: 'user', content: 'Well?' }],
      n: 1,
      temperature: 0,
      top_p: 1,
      max_tokens: 5,
    },
  })
  expect(await api.submit([line, line], 'mark', async () => undefined)).toEqual({
    id: 'b',
    status: 'waiting',
    marker: 'mark',
    files: [],
    reason: undefined,
  })
  expect(received[0]?.headers['content-type']).toBe('multipart/form-data; boundary=medmake-mark')
  expect(received[0]?.body).toContain(`name="purpose"\r\n\r\nbatch\r\n`)
  expect(received[0]?.body).toContain(
    `filename="mark.jsonl"\r\nContent-Type: application/jsonl\r\n\r\n${line}\n${line}\n\r\n--`,
  )
  expect(received[1]).toMatchObject({
    path: '/batches',
    body: {
      input_file_id: 'file 1',
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      metadata: { medmake: 'mark' },
    },
  })
})

test.each([
  [
    { status: 'completed', output_file_id: 'out', error_file_id: 'err' },
    { status: 'completed', files: ['out', 'err'] },
  ],
  [
    { status: 'failed', errors: { data: [{ message: 'too long' }] } },
    { status: 'failed', reason: 'too long', files: [] },
  ],
  [
    { status: 'expired', error_file_id: 'err', metadata: null },
    { status: 'expired', files: ['err'], marker: undefined },
  ],
  [{ status: 'cancelled' }, { status: 'cancelled' }],
  [{ status: 'cancelling' }, { status: 'waiting' }],
])('A batch that is told as %j is %j.', async (told, seen) => {
  const { api, received } = await open(() => ({ body: batch('a/b', told) }))
  expect(await api.look('a/b')).toMatchObject({ id: 'a/b', ...seen })
  expect(received.map(({ method, path }) => [method, path])).toEqual([['GET', '/batches/a%2Fb']])
})

test('When the requests were there is told by the server’s clock, before they are a batch.', async () => {
  const { api, received } = await open(({ path }) => ({
    body: path === '/files' ? { id: 'f', created_at: 1_700_000_000 } : batch('b', {}),
  }))
  const told: unknown[] = []
  await api.submit(['{}'], 'mark', async (at) => void told.push(at, received.length))
  expect(told).toEqual([1_700_000_000_000, 1])
})

/** A page of batches, each made so many hours before the one that is looked for was sent. */
const SENT = Date.parse('2026-03-04T12:00:00Z')
const madeBefore = (hours: readonly number[], page: number): readonly object[] =>
  hours.map((each, at) =>
    batch(`b${page}.${at}`, {
      created_at: SENT / 1000 - 3600 * each,
      metadata: { medmake: each === 0 ? 'mine' : 'other' },
    }),
  )

test('A batch is looked for by its marker among the newest, page by page, to those from before it was sent.', async () => {
  const pages = [[1, 2], [3], []].map((ids) => ids.map((id) => batch(`b${id}`)))
  const { api, received } = await open(() => ({ body: { data: pages[received.length - 1], has_more: true } }))
  expect(await api.find('mine', SENT)).toBeUndefined()
  expect(received.map(({ path }) => path)).toEqual([
    '/batches?limit=100',
    '/batches?limit=100&after=b2',
    '/batches?limit=100&after=b3',
  ])
  const whole = await open(() => ({ body: { data: pages[0], has_more: false } }))
  expect(await whole.api.find('mine', SENT)).toBeUndefined()
  expect(whole.received).toHaveLength(1)
  const nameless = await open(() => ({ body: { data: [{}], has_more: false } }))
  await expect(nameless.api.find('mine', SENT)).rejects.toMatchObject({ code: 'reply/malformed' })
})

test.each([
  // However many were made since.
  [30, (page: number) => (page < 30 ? [-30, -31] : [0, 1]), 'b30.0'],
  [2, (page: number) => (page < 2 ? [-1, 5] : [40, 41]), undefined],
  // By another of the server's clocks it may have been sent up to an hour before.
  [2, (page: number) => (page < 2 ? [0.9, 0.95] : [0, 1]), 'b2.0'],
  // The oldest first: those to come may be newer.
  [3, (page: number) => (page < 3 ? [900, 800] : [1, 0]), 'b3.1'],
] as const)('A batch is given up after %d pages or found.', async (asked, hours, found) => {
  const { api, received } = await open(() => ({
    body: { data: madeBefore(hours(received.length), received.length), has_more: true },
  }))
  expect((await api.find('mine', SENT))?.id).toBe(found)
  expect(received).toHaveLength(asked)
})

test('Where nobody knows when it was, a batch is looked for among all.', async () => {
  const { api, received } = await open(() => ({
    body: {
      data: madeBefore(received.length < 3 ? [900, 901] : [0, 1], received.length),
      has_more: received.length < 3,
    },
  }))
  expect((await api.find('mine', undefined))?.id).toBe('b3.0')
})

test('Where a server lists batches without end, it is not said that there is none.', async () => {
  const { api } = await open(() => ({ body: { data: madeBefore([-1, -2], 0), has_more: true } }))
  await expect(api.find('mine', SENT)).rejects.toMatchObject({ code: 'batch/too-many', retriable: false })
})

test.each(['<html>soon back</html>', null, {}, { data: null }])(
  'What is no list of batches, such as %j, does not say that there are none.',
  async (body) => {
    const { api } = await open(() => ({ body }))
    await expect(api.find('mark', 0)).rejects.toMatchObject({ code: 'reply/malformed' })
  },
)

test.each(['<html>soon back</html>', null, {}])(
  'No batch is made of a file that the server told as %j.',
  async (body) => {
    const { api, received } = await open(() => ({ body }))
    await expect(api.submit(['{}'], 'mark', async () => undefined)).rejects.toMatchObject({
      code: 'reply/malformed',
    })
    expect(received.map(({ path }) => path)).toEqual(['/files'])
  },
)

test('A batch of a status that is not known is waited for.', async () => {
  const { api } = await open(() => ({ body: batch('b1', { status: 'constructor' }) }))
  expect(await api.look('b1')).toMatchObject({ status: 'waiting' })
})

test('Another batch than was asked for is none.', async () => {
  const { api } = await open(() => ({ body: batch('b2', { status: 'completed' }) }))
  await expect(api.look('b1')).rejects.toMatchObject({ code: 'reply/malformed' })
})

test('Each line of a file of answers is a reply or says why there is none; what can’t be read is of nobody.', async () => {
  const reply = { choices: [{ message: { content: 'yes' }, finish_reason: 'stop' }] }
  const lines = [
    { custom_id: 'good', response: { status_code: 200, body: reply } },
    { custom_id: 'empty', response: { status_code: 200, body: { choices: [] } } },
    { custom_id: 'refused', response: { status_code: 400, body: { error: { message: 'b\u001b[2J' } } } },
    { custom_id: 'expired', response: null, error: { code: 'batch_expired', message: 'late' } },
    { custom_id: 'as text', response: { status_code: '200', body: reply } },
    { custom_id: 'no object', response: 5 },
    { custom_id: 'no status', response: { status_code: null, body: null }, error: { code: 'batch_expired' } },
    { custom_id: 'odd', error: { code: 'Ms Made-Up', message: 5 } },
    // Names of what every object has, and what is no primitive.
    { custom_id: 'built in', error: { code: 'constructor' } },
    { custom_id: 'no number', response: { status_code: { toString: null } } },
    { custom_id: 7, response: { status_code: 200, body: reply } },
    null,
  ]
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n{"custom_id": "cut`
  const { api, received } = await open(() => ({ body: text }))
  const answers = await api.answers('f 1')
  expect(received[0]?.path).toBe('/files/f%201/content')
  expect(
    answers.map(({ id, outcome }) => [
      id,
      outcome instanceof ClientError ? [outcome.code, outcome.message] : outcome.choices[0]?.text,
    ]),
  ).toEqual([
    ['good', 'yes'],
    ['empty', ['reply/no-choices', 'the server sent a reply without choices']],
    ['refused', ['http/400', String.raw`b\u001b[2J`]],
    ['expired', ['batch/batch_expired', 'late']],
    ['as text', 'yes'],
    ['no object', ['batch/no-answer', 'the batch gave no answer']],
    ['no status', ['batch/batch_expired', 'the batch gave no answer']],
    ['odd', ['batch/no-answer', 'the batch gave no answer']],
    ['built in', ['batch/no-answer', 'the batch gave no answer']],
    ['no number', ['batch/no-answer', 'the batch gave no answer']],
  ])
})

test.each([
  [{ message: 'all upstreams are down' }, 200, 'reply/error'],
  ['broken', 200, 'reply/error'],
  [{}, 200, 'yes'],
  [{ code: null, message: '' }, 200, 'yes'],
  [null, 201, 'yes'],
  [null, 302, 'http/302'],
])('A line’s answer beside the error %j under status %d gives %s.', async (error, status, told) => {
  const body = { choices: [{ message: { content: 'yes' }, finish_reason: 'stop' }] }
  const line = { custom_id: 'a', response: { status_code: status, body }, error }
  const { api } = await open(() => ({ body: JSON.stringify(line) }))
  const [answer] = await api.answers('f')
  const outcome = answer?.outcome
  expect(outcome instanceof ClientError ? outcome.code : outcome?.choices[0]?.text).toBe(told)
})

test('A line of answers that is not UTF-8 is of nobody, and leaves the others.', async () => {
  const line = (id: string, content: string): string =>
    `${JSON.stringify({ custom_id: id, response: { status_code: 200, body: { choices: [{ message: { content } }] } } })}\n`
  const body = Buffer.concat([
    Buffer.from(line('a', 'Übel \ufffd')),
    Buffer.from(line('b', 'Übel'), 'latin1'),
    Buffer.from(line('c', 'ü')),
  ])
  const { api } = await open(() => ({ body }))
  const answers = await api.answers('f')
  expect(
    answers.map(({ id, outcome }) => [id, outcome instanceof ClientError || outcome.choices[0]?.text]),
  ).toEqual([
    ['a', 'Übel \ufffd'],
    ['c', 'ü'],
  ])
})

test('A server that refuses is told as in any call.', async () => {
  const { api } = await open(() => ({ status: 401, body: { error: { message: 'no' } } }))
  await expect(api.look('b')).rejects.toMatchObject({ code: 'http/401', retriable: false })
})

test.each([
  [{ completed: 2, failed: 1 }, 3],
  [{ completed: 2 }, 2],
  [{ completed: 'many' }, undefined],
  [null, undefined],
])('With the counts %j a batch tells of %s requests.', async (counts, answered) => {
  const { api } = await open(() => ({ body: batch('b', { request_counts: counts }) }))
  expect((await api.look('b')).answered).toBe(answered)
})
