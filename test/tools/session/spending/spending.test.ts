import { beforeEach, describe, expect, it } from 'vitest'
import { digestOf } from '../../../../cache/values/digest.ts'
import { ProblemError } from '../../../../cache/problems/problem.ts'
import { memoryStore } from '../../../../cache/memory-store.ts'
import type { Store } from '../../../../cache/store.ts'
import type { CompletionRequest } from '../../../../models/calls/client.ts'
import type { ModelDeployment } from '../../../../models/deployment/model.ts'
import type { Price } from '../../../../models/prices/price.ts'
import { putEntry, type LedgerEntry } from '../../../../targets/spend/ledger.ts'
import { openSpending } from '../../../../tools/session/spending/session-spending.ts'
import type { Budget } from '../../../../tools/session/workspace/config.ts'
import { madeUpEntry } from '../../../targets/spend/made-up-entry.ts'
import { problemOf } from '../../../rig/problem-of.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'
import { requestOf } from '../../../rig/model-calls.ts'

const deploymentOf = (name: string): ModelDeployment =>
  ({
    name,
    file: 'models/own.yaml',
    client: { className: 'medmake.chat', args: {} },
  }) as unknown as ModelDeployment
const [model, free, unpriced] = [deploymentOf('a/m'), deploymentOf('a/free'), deploymentOf('a/unpriced')]
/** At 1,000 USD a million tokens of output and input for nothing. */
const asking = (maxTokens: number): CompletionRequest => requestOf('Is it?', { maxTokens })
const priced = (deployment: ModelDeployment, input: number, output: number): readonly [string, Price] => [
  deployment.name,
  { deployment: deployment.name, input, output, date: '2026-01-01', source: 'list', file: 'models/own.yaml' },
]
const prices = new Map([priced(model, 0, 1000), priced(free, 0, 0)])

let store: Store
let stopping: AbortController
let halts: number
beforeEach(() => {
  store = memoryStore()
  stopping = new AbortController()
  halts = 0
})

interface Shard {
  readonly submission: string
  readonly index: number
  readonly count: number
}

const spendingOf = (
  budget: Partial<Budget> | undefined,
  {
    maxUsd,
    shard,
    pass,
    vault,
  }: { maxUsd?: number; shard?: Shard; pass?: () => Promise<boolean>; vault?: () => Promise<Store> } = {},
) =>
  openSpending(
    {
      workspace: { config: { budget: budget && { deployments: {}, ...budget } } },
      maxUsd,
      stopper: { stop: stopping.signal, halt: () => (halts += 1) },
    } as unknown as Parameters<typeof openSpending>[0],
    {
      storePath: temporaryFolder(),
      store,
      vault: { exists: () => vault !== undefined, store: vault } as unknown as Parameters<
        typeof openSpending
      >[1]['vault'],
      prices,
      tier: (pass ?? shard) && ({ shard, pass: pass ?? (async () => true) } as never),
    },
  )

const enter = (
  entry: Pick<LedgerEntry, 'usd' | 'ceiling'> & Partial<LedgerEntry>,
  inStore: Store = store,
  call = JSON.stringify(entry),
): Promise<void> =>
  putEntry(
    digestOf<'completion'>(call),
    madeUpEntry({ time: new Date().toISOString(), run: 'earlier', usage: null, ...entry }),
    inStore,
  )

describe('Under a cap', () => {
  it('a call reserves the most that it can cost, and gives back what it did not, once', async () => {
    const spending = spendingOf({ max_usd: 1 })
    const held = await spending.reserve(model, asking(600))
    expect(held).toMatchObject({ bound: 0.6, ceiling: 0.6 })
    const waiting = spending.reserve(model, asking(600))
    held?.settle(0.3)
    // The same word on the same call counts for nothing.
    held?.settle(0.3)
    const second = await waiting
    expect(second?.ceiling).toBe(0.6)
    second?.settle(0.6)
    expect(await spending.reserve(model, asking(100))).toMatchObject({ ceiling: 0.1 })
    // A batch that was refused cost nothing after all.
    second?.settle(0)
    expect(await spending.reserve(model, asking(600))).toMatchObject({ ceiling: 0.6 })
    expect(halts).toBe(0)
  })

  it('by how much a call passed its bound is reserved for each later one of its deployment, the most that was seen', async () => {
    const spending = spendingOf({ max_usd: 10 })
    for (const usd of [0.15, 0.12, 0.01]) (await spending.reserve(model, asking(100)))?.settle(usd)
    const held = await spending.reserve(model, asking(100))
    expect(held?.bound).toBe(0.1)
    expect(held?.ceiling).toBeCloseTo(0.15, 12)
    expect((await spending.reserve(free, asking(100)))?.ceiling).toBe(0)
  })

  it('calls of earlier runs that passed their ceilings tell, too, those of the last thirty days', async () => {
    const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
    await enter({ usd: 0.25, ceiling: 0.2, time: daysAgo(29) })
    await enter({ usd: 9, ceiling: 1, time: daysAgo(32) })
    await enter({ usd: 5, ceiling: null })
    await enter({ usd: null, ceiling: 5 })
    await enter({ usd: 7, ceiling: 1, deployment: 'a/other' })
    const held = await spendingOf({ max_usd: 10 }).reserve(model, asking(100))
    expect(held?.ceiling).toBeCloseTo(0.15, 12)
  })

  it('the run stops where a call would not fit even alone, told once, and nothing is called after it', async () => {
    const spending = spendingOf({ max_usd: 1 })
    ;(await spending.reserve(model, asking(700)))?.settle(0.7)
    const held = await spending.reserve(model, asking(200))
    const waiting = spending.reserve(model, asking(250))
    expect(await spending.reserve(model, asking(400))).toBeUndefined()
    expect(halts).toBe(1)
    // Who waited for room is let go, though the call in flight has not ended.
    expect(await waiting).toBeUndefined()
    expect(await spending.reserve(free, asking(1))).toBeUndefined()
    held?.settle(0.2)
    expect(await spending.reserve(model, asking(1))).toBeUndefined()
    const problem = spending.problem()
    expect(problem).toMatchObject({ exitCode: 4, problems: [{ code: 'spend/cap-reached' }] })
    expect(problem?.message).toContain(
      '0.700000 USD are spent or set aside in this run, and the next call may cost 0.400000: budget.max_usd is 1 USD',
    )
  })

  it('a deployment without a price is asked nothing', async () => {
    const spending = spendingOf({ max_usd: 1 })
    expect(await problemOf(() => spending.reserve(unpriced, asking(1)))).toMatchObject({
      code: 'spend/no-price',
    })
  })

  it('nothing is reserved once the run stops', async () => {
    const spending = spendingOf({ max_usd: 1 })
    expect(await spending.mayBegin()).toBe(true)
    stopping.abort()
    expect(await spending.reserve(model, asking(1))).toBeUndefined()
    expect(await spending.mayBegin()).toBe(false)
    expect(spending.problem()).toBeUndefined()
  })

  it('what other runs of the day have spent leaves less for this one', async () => {
    await enter({ usd: 0.5, ceiling: 0.5 })
    await enter({ usd: 5, ceiling: 5, time: new Date(Date.now() - 86_400_000).toISOString() })
    const spending = spendingOf({ per_day: 1 })
    expect((await spending.reserve(model, asking(400)))?.ceiling).toBe(0.4)
    expect(await spending.reserve(model, asking(600))).toBeUndefined()
    expect(spending.problem()?.message).toContain('0.500000 USD are spent or set aside today (UTC)')
  })
})

it('What calls of a vault’s benchmarks cost counts, too; without its key they tell no overruns, but hold no public run up', async () => {
  const sealed = memoryStore()
  await enter({ usd: 0.7, ceiling: 0.2 }, sealed)
  await enter({ usd: 0.2, ceiling: 0.1 })
  const perDay = spendingOf({ per_day: 2 }, { vault: async () => sealed })
  expect((await perDay.reserve(model, asking(600)))?.ceiling).toBeCloseTo(1.1, 12)
  expect(
    await spendingOf({ per_day: 2 }, { vault: async () => sealed }).reserve(model, asking(601)),
  ).toBeUndefined()
  const noKey = async (): Promise<Store> => {
    throw new ProblemError({ code: 'cache/no-key', message: 'no key', remedy: 'Set it.' })
  }
  expect(
    (await spendingOf({ max_usd: 2 }, { vault: noKey }).reserve(model, asking(600)))?.ceiling,
  ).toBeCloseTo(0.7, 12)
  const broken = async (): Promise<Store> => {
    throw new TypeError('ours')
  }
  await expect(spendingOf({ max_usd: 2 }, { vault: broken }).reserve(model, asking(600))).rejects.toThrow(
    'ours',
  )
})

it('Without a cap a call’s bound is told where there is a price, and nothing where there is none', async () => {
  const spending = spendingOf(undefined)
  expect(await spending.reserve(model, asking(100))).toMatchObject({ bound: 0.1, ceiling: 0.1 })
  expect(await spending.reserve(unpriced, asking(100))).toMatchObject({ bound: null, ceiling: null })
})

describe('A task of several', () => {
  const shard = { submission: 'job-7', index: 1, count: 4 }

  it('has its part of each cap, less what its own earlier attempts have spent', async () => {
    await enter({ usd: 0.1, ceiling: 0.1, run: 'job-7.1.first' })
    await enter({ usd: 0.2, ceiling: 0.2, run: 'job-7.2.first' })
    await enter({ usd: 0.2, ceiling: 0.2, run: 'job-7.10.first' })
    const spending = spendingOf({ max_usd: 1 }, { shard })
    expect(spending.run).toMatch(/^job-7\.1\.\d{8}T\d{6}Z-/)
    expect(spending.caps).toEqual([{ period: 'run', name: 'budget.max_usd / 4', usd: 0.25 }])
    ;(await spending.reserve(model, asking(150)))?.settle(0.15)
    expect(await spending.reserve(model, asking(1))).toBeUndefined()
    expect(spending.problem()?.message).toContain('0.250000 USD are spent or set aside')
  })

  it('counts its part of what others spent that day, and all of what it did itself', async () => {
    await enter({ usd: 0.4, ceiling: 0.4, run: 'of another submission' })
    await enter({ usd: null, ceiling: 0.4, run: 'of another, uncertain' })
    await enter({ usd: 0.03, ceiling: 0.03, run: 'job-7.1.first' })
    await enter({ usd: 0.9, ceiling: 0.9, run: 'job-7.2.first' })
    await enter({ usd: 5, ceiling: 5, time: new Date(Date.now() - 86_400_000).toISOString() })
    const spending = spendingOf({ per_day: 1 }, { shard })
    // Of 0.25: 0.8 / 4 of others, 0.03 of its own; 0.02 are left.
    expect((await spending.reserve(model, asking(20)))?.ceiling).toBe(0.02)
    const tooMuch = spendingOf({ per_day: 1 }, { shard })
    expect(await tooMuch.reserve(model, asking(21))).toBeUndefined()
  })

  it('begins no call without its tier’s leave, and gives back what was reserved', async () => {
    let passes: boolean | Error = true
    const pass = async (): Promise<boolean> => {
      if (passes instanceof Error) throw passes
      return passes
    }
    const spending = spendingOf({ max_usd: 1 }, { pass })
    expect(await spending.mayBegin()).toBe(true)
    passes = new Error('the tier is gone')
    await expect(spending.reserve(model, asking(900))).rejects.toThrow('the tier is gone')
    passes = true
    const held = await spending.reserve(model, asking(900))
    expect(held?.ceiling).toBe(0.9)
    held?.settle(0)
    passes = false
    expect(await spending.reserve(model, asking(900))).toBeUndefined()
    expect(await spending.mayBegin()).toBe(false)
    expect(halts).toBe(2)
    passes = true
    expect((await spending.reserve(model, asking(900)))?.ceiling).toBe(0.9)
    stopping.abort()
    expect(await spending.mayBegin()).toBe(false)
  })
})
