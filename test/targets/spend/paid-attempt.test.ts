import { beforeEach, describe, expect, test } from 'vitest'
import type { Access } from '../../../benchmarks/scenario/benchmark.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { Store } from '../../../cache/store.ts'
import { ClientError, type Client, type CompletionRequest, type Reply } from '../../../models/calls/client.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import type { Price } from '../../../models/prices/price.ts'
import { checkCall, beginAttempt, type AskedFor } from '../../../targets/spend/paid-attempt.ts'
import type { Turn } from '../../../models/limits/limiter.ts'
import { readLedger, type LedgerEntry } from '../../../targets/spend/ledger.ts'
import type { SpendEnv } from '../../../targets/spend/spending.ts'
import { requestOf } from '../../rig/model-calls.ts'

const deployment = {
  name: 'd/m',
  client: { className: 'medmake.chat', args: {} },
} as unknown as ModelDeployment
const request = requestOf('Ärzte')
const run: AskedFor = {
  name: 'wards:model=d_m',
  benchmark: { name: 'wards', access: 'public' satisfies Access },
  adapter: { modelDeployment: 'd/m' },
}
const digest = digestOf<'completion'>('call')
const PRICE: Price = { input: 1, output: 2, date: '2026-01-01', source: 'list' } as unknown as Price
const USAGE = { inputTokens: 1_000_000, outputTokens: 500_000 }
const replyOf = (more: Partial<Reply> = {}): Reply => ({ choices: [], ...more })

let store: Store
let settled: number[]
let events: Parameters<SpendEnv['listener']>[0][]
let now: number
/** Of the clock that nobody sets. */
let ticks = 0
beforeEach(() => {
  store = memoryStore()
  settled = []
  events = []
  now = Date.parse('2026-03-04T23:59:58.500Z')
})

const envOf = ({
  price,
  ceiling = 5,
  bound = 4,
  mayBegin = async () => true,
}: {
  readonly price?: Price
  readonly ceiling?: number | null
  readonly bound?: number | null
  readonly mayBegin?: () => Promise<boolean>
} = {}): SpendEnv => ({
  store,
  listener: (event) => void events.push(event),
  stop: new AbortController().signal,
  abort: new AbortController().signal,
  now: () => now,
  clock: () => ticks,
  spending: {
    run: 'run-1',
    priceOf: (name) => (name === 'd/m' ? price : undefined),
    reserve: async () => ({ bound, ceiling, settle: (usd) => void settled.push(usd) }),
    mayBegin,
  },
})
const entries = (): readonly LedgerEntry[] => [...readLedger(store)]
const ENTRY = {
  time: '2026-03-05T00:00:00.000Z',
  run: 'run-1',
  target: 'wards:model=d_m',
  benchmark: 'wards',
  model: 'd/m',
  deployment: 'd/m',
  judge: null,
  stage: 'completions',
  batch: false,
  promptBytes: 6,
  outputBound: 100,
  seconds: 0.25,
  completion: digest,
}

describe('A call whose turn has passed', () => {
  /** Of a limiter at which a call waits so many times. */
  const late = (times: number): Turn & { readonly renewed: () => number } => {
    let renewed = 0
    return {
      spent: () => undefined,
      accepted: () => undefined,
      rejected: () => undefined,
      drought: () => 0,
      release: () => undefined,
      renew: async () => (renewed += 1) <= times,
      renewed: () => renewed,
    }
  }
  const call = { deployment, run, digest, request }

  test('waits for another one, and asks for leave after each wait.', async () => {
    const asked: number[] = []
    const turn = late(2)
    const env = envOf({ mayBegin: async () => asked.push(turn.renewed()) > 0 })
    await (await beginAttempt(call, env, turn)).replied(replyOf({ usage: USAGE }))
    expect(asked).toEqual([1, 2])
    expect(turn.renewed()).toBe(3)
  })

  test('is not made where leave was lost meanwhile, and gives back what was reserved.', async () => {
    const refused = beginAttempt(call, envOf({ mayBegin: async () => false }), late(1))
    await expect(refused).rejects.toMatchObject({ code: 'call/aborted' })
    const failed = beginAttempt(call, envOf({ mayBegin: () => Promise.reject(new Error('tier')) }), late(1))
    await expect(failed).rejects.toThrow('tier')
    expect([settled, entries()]).toEqual([[0, 0], []])
  })
})

describe('A reply', () => {
  test('is entered with what it cost by its usage and what its request allows, whatever was reserved, and gives back what was reserved beyond.', async () => {
    const attempt = await beginAttempt({ deployment, run, digest, request }, envOf({ price: PRICE }))
    // The time of day was set meanwhile.
    now += 1500
    ticks += 250
    await attempt.replied(replyOf({ usage: USAGE }))
    expect(entries()).toStrictEqual([
      {
        ...ENTRY,
        outcome: 'paid',
        usage: USAGE,
        price: { input: 1, output: 2, date: '2026-01-01' },
        usd: 2,
        ceiling: 4,
      },
    ])
    expect([settled, events]).toEqual([[2], []])
  })

  test('of which a part was at hand is charged by that price, too, which stays with the entry.', async () => {
    const attempt = await beginAttempt(
      { deployment, run, digest, request },
      envOf({ price: { ...PRICE, cachedInput: 0.1 } }),
    )
    await attempt.replied(
      replyOf({ usage: { ...USAGE, cachedInputTokens: 600_000, reasoningTokens: 400_000 } }),
    )
    // 0.4 at 1, 0.6 at 0.1 and 0.5 at 2 dollars; reasoning is part of the output.
    expect(entries()).toMatchObject([
      { usd: expect.closeTo(1.46, 12), price: { input: 1, cachedInput: 0.1, output: 2, date: '2026-01-01' } },
    ])
    expect(settled).toEqual([expect.closeTo(1.46, 12)])
  })

  test.each([
    ['without usage counts at its ceiling', { price: PRICE }, {}, 5, null],
    [
      'without a price and a ceiling counts as nothing',
      { ceiling: null, bound: null },
      { usage: USAGE },
      0,
      null,
    ],
    [
      'of what costs nothing is known to cost nothing',
      { price: { ...PRICE, input: 0, output: 0 }, ceiling: 0 },
      {},
      0,
      0,
    ],
  ] as const)('%s.', async (_, env, reply, counted, usd) => {
    const attempt = await beginAttempt({ deployment, run, digest, request }, envOf(env))
    await attempt.replied(replyOf(reply))
    expect(settled).toEqual([counted])
    expect(entries()).toMatchObject([{ outcome: 'paid', usd }])
  })

  test('that costs more than its request bounds, or tells impossible tokens, is told of.', async () => {
    const env = envOf({ price: PRICE, bound: 1.5 })
    const attempt = await beginAttempt({ deployment, run, digest, request }, env)
    await attempt.replied(replyOf({ usage: USAGE, impossibleUsage: true }))
    const names = { target: run.name, deployment: 'd/m' }
    expect(events).toEqual([
      { type: 'usage-impossible', ...names },
      { type: 'call-overran', ...names, usd: 0.5 },
    ])
    events = []
    const exact = await beginAttempt({ deployment, run, digest, request }, envOf({ price: PRICE, bound: 2 }))
    await exact.replied(replyOf({ usage: USAGE }))
    const unbound = await beginAttempt(
      { deployment, run, digest, request },
      envOf({ price: PRICE, bound: null }),
    )
    await unbound.replied(replyOf({ usage: USAGE }))
    expect(events).toEqual([])
  })

  test('to a judge, and to a check, is entered as such.', async () => {
    for (const asked of [{ judge: 'strict' }, { isCheck: true }, {}] as const) {
      const attempt = await beginAttempt(
        {
          deployment: 'judge' in asked ? { ...deployment, name: 'd/judge' } : deployment,
          run: { ...run, ...asked },
          digest: digestOf<'completion'>(JSON.stringify(asked)),
          request,
        },
        envOf(),
      )
      await attempt.replied(replyOf())
    }
    expect(
      entries()
        .map(({ judge, stage, model, deployment: asked }) => `${judge} ${stage} of ${model} by ${asked}`)
        .toSorted(),
    ).toEqual([
      'null check of d/m by d/m',
      'null completions of d/m by d/m',
      'strict annotations of d/m by d/judge',
    ])
  })
})

describe('An attempt that ended without a reply', () => {
  const billed = new ClientError('call/timeout', 'late', { retriable: true })
  const refused = new ClientError('http/401', 'no', { retriable: false, status: 401 })

  test('that may be charged counts at its ceiling, is entered and told of.', async () => {
    for (const error of [billed, new Error('a fault of ours')]) {
      const attempt = await beginAttempt({ deployment, run, digest, request }, envOf({ price: PRICE }))
      await attempt.failed(error)
    }
    expect(settled).toEqual([5, 5])
    expect(events).toEqual([
      { type: 'call-uncertain', target: run.name, usd: 5 },
      { type: 'call-uncertain', target: run.name, usd: 5 },
    ])
    expect(entries()[0]).toMatchObject({ outcome: 'uncertain', usage: null, usd: null, ceiling: 5 })
  })

  test('costs nothing where nothing is charged, or cannot be.', async () => {
    await (await beginAttempt({ deployment, run, digest, request }, envOf({ ceiling: 0 }))).failed(billed)
    expect(entries()).toMatchObject([{ outcome: 'uncertain', usd: 0 }])
    await (await beginAttempt({ deployment, run, digest, request }, envOf({ ceiling: null }))).failed(billed)
    await (await beginAttempt({ deployment, run, digest, request }, envOf())).failed(refused)
    expect(settled).toEqual([0, 0, 0])
    expect(events).toHaveLength(2)
  })
})

test('Where no room is left nothing is begun.', async () => {
  const env = envOf()
  const full = { ...env, spending: { ...env.spending, reserve: async () => undefined } }
  await expect(beginAttempt({ deployment, run, digest, request }, full)).rejects.toMatchObject({
    code: 'call/aborted',
  })
})

describe('A check', () => {
  const clientOf = (more: Partial<Client>): Client => ({
    local: false,
    complete: async () => replyOf(),
    ...more,
  })

  test('is in the ledger as any other call is, with a question that is nobody’s.', async () => {
    const asked: CompletionRequest[] = []
    const client = clientOf({
      complete: async (sent) => {
        asked.push(sent)
        return replyOf({ usage: USAGE })
      },
    })
    expect(await checkCall(deployment, client, envOf({ price: PRICE }))).toEqual(replyOf({ usage: USAGE }))
    expect(asked).toMatchObject([{ maxTokens: 16, n: 1, stop: [], messages: [{ role: 'user' }] }])
    expect(entries()).toMatchObject([
      {
        stage: 'check',
        target: 'models check',
        benchmark: 'models check',
        model: 'd/m',
        outcome: 'paid',
        usd: 2,
      },
    ])
  })

  test('is answered once it is in the ledger: where that cannot be written, it fails.', async () => {
    const env = { ...envOf(), store: { ...store, put: () => Promise.reject(new Error('full')) } }
    await expect(checkCall(deployment, clientOf({}), env)).rejects.toThrow('full')
  })

  test('that fails is entered where it may be charged, and of a model of this machine never.', async () => {
    const late = new ClientError('call/timeout', 'late', { retriable: true })
    const failing = clientOf({ complete: () => Promise.reject(late) })
    await expect(checkCall(deployment, failing, envOf())).rejects.toBe(late)
    expect(entries()).toMatchObject([{ outcome: 'uncertain' }])
    await checkCall(deployment, clientOf({ local: true }), envOf())
    await expect(checkCall(deployment, { ...failing, local: true }, envOf())).rejects.toBe(late)
    expect(entries()).toHaveLength(1)
  })
})
