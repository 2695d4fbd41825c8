import { expect, it } from 'vitest'
import { memoryStore } from '../../../cache/memory-store.ts'
import { storeOver, type Store } from '../../../cache/store.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import type { BatchAnswer, BatchApi, ProviderBatch } from '../../../models/clients/chat/batch-api.ts'
import { ClientError, type Reply } from '../../../models/calls/client.ts'
import { putBatch, readBatches, type SentLine, collectBatch } from '../../../targets/batch/collect-batch.ts'
import { putEntry, readLedger } from '../../../targets/spend/ledger.ts'
import type { SpendEnv } from '../../../targets/spend/spending.ts'

const names = {
  target: 'wards:model=d_m',
  benchmark: 'wards',
  model: 'd/m',
  deployment: 'd/m',
  judge: null,
  stage: 'completions',
  promptBytes: 5,
  ceiling: 1,
} as const
const lineOf = (text: string): SentLine => ({
  digest: digestOf<'completion'>(text),
  key: { text },
  ledger: names,
})
const replyOf = (text: string): Reply => ({
  choices: [{ text, finishReason: 'stop' }],
  usage: { inputTokens: 1_000_000, outputTokens: 1_000_000 },
})
const failed = new ClientError('http/500', 'no', { retriable: true })

const collected = async (
  files: Readonly<Record<string, readonly BatchAnswer[]>>,
  sent: readonly SentLine[],
  store: Store = memoryStore(),
  price = {},
  answered?: number,
  run = 'r',
  status: ProviderBatch['status'] = 'completed',
) => {
  const batch = { marker: 'm', deployment: 'd/m', id: 'b', sent: '2026-03-04T00:00:00Z', lines: sent }
  if (readBatches(store).length === 0) await putBatch(batch, store)
  const told: string[] = []
  const env = {
    store,
    spending: {
      run,
      priceOf: () => ({ batchInput: 0.5, batchOutput: 1, date: '2026-01-01', ...price }),
    },
    listener: ({ type }: { readonly type: string }) => void told.push(type),
    now: () => Date.parse('2026-03-04T12:00:00Z'),
  } as unknown as SpendEnv
  const api = { answers: async (file: string) => files[file] ?? [] } as unknown as BatchApi
  const ended: ProviderBatch = {
    id: 'b',
    status,
    marker: 'm',
    files: Object.keys(files),
    reason: undefined,
    ...(answered === undefined ? {} : { answered }),
  }
  const unanswered = await collectBatch(readBatches(store)[0] ?? batch, ended, api, env)
  const textOf = ({ digest }: SentLine): unknown =>
    (store.get('completions', digest) as { readonly reply: Reply } | undefined)?.reply.choices[0]?.text
  return { unanswered, texts: sent.map(textOf), paid: [...readLedger(store)], left: readBatches(store), told }
}

it.each([
  [{}, 1.5],
  // Prompts that were at hand when they were asked directly say nothing of a batch.
  [{ cachedInput: 0.1 }, 1.5],
  [{ batchCachedInput: 0.25 }, 1.4],
])('Cached tokens of a batch cost what is stated of batches: %o', async (price, usd) => {
  const line = lineOf('a')
  const reply = replyOf('first')
  const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 1_000_000 }
  const answers = [{ id: line.digest, outcome: { ...reply, usage } }]
  const { paid, told } = await collected({ answers }, [line], memoryStore(), price)
  expect(paid.map((entry) => entry.usd)).toEqual([usd])
  expect(told).toContain('provider-call')
})

it('What is answered once stays answered and paid once, whatever other lines say of it', async () => {
  const [a, b, c] = [lineOf('a'), lineOf('b'), lineOf('c')]
  const { texts, paid, unanswered } = await collected(
    {
      answers: [
        { id: a.digest, outcome: replyOf('first') },
        { id: a.digest, outcome: replyOf('first') },
        { id: b.digest, outcome: failed },
      ],
      errors: [
        { id: a.digest, outcome: failed },
        { id: b.digest, outcome: replyOf('late') },
        { id: c.digest, outcome: failed },
      ],
    },
    [a, b, c],
  )
  expect(texts).toEqual(['first', 'late', undefined])
  expect(paid.map(({ usd, batch, outcome }) => [usd, batch, outcome])).toEqual([
    [1.5, true, 'paid'],
    [1.5, true, 'paid'],
  ])
  expect([...unanswered]).toEqual([[c.digest, failed]])
})

it('Of two different answers to one request neither is taken, in whatever order and beside whatever else they come', async () => {
  const [a, b] = [lineOf('a'), lineOf('b')]
  const answers = [replyOf('first'), failed, replyOf('second'), replyOf('first')].map((outcome) => ({
    id: a.digest,
    outcome,
  }))
  const { texts, paid, unanswered } = await collected(
    { answers: [...answers, { id: b.digest, outcome: replyOf('b') }] },
    [a, b],
  )
  expect(texts).toEqual([undefined, 'b'])
  expect(unanswered.get(a.digest)).toMatchObject({ code: 'reply/malformed', retriable: true })
  expect(paid.map(({ outcome }) => outcome).toSorted()).toEqual(['paid', 'uncertain'])
})

it('What the files tell twice counts once: what they lack is still to come', async () => {
  const [a, b] = [lineOf('a'), lineOf('b')]
  const twice = [0, 1].map(() => ({ id: a.digest, outcome: replyOf('first') }))
  await expect(collected({ answers: twice }, [a, b])).rejects.toMatchObject({ code: 'batch/short' })
})

it('Another number of answers than was asked for is paid for, and no answer', async () => {
  const [a, b, old] = [{ ...lineOf('a'), n: 2 }, { ...lineOf('b'), n: 1 }, lineOf('old')]
  const { texts, paid, unanswered } = await collected(
    { answers: [a, b, old].map(({ digest }) => ({ id: digest, outcome: replyOf('one') })) },
    [a, b, old],
  )
  expect(texts).toEqual([undefined, 'one', 'one'])
  expect(paid.length).toBe(3)
  expect([...unanswered].map(([digest, { code }]) => [digest, code])).toEqual([
    [a.digest, 'reply/other-count'],
  ])
})

it('A request of which a batch says nothing to two runs has no answer, may have been paid for, and the batch is forgotten', async () => {
  const store = memoryStore()
  const asked = (run: string): ReturnType<typeof collected> =>
    collected({}, [lineOf('a')], store, {}, undefined, run)
  for (const run of ['r', 'r']) await expect(asked(run)).rejects.toMatchObject({ code: 'batch/short' })
  const { unanswered, left, paid, told } = await asked('another')
  expect(told).toEqual(['call-uncertain'])
  expect([...unanswered.values()].map(({ code, retriable }) => [code, retriable])).toEqual([
    ['batch/no-answer', true],
  ])
  expect(left).toEqual([])
  expect(paid.map(({ outcome, usd, ceiling, batch }) => [outcome, usd, ceiling, batch])).toEqual([
    ['uncertain', null, 1, true],
  ])
})

it('Answers to what was never sent neither count nor are kept, and what can’t be read may have been paid for', async () => {
  const [a, b, other, store] = [lineOf('a'), lineOf('b'), lineOf('other'), memoryStore()]
  const answers = [
    { id: a.digest, outcome: new ClientError('reply/error', 'overloaded', { retriable: true }) },
    { id: other.digest, outcome: replyOf('stray') },
  ]
  await expect(collected({ answers }, [a, b], store)).rejects.toMatchObject({
    message: /answered 2 requests, and gave 1/,
  })
  expect([store.has('completions', other.digest), [...readLedger(store)]]).toEqual([false, []])
  const { unanswered, paid } = await collected({ answers }, [a, b], store, {}, undefined, 'another')
  expect([...unanswered.values()].map(({ code }) => code)).toEqual(['reply/error', 'batch/no-answer'])
  expect(paid.map(({ outcome }) => outcome)).toEqual(['uncertain', 'uncertain'])
})

it('What a batch cost is counted once, however often it is collected before it is forgotten', async () => {
  const [other, unread, store] = [{ ...lineOf('a'), n: 2 }, lineOf('b'), memoryStore()]
  const answers = [
    { id: other.digest, outcome: replyOf('one') },
    { id: unread.digest, outcome: new ClientError('reply/error', 'overloaded', { retriable: true }) },
  ]
  const stopped = storeOver(store, { remove: () => Promise.reject(new Error('EIO')) })
  await expect(collected({ answers }, [other, unread], stopped)).rejects.toThrow('EIO')
  const { paid, left } = await collected({ answers }, [other, unread], store, {}, undefined, 'another')
  expect(paid.map(({ outcome, run }) => [outcome, run])).toEqual([
    ['uncertain', 'r'],
    ['paid', 'r'],
  ])
  expect(left).toEqual([])
})

it('A reply is kept as any other, with the time at which it came', async () => {
  const [a, store] = [lineOf('a'), memoryStore()]
  await collected({ answers: [{ id: a.digest, outcome: replyOf('yes') }] }, [a], store)
  expect(store.get('completions', a.digest)).toEqual({
    key: { text: 'a' },
    reply: replyOf('yes'),
    requestTime: 0,
    requestDatetime: Date.UTC(2026, 2, 4, 12) / 1000,
    attempts: 1,
    batch: true,
  })
  // Nobody waited for it.
  const time = '2026-03-04T12:00:00.000Z'
  expect([...readLedger(store)]).toMatchObject([{ ...names, run: 'r', time, seconds: 0 }])
})

it('A reply that came otherwise meanwhile stays, and what the batch asks for the same one is counted once', async () => {
  const [a, b, store] = [lineOf('a'), lineOf('b'), memoryStore()]
  await store.put('completions', a.digest, { reply: { choices: [{ text: 'kept' }] } })
  const answers = [a, b].map(({ digest }) => ({ id: digest, outcome: replyOf('late') }))
  const stopped = storeOver(store, { remove: () => Promise.reject(new Error('EIO')) })
  await expect(collected({ answers }, [a, b], stopped)).rejects.toThrow('EIO')
  // Its price changes before it is collected again.
  const dearer = { batchInput: 9, batchOutput: 9 }
  const { texts, paid, unanswered } = await collected(
    { answers },
    [a, b],
    store,
    dearer,
    undefined,
    'another',
  )
  expect(texts).toEqual(['kept', 'late'])
  expect(new Set(paid.map(({ completion }) => completion))).toEqual(new Set([a.digest, b.digest]))
  expect(paid.map(({ price }) => price?.input)).toEqual([0.5, 0.5])
  expect(unanswered.size).toBe(0)
})

it('A batch is forgotten only once its replies are on disk', async () => {
  const [a, inner, store] = [lineOf('a'), memoryStore(), memoryStore()]
  const done: string[] = []
  const slow: Pick<Store, 'put' | 'remove'> = {
    put: async (table, id, value) => {
      await new Promise(setImmediate)
      await inner.put(table, id, value)
      done.push(`put ${table}`)
    },
    remove: async (table, id) => {
      done.push(`remove ${table}`)
      await inner.remove(table, id)
    },
  }
  Object.assign(store, slow)
  await collected({ answers: [{ id: a.digest, outcome: replyOf('yes') }] }, [a], store)
  // It is sent, and its collection begins.
  expect(done).toEqual(['put batches', 'put batches', 'put ledger', 'put completions', 'remove batches'])
})

it('Fewer answers than the server says that it gave are kept, and the rest is no failure before as few come again', async () => {
  const [a, b, store] = [lineOf('a'), lineOf('b'), memoryStore()]
  const answers = [{ id: a.digest, outcome: replyOf('yes') }]
  const cut = (run?: string): ReturnType<typeof collected> =>
    collected({ answers }, [a, b], store, {}, 2, run)
  await expect(cut()).rejects.toMatchObject({ code: 'batch/short', retriable: true })
  expect(store.has('completions', a.digest)).toBe(true)
  const { unanswered, paid, left } = await cut('another')
  expect([[...unanswered.keys()], paid.length, left]).toEqual([[b.digest], 2, []])
})

it('What came short is taken in whole where it comes later', async () => {
  const [a, b, store] = [lineOf('a'), lineOf('b'), memoryStore()]
  const answers = [a, b].map(({ digest }) => ({ id: digest, outcome: replyOf('yes') }))
  await expect(collected({}, [a, b], store, {}, 2)).rejects.toMatchObject({ code: 'batch/short' })
  const { unanswered, texts, paid, left } = await collected({ answers }, [a, b], store, {}, 2)
  expect([unanswered.size, texts, paid.length, left]).toEqual([0, ['yes', 'yes'], 2, []])
})

it('Of a part of a batch, whose other requests are private now, no more is awaited than it has', async () => {
  const [a, b, store] = [lineOf('a'), lineOf('b'), memoryStore()]
  const rest = { marker: 'm', deployment: 'd/m', id: 'b', sent: '2026-03-04T00:00:00Z', lines: [a, b] }
  await putBatch({ ...rest, part: true }, store)
  const answers = ['a', 'other'].map((text) => ({ id: lineOf(text).digest, outcome: replyOf('yes') }))
  const { texts, unanswered, left } = await collected({ answers }, [a, b], store, {}, 2, 'r', 'expired')
  expect([texts, [...unanswered.keys()], left]).toEqual([['yes', undefined], [b.digest], []])
})

it('What a batch did not come to before it expired has that reason, and was not paid for', async () => {
  const [a, b, free] = [lineOf('a'), lineOf('b'), { ...lineOf('free'), ledger: { ...names, ceiling: 0 } }]
  const answers = [
    { id: a.digest, outcome: replyOf('yes') },
    { id: free.digest, outcome: new ClientError('reply/error', 'overloaded', { retriable: true }) },
  ]
  const ended = (answered: number): ReturnType<typeof collected> =>
    collected({ answers }, [a, b, free], memoryStore(), {}, answered, 'r', 'expired')
  const { unanswered, texts, paid, left } = await ended(2)
  expect([...unanswered.values()].map(({ code, retriable }) => [code, retriable])).toEqual([
    ['batch/expired', true],
    ['reply/error', true],
  ])
  expect([texts, left]).toEqual([['yes', undefined, undefined], []])
  // What can't be read may have been paid for, unless all of it is free.
  expect(paid.map(({ completion, outcome, usd }) => [completion, outcome, usd])).toEqual(
    expect.arrayContaining([
      [a.digest, 'paid', 1.5],
      [free.digest, 'uncertain', 0],
    ]) as unknown,
  )
  expect(paid).toHaveLength(2)
  await expect(ended(3)).rejects.toThrow('the server answered 3 requests, and gave 2')
})

it('What two copies of a store collect of one batch is counted once where they are merged, and of two batches twice', async () => {
  const [line, stores] = [lineOf('a'), [memoryStore(), memoryStore()]]
  const answers = [{ id: line.digest, outcome: replyOf('yes') }]
  const [one = [], two = []] = await Promise.all(
    stores.map(
      async (store, n) => (await collected({ answers }, [line], store, {}, undefined, `run ${n}`)).paid,
    ),
  )
  const merged = memoryStore()
  for (const { completion, ...entry } of [...one, ...two]) await putEntry(completion, entry, merged)
  expect([[...merged.entries('ledger')].length, [...readLedger(merged)].length]).toEqual([2, 1])
  for (const { completion, ...entry } of two) await putEntry(completion, { ...entry, marker: 'n' }, merged)
  expect([...readLedger(merged)]).toHaveLength(2)
})
