import { beforeEach, describe, expect, test } from 'vitest'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { Store } from '../../../cache/store.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import type { BatchAnswer, BatchApi, ProviderBatch } from '../../../models/clients/chat/batch-api.ts'
import { ClientError } from '../../../models/calls/client.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { putBatch, readBatches, type BatchRecord } from '../../../targets/batch/collect-batch.ts'
import { createBatches, type BatchCall, type Batches } from '../../../targets/batch/batches.ts'
import { readLedger } from '../../../targets/spend/ledger.ts'
import type { SpendEnv } from '../../../targets/spend/spending.ts'

const deploymentOf = (name: string, batches = true): ModelDeployment =>
  ({ name, client: { className: 'medmake.chat', args: { batches } } }) as unknown as ModelDeployment
const [model, other] = [deploymentOf('d/m'), deploymentOf('d/other')]

const callOf = (text: string, deployment = model): BatchCall =>
  ({
    deployment,
    run: {
      name: 'wards',
      benchmark: { name: 'wards', access: 'public' },
      adapter: { modelDeployment: deployment.name },
    },
    digest: digestOf<'completion'>(`${deployment.name} ${text}`),
    key: { text },
    request: { messages: [{ role: 'user', content: text }], maxTokens: 4, n: 1 },
  }) as unknown as BatchCall

let store: Store
/** What the provider has, by its ids. */
let there: Map<string, ProviderBatch & { readonly lines: readonly string[] }>
let answers: Map<string, readonly BatchAnswer[]>
let looks: string[]
let rooms: number
let settled: number[]
let failure: ClientError | undefined
let run: string
let lineFor: (id: string) => string
/** Milliseconds by the provider's clock. */
const UPLOADED = 1_700_000_000_000
let listFailure: ClientError | undefined

/** A store whose values are there a while after they were put. */
const slowStore = (): Store => {
  const store = memoryStore()
  const put = store.put.bind(store)
  return Object.assign(store, {
    put: async (...value: Parameters<Store['put']>) => {
      await new Promise(setImmediate)
      await put(...value)
    },
  })
}

beforeEach(() => {
  store = slowStore()
  there = new Map()
  answers = new Map()
  looks = []
  rooms = Number.POSITIVE_INFINITY
  settled = []
  failure = undefined
  listFailure = undefined
  run = 'r'
  lineFor = (id) => id
})

const api = {
  line: ({ id }: { id: string }) => lineFor(id),
  submit: async (lines: readonly string[], marker: string, onUploaded: (at: number) => Promise<void>) => {
    // Written down before the provider is told.
    expect(readBatches(store).filter((batch) => batch.marker === marker && batch.id === null)).toHaveLength(1)
    await onUploaded(UPLOADED)
    expect(readBatches(store).find((batch) => batch.marker === marker)).toMatchObject({ uploaded: UPLOADED })
    if (failure !== undefined) throw failure
    const batch = {
      id: `b${there.size + 1}`,
      marker,
      status: 'waiting',
      files: [],
      reason: undefined,
      lines,
    } as const
    there.set(batch.id, batch)
    return batch
  },
  look: async (id: string) => {
    looks.push(id)
    if (failure !== undefined) throw failure
    return there.get(id) ?? expect.fail(`no batch ${id}`)
  },
  find: async (marker: string) => {
    if (listFailure !== undefined) throw listFailure
    return [...there.values()].find((batch) => batch.marker === marker)
  },
  answers: async (file: string) => answers.get(file) ?? [],
  close: async () => undefined,
} as unknown as BatchApi

const env = (): SpendEnv =>
  ({
    store,
    stop: new AbortController().signal,
    now: () => Date.parse('2026-03-04T12:00:00Z'),
    listener: () => undefined,
    spending: {
      run,
      priceOf: () => ({ batchInput: 1, batchOutput: 1, date: '2026-01-01' }),
      reserve: async () =>
        (rooms -= 1) < 0 ? undefined : { bound: 2, ceiling: 2, settle: (usd: number) => settled.push(usd) },
    },
  }) as unknown as SpendEnv

const invocation = (gather = true): Batches => createBatches({ gather, open: async () => api })
const ask = async (batches: Batches, ...calls: readonly BatchCall[]): Promise<readonly unknown[]> => {
  const outcomes: unknown[] = []
  for (const call of calls) {
    const outcome = await batches.ask(call, env())
    outcomes.push(outcome?.kind === 'failed' ? `${outcome.cause.code}: ${outcome.cause.detail}` : outcome)
  }
  return outcomes
}
const GATHERED = 'batch/waiting: gathered for the next batch'
const linesThere = (): readonly (readonly string[])[] => [...there.values()].map(({ lines }) => lines)

/** The provider has answered these of a batch. */
const end = (id: string, ...calls: readonly BatchCall[]): void => {
  const batch = there.get(id) ?? expect.fail(`no batch ${id}`)
  there.set(id, { ...batch, status: 'completed', files: [id] })
  const reply = {
    choices: [{ text: 'yes', finishReason: 'stop' }],
    usage: { inputTokens: 1e6, outputTokens: 0 },
  }
  answers.set(
    id,
    calls.map(({ digest }) => ({ id: digest, outcome: reply })),
  )
}
const [a, b, c] = [callOf('a'), callOf('b'), callOf('c')]

test('What is asked is gathered, sent at once and counted at the most that it can cost', async () => {
  const batches = invocation()
  expect(await ask(batches, a, b, a)).toEqual([GATHERED, GATHERED, GATHERED])
  expect(there.size).toBe(0)
  expect(await batches.send()).toEqual([
    { id: 'b1', deployment: 'd/m', requests: 2, sent: '2026-03-04T12:00:00.000Z' },
  ])
  expect(linesThere()).toEqual([[a.digest, b.digest]])
  expect(settled).toEqual([2, 2])
  expect(readBatches(store)).toMatchObject([
    {
      id: 'b1',
      deployment: 'd/m',
      lines: [{ key: { text: 'a' }, ledger: { ceiling: 2, promptBytes: 1 } }, {}],
    },
  ])
  // What was sent is not gathered any more.
  await batches.send()
  expect(there.size).toBe(1)
})

test('What is under way is not sent again, by this invocation or a later one', async () => {
  const first = invocation()
  await ask(first, a)
  await first.send()
  first.forget()
  for (const later of [first, invocation(), invocation(false)])
    expect(await ask(later, a)).toEqual(['batch/waiting: sent with batch b1'])
  const second = invocation()
  expect(await ask(second, a, b)).toEqual(['batch/waiting: sent with batch b1', GATHERED])
  expect((await second.send()).map(({ id }) => id).toSorted()).toEqual(['b1', 'b2'])
  expect(linesThere()).toEqual([[a.digest], [b.digest]])
})

test('What another process sent or got meanwhile is left out when the gathered is sent', async () => {
  const [slow, quick] = [invocation(), invocation()]
  await ask(slow, a, b, c)
  await ask(quick, a)
  await quick.send()
  await store.put('completions', b.digest, { reply: 'by another' })
  await slow.send()
  expect(linesThere()).toEqual([[a.digest], [c.digest]])
})

test('What another process is asking is not sent, and what it sent since is not asked', async () => {
  const [batches, direct] = [invocation(), invocation(false)]
  await ask(batches, a, b, c)
  expect(await ask(direct, a, b)).toEqual([undefined, undefined])
  const asking = await store.claim(a.digest)
  expect(direct.sent(b, env())).toBe(undefined)
  await batches.send()
  expect(linesThere()).toEqual([[b.digest, c.digest]])
  expect(direct.sent(b, env())).toMatchObject({ cause: { detail: 'sent with batch b1' } })
  expect(direct.sent(a, env())).toBe(undefined)
  // It is free to be asked again once the batch is there.
  await asking?.release()
  for (const { digest } of [a, b]) expect(await store.claim(digest)).toBeDefined()
})

test('Answers of a batch that has ended are taken in with the next question, and paid once', async () => {
  const batches = invocation()
  await ask(batches, a, b)
  await batches.send()
  expect(await batches.anyEnded()).toBe(false)
  end('b1', a)
  expect(await batches.anyEnded()).toBe(true)
  batches.forget()
  expect(await ask(batches, a, b)).toEqual([undefined, expect.stringContaining('batch/short: ')])
  expect([...readLedger(store)].map(({ completion, usd }) => [completion, usd])).toEqual([[a.digest, 1]])
  run = 'another'
  batches.forget()
  expect(await ask(batches, a, b)).toEqual([undefined, expect.stringContaining('batch/no-answer: batch b1')])
  expect(store.has('completions', a.digest)).toBe(true)
  // What a batch left unanswered is not sent again by this invocation, but by the next.
  expect(await batches.send()).toEqual([])
  expect(await batches.anyEnded()).toBe(false)
  expect(await ask(invocation(), a, b)).toEqual([undefined, GATHERED])
})

test('What two invocations collect at once is entered once', async () => {
  const first = invocation()
  await ask(first, a)
  await first.send()
  end('b1', a)
  const second = { ...env(), spending: { ...env().spending, run: 'another' } } as SpendEnv
  await Promise.all([invocation().ask(a, env()), invocation().ask(a, second)])
  expect([...readLedger(store)]).toHaveLength(1)
  expect(readBatches(store)).toEqual([])
})

test('A batch that has nothing of what is asked is not waited for, and collected all the same', async () => {
  const first = invocation()
  await ask(first, a, callOf('a', other))
  await first.send()
  const second = invocation()
  await ask(second, b)
  expect((await second.send()).map(({ id }) => id)).toEqual(['b3'])
  expect(second.idle().map(({ id }) => id)).toEqual(['b1'])
  end('b1', a)
  expect(await second.anyEnded()).toBe(false)
  second.forget()
  expect(await second.look(model, env())).toBe(undefined)
  expect([...readLedger(store)].map(({ completion }) => completion)).toEqual([a.digest])
  expect(second.idle()).toEqual([])
})

test('Who does not gather, or whose provider takes no batches, asks directly', async () => {
  const direct = callOf('a', deploymentOf('d/direct', false))
  expect(await ask(invocation(false), a)).toEqual([undefined])
  expect(await ask(invocation(), direct)).toEqual([undefined])
})

test('Batches of another deployment are none of this one’s', async () => {
  const first = invocation()
  await ask(first, callOf('a', other))
  await first.send()
  looks = []
  expect(await ask(invocation(), a)).toEqual([GATHERED])
  expect(looks).toEqual([])
})

test('Where batches can’t be looked at nothing is asked, as it may be paid for already, and what they have is waited for', async () => {
  const first = invocation()
  await ask(first, a)
  await first.send()
  failure = new ClientError('http/503', 'busy', { retriable: true, status: 503 })
  const [asking, idle] = [invocation(), invocation()]
  const told = 'http/503: its batches could not be looked at: busy'
  expect(await ask(asking, a, b)).toEqual([told, told])
  expect(await asking.send()).toHaveLength(1)
  expect(await idle.look(model, env())).toBe(failure)
  expect(await idle.send()).toEqual([])
})

describe('A batch whose sending was cut off', () => {
  const begun: BatchRecord = {
    marker: 'mine',
    deployment: 'd/m',
    id: null,
    sent: '2026-03-04T00:00:00.000Z',
    lines: [{ digest: a.digest, key: { text: 'a' }, ledger: {} as BatchRecord['lines'][number]['ledger'] }],
  }

  test('is found by its marker where the provider has it.', async () => {
    await putBatch(begun, store)
    const batch = { status: 'waiting', files: [], reason: undefined, lines: [] } as const
    there.set('b7', { ...batch, id: 'b7', marker: 'of somebody else' })
    there.set('b8', { ...batch, id: 'b8', marker: 'mine' })
    expect(await ask(invocation(), a)).toEqual(['batch/waiting: sent with batch b8'])
    expect(readBatches(store)).toMatchObject([{ marker: 'mine', id: 'b8' }])
    // It may have ended meanwhile, and told less than it must.
    await putBatch(begun, store)
    end('b8')
    expect(await ask(invocation(), a)).toEqual([expect.stringContaining('batch/short')])
    expect(readBatches(store)).toMatchObject([{ marker: 'mine', id: 'b8' }])
  })

  test('is forgotten where the provider never got it.', async () => {
    await putBatch(begun, store)
    expect(await ask(invocation(), a)).toEqual([GATHERED])
    expect(readBatches(store)).toEqual([])
  })

  test('counts as one that the provider does not know where it lists none: told first, then asked for anew.', async () => {
    await putBatch(begun, store)
    listFailure = new ClientError('http/403', 'forbidden', { retriable: false, status: 403 })
    expect(await ask(invocation(), a)).toEqual(['http/403: its batches could not be looked at: forbidden'])
    listFailure = new ClientError('http/404', 'not found', { retriable: false, status: 404 })
    const told = 'batch/short: its batches could not be looked at: batch mine: the server lists no batches'
    run = 'r1'
    expect(await ask(invocation(), a)).toEqual([expect.stringContaining(told)])
    run = 'r2'
    expect(await ask(invocation(), a)).toEqual([expect.stringContaining('batch/lost')])
    expect([...store.entries('ledger')]).toHaveLength(1)
    expect(await ask(invocation(), a)).toEqual([GATHERED])
  })

  test.each([
    ['an answer that refuses it leaves none, and nothing of it counts', 400, 0, [2, 0]],
    ['one that asks to slow down is a refusal, too', 429, 0, [2, 0]],
    ['without an answer it may be there', undefined, 1, [2]],
    ['behind a gateway that gave up it may be there', 504, 1, [2]],
    ['where it took too long it may be there', 408, 1, [2]],
    ['where another one is in its way it may be there', 409, 1, [2]],
  ])('%s.', async (_, status, left, counted) => {
    const batches = invocation()
    await ask(batches, a)
    failure = new ClientError('call/x', 'no', { retriable: false, ...(status !== undefined && { status }) })
    await expect(batches.send()).rejects.toThrow('no')
    expect(readBatches(store).map(({ id }) => id)).toEqual(Array.from({ length: left }, () => null))
    expect(settled).toEqual(counted)
  })
})

test('Where a cap leaves no room for all nothing is sent', async () => {
  const batches = invocation()
  await ask(batches, a, b)
  rooms = 1
  expect(await batches.send()).toEqual([])
  expect([there.size, readBatches(store)]).toEqual([0, []])
  expect(settled).toEqual([2, 0])
})

test('A batch that the provider does not know is told, kept for another run, and then asked for anew', async () => {
  const first = invocation()
  await ask(first, a)
  await first.send()
  failure = new ClientError('http/404', 'no such batch', { retriable: false, status: 404 })
  expect(await first.anyEnded()).toBe(true)
  const told = 'batch/short: its batches could not be looked at: batch b1: the server knows no such batch'
  run = 'r1'
  const second = invocation()
  for (let tries = 0; tries < 2; tries += 1) {
    expect(await ask(second, a)).toEqual([expect.stringContaining(told)])
    second.forget()
  }
  run = 'r2'
  expect(await ask(invocation(), a)).toEqual(['batch/lost: batch b1: the server knows no such batch'])
  expect([...readLedger(store)].map(({ outcome, ceiling }) => [outcome, ceiling])).toEqual([['uncertain', 2]])
  expect(await ask(invocation(), a)).toEqual([GATHERED])
})

test('A batch holds 64 million characters at most', async () => {
  const [half, more] = ['x'.repeat(32e6), 'x'.repeat(32e6 + 1)]
  for (const [lines, sizes] of [
    [[half, half], [2]],
    [
      [half, half, half],
      [2, 1],
    ],
    [
      [half, more],
      [1, 1],
    ],
    [
      [more, half, half],
      [1, 2],
    ],
  ] as const) {
    there.clear()
    store = memoryStore()
    const calls = lines.map((_, n) => callOf(`${n}`))
    lineFor = (id) => lines[calls.findIndex(({ digest }) => digest === id)] ?? ''
    const batches = invocation()
    await ask(batches, ...calls)
    await batches.send()
    expect(linesThere().map(({ length }) => length)).toEqual(sizes)
  }
})

test('Batches under way are listed the oldest first', async () => {
  for (const [marker, sent] of [
    ['x', '2026-03-02'],
    ['y', '2026-03-01'],
    ['z', '2026-03-03'],
  ] as const)
    await putBatch({ marker, deployment: 'd/m', id: marker, sent, lines: [] }, store)
  expect(readBatches(store).map(({ marker }) => marker)).toEqual(['y', 'x', 'z'])
})
