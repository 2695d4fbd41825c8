import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import { ClientError, type CompletionRequest } from '../../../models/calls/client.ts'
import { failed } from '../../../cache/problems/problem.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import { storeOver } from '../../../cache/store.ts'
import { Limiter } from '../../../models/limits/limiter.ts'
import { DEFAULT_RETRY } from '../../../models/retry.ts'
import type { Batches } from '../../../targets/batch/batches.ts'
import { type KeptStore, envFor, layered } from '../../../targets/env/env.ts'
import { completionPlace, createAsker } from '../../../targets/stages/ask.ts'
import { createAnnotationStage } from '../../../targets/stages/annotations.ts'
import {
  madeUpDeployment,
  madeUpInstances,
  madeUpRun,
  madeUpTarget,
  realStore,
  textReply,
  type MadeUpRun,
} from '../../rig/made-up-run.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { requestOf } from '../../rig/model-calls.ts'

const request = (content: string, sampleIndex = 0): CompletionRequest =>
  requestOf(content, { maxTokens: 5, sampleIndex })
const OPEN = { name: 'letters', access: 'public' } as const
const deployment = madeUpDeployment('m/a')

const askerOf = async ({ env }: MadeUpRun, benchmark: Pick<Benchmark, 'name' | 'access'> = OPEN) =>
  createAsker(
    deployment,
    { name: 'letters:model=m_a', benchmark, adapter: { modelDeployment: 'm/a' } },
    await envFor(benchmark, env),
  )

const outcomes = (asked: readonly { readonly outcome: unknown; readonly cached: boolean }[]) =>
  asked.map(({ outcome, cached }) => [(outcome as { kind: string }).kind, cached])

describe('A question', () => {
  test('that is asked by many at once is one call, and later none; another sample is another one.', async () => {
    const run = await madeUpRun(() => textReply('yes'))
    const asker = await askerOf(run)
    const asked = await Promise.all(Array.from({ length: 5 }, () => asker.ask(request('Well?'))))
    expect(outcomes(asked)).toEqual([
      ['done', false],
      ['done', true],
      ['done', true],
      ['done', true],
      ['done', true],
    ])
    expect(outcomes([await (await askerOf(run)).ask(request('Well?'))])).toEqual([['done', true]])
    expect(run.asked).toHaveLength(1)
    await asker.ask(request('Well?', 1))
    expect(run.asked).toHaveLength(2)
    // What is not paid for again is told of: four within the run, one from the store.
    expect(run.events.filter(({ type }) => type === 'replies-reused')).toHaveLength(5)
    expect(run.events.filter(({ type }) => type === 'provider-call')).toHaveLength(2)
  })

  test('is looked up without a call, at the place that its key names.', async () => {
    const run = await madeUpRun(() => textReply('yes'))
    const asker = await askerOf(run)
    const { digest } = completionPlace(deployment, request('Well?'))
    expect(asker.peek(request('Well?'))).toEqual({ digest })
    await asker.ask(request('Well?'))
    expect(asker.peek(request('Well?'))).toMatchObject({
      digest,
      completion: { stored: { reply: { choices: [{ text: 'yes' }] } } },
    })
    expect(run.env.records.has('completions', digest)).toBe(true)
    expect(run.asked).toHaveLength(1)
  })

  test('that another process sent with a batch while its claim was waited for is not asked.', async () => {
    const run = await madeUpRun(() => textReply('yes'))
    let isSent = false
    const sent = (): ReturnType<Batches['sent']> => (isSent ? failed('batch/waiting', 'sent') : undefined)
    const batches = { ask: async () => undefined, sent } as unknown as Batches
    const asker = await askerOf({ ...run, env: { ...run.env, batches } })
    const theirs = await run.env.records.claim(asker.peek(request('Well?')).digest)
    const asking = asker.ask(request('Well?'))
    isSent = true
    await theirs?.release()
    expect((await asking).outcome).toMatchObject({ kind: 'failed', cause: { code: 'batch/waiting' } })
    expect(run.asked).toHaveLength(0)
  })

  test('that failed is kept nowhere, and asked again.', async () => {
    let isDown = true
    const run = await madeUpRun(() => {
      if (isDown) throw new ClientError('http/400', 'no', { retriable: false, status: 400 })
      return textReply('yes')
    })
    const asker = await askerOf(run)
    expect((await asker.ask(request('Well?'))).outcome).toMatchObject({
      kind: 'failed',
      cause: { code: 'http/400' },
    })
    expect([...run.env.records.entries('completions')]).toEqual([])
    // By many at once: none of them pays for a failure of its own.
    const asked = await Promise.all([1, 2, 3].map(() => asker.ask(request('Well?'))))
    expect(outcomes(asked).map(([kind]) => kind)).toEqual(['failed', 'failed', 'failed'])
    expect(run.asked).toHaveLength(2)
    isDown = false
    expect(outcomes([await asker.ask(request('Well?'))])).toEqual([['done', false]])
    expect(run.asked).toHaveLength(3)
  })

  test('that failed gives back what a cap held for it, or counts as paid where it may have been.', async () => {
    for (const [status, settled] of [
      [400, 0],
      [504, 3],
    ] as const) {
      const paid: number[] = []
      const run = await madeUpRun(() => {
        throw new ClientError(`http/${status}`, 'no', { retriable: false, status })
      })
      const settle = (usd: number) => void paid.push(usd)
      const spending = { ...run.env.spending, reserve: async () => ({ bound: 3, ceiling: 3, settle }) }
      await (await askerOf({ ...run, env: { ...run.env, spending } })).ask(request('Well?'))
      expect(paid).toEqual([settled])
    }
  })

  test('is put to nobody where only the store may answer, nor once the run is stopped.', async () => {
    const stored = await madeUpRun(() => textReply('yes'), { more: { storedOnly: true } })
    expect((await (await askerOf(stored)).ask(request('Well?'))).outcome).toMatchObject({
      cause: { code: 'call/not-made' },
    })
    const stopped = await madeUpRun(() => textReply('yes'))
    stopped.stop()
    expect((await (await askerOf(stopped)).ask(request('Well?'))).outcome).toMatchObject({
      cause: { code: 'call/aborted' },
    })
    expect([stored.asked, stopped.asked]).toEqual([[], []])
  })

  test('that another process is asking waits for its reply.', async () => {
    const path = join(temporaryFolder(), 'store')
    const [theirs, ours] = [await realStore(path), await realStore(path)]
    let reply: () => void = () => undefined
    const one = await madeUpRun(
      async () => {
        await new Promise<void>((resolve) => (reply = resolve))
        return textReply('theirs')
      },
      { records: theirs },
    )
    const other = await madeUpRun(() => textReply('ours'), { records: ours })
    const first = (await askerOf(one)).ask(request('Well?'))
    await expect.poll(() => one.asked.length).toBe(1)
    // In this process equal questions would share the call: theirs is told apart by a claim of its own.
    const { digest } = completionPlace(deployment, request('Well?'))
    expect(await other.env.records.claim(digest)).toBeUndefined()
    reply()
    await first
    expect(outcomes([await (await askerOf(other)).ask(request('Well?'))])).toEqual([['done', true]])
    expect(other.asked).toEqual([])
  })

  test('of a private benchmark goes to no host that no agreement covers, whoever asks.', async () => {
    const run = await madeUpRun(() => textReply('yes'))
    const elsewhere = {
      ...(await run.env.client(deployment)),
      server: { host: 'x.example', address: 'x.example:443', isEncrypted: true },
    }
    const env = { ...run.env, client: async () => elsewhere }
    const asker = await askerOf({ ...run, env }, { name: 'letters', access: 'private' })
    await expect(asker.ask(request('Ms Made-Up'))).rejects.toMatchObject({
      exitCode: 5,
      problems: [{ code: 'models/data-agreement' }],
    })
    expect(run.asked).toEqual([])
    // Public text may be sent there.
    await (await askerOf({ ...run, env })).ask(request('Well?'))
    expect(run.asked).toHaveLength(1)
  })

  test.each(['public', 'private'] as const)(
    'of a %s benchmark to a deployment that answers nobody tells why, but quotes of the server only in public.',
    async (access) => {
      const run = await madeUpRun(() => {
        throw new ClientError('http/401', 'Ms Made-Up may not', { retriable: false, status: 401 })
      })
      const asker = await askerOf(run, { name: 'letters', access })
      expect((await asker.ask(request('Well?'))).outcome).toMatchObject({ cause: { code: 'http/401' } })
      const stopped = run.events.filter(({ type }) => type === 'deployment-stopped')
      expect(stopped).toMatchObject([{ deployment: 'm/a', code: 'http/401' }])
      expect(JSON.stringify(stopped).includes('Made-Up')).toBe(access === 'public')
      // A question, and whether it answers anything at all; from then on nothing.
      await asker.ask(request('And now?'))
      expect(run.asked).toHaveLength(2)
    },
  )

  test('of a private benchmark has its reply in the vault, though the same is asked in the open at the same time.', async () => {
    const run = await madeUpRun(() => textReply('yes'))
    const open = await askerOf(run)
    const closed = await askerOf(run, { name: 'letters', access: 'private' })
    await Promise.all([open, closed].map((asker) => asker.ask(request('Well?'))))
    expect(run.asked).toHaveLength(2)
    expect([...run.env.records.entries('completions')]).toHaveLength(1)
    expect([...run.vault.entries('completions')]).toHaveLength(1)
  })
})

describe('A call', () => {
  test('is kept with how long it took in seconds, when, and its attempts; what it used is told to the limits.', async () => {
    let now = 10_000_500
    const limiter = new Limiter({ concurrency: 1 })
    const spent: number[] = []
    const acquire = limiter.acquire.bind(limiter)
    vi.spyOn(limiter, 'acquire').mockImplementation(async (signal) => ({
      ...(await acquire(signal)),
      spent: (tokens) => void spent.push(tokens),
    }))
    const run = await madeUpRun(
      () => {
        now += 2000
        return textReply('yes')
      },
      {
        // The time of day is set back by hours while it is asked.
        more: { now: () => 20_001_000 - now, clock: () => now, limiter: () => limiter },
      },
    )
    const asker = await askerOf(run)
    await asker.ask(request('Well?'))
    expect(asker.peek(request('Well?')).completion?.stored).toMatchObject({
      requestTime: 2,
      requestDatetime: 10_000,
      attempts: 1,
    })
    expect(spent).toEqual([10])
  })

  test('whose reply finds no room on the disk is told as paid for.', async () => {
    const run = await madeUpRun(() => textReply('yes'))
    vi.spyOn(run.env.records, 'put').mockRejectedValue(new Error('the disk is full'))
    const asker = await askerOf(run)
    await expect(asker.ask(request('Well?'))).rejects.toThrow('full')
    expect(run.events.filter(({ type }) => type === 'provider-call')).toHaveLength(1)
  })

  test('of an embedded model took no time, is nobody’s call, and has no claim.', async () => {
    const run = await madeUpRun(() => textReply('yes'), { more: { now: () => 5000 } })
    const client = { ...(await run.env.client(deployment)), local: true }
    const asker = await askerOf({ ...run, env: { ...run.env, client: async () => client } })
    await asker.ask(request('Well?'))
    expect(asker.peek(request('Well?')).completion?.stored).toMatchObject({
      requestTime: 0,
      requestDatetime: 0,
    })
    expect(run.events.filter(({ type }) => type === 'provider-call')).toEqual([])
    expect([...run.env.records.entries('ledger')]).toEqual([])
  })

  test('is not made where its reply could not be kept, nor where a judge of it can’t be asked.', async () => {
    const run = await madeUpRun(() => textReply('yes'))
    const full = new Error('no room')
    const store = memoryStore()
    store.requireRoom = () => {
      throw full
    }
    const open = { store: store as KeptStore }
    const asker = await askerOf({ ...run, env: { ...run.env, open } })
    await expect(asker.ask(request('Well?'))).rejects.toBe(full)
    const noKey = new Error('no key')
    const client: typeof run.env.client = async (each) => {
      if (each.name === 'j/one') throw noKey
      return run.env.client(each)
    }
    const judged = createAsker(
      deployment,
      { name: 'letters:model=m_a', benchmark: OPEN, adapter: { modelDeployment: 'm/a' } },
      await envFor(OPEN, { ...run.env, client }),
      [madeUpDeployment('j/one')],
    )
    await expect(judged.ask(request('Well?'))).rejects.toBe(noKey)
    expect(run.asked).toEqual([])
  })

  test('that failed is not made again once the run is stopped.', async () => {
    const retry = { ...DEFAULT_RETRY, base: 1, longest: 1 }
    const run: MadeUpRun = await madeUpRun(
      () => {
        run.stop()
        throw new ClientError('http/503', 'busy', { retriable: true, status: 503 })
      },
      { more: { retry } },
    )
    expect((await (await askerOf(run)).ask(request('Well?'))).outcome).toMatchObject({
      cause: { code: 'http/503', attempts: 1 },
    })
    expect(run.asked).toHaveLength(1)
  })
})

describe('A jury', () => {
  const instances = madeUpInstances([['Which was stopped?', 'aspirin']])
  const [instance] = instances
  if (instance === undefined) throw new Error('there is one')

  const juryOf = async (replies: Readonly<Record<string, string>>) => {
    const run = await madeUpRun((_, name) => {
      const text = replies[name]
      if (text === undefined) throw new ClientError('http/503', 'down', { retriable: true, status: 503 })
      return textReply(text)
    })
    const target = madeUpTarget({ instances, judges: ['one', 'two'] })
    const stage = await createAnnotationStage(target, await envFor(target.spec.benchmark, run.env))
    if (stage === undefined) throw new Error('there are judges')
    return { run, stage }
  }

  test('has each judge’s scores; a reply that can’t be read is final, a call that failed is not.', async () => {
    const good = '{"accuracy": {"score": 4}}'
    const whole = await juryOf({ 'j/one': good, 'j/two': good })
    expect(await whole.stage.run(instance, 'aspirin')).toMatchObject([
      { judge: 'one', outcome: { kind: 'done' }, retriable: false, cached: false },
      { judge: 'two', outcome: { kind: 'done' }, retriable: false, cached: false },
    ])
    expect(await whole.stage.run(instance, 'aspirin')).toMatchObject([{ cached: true }, { cached: true }])
    const broken = await juryOf({ 'j/one': 'I like it.' })
    expect(await broken.stage.run(instance, 'aspirin')).toMatchObject([
      { judge: 'one', outcome: { kind: 'failed' }, retriable: false },
      { judge: 'two', outcome: { kind: 'failed', cause: { code: 'http/503' } }, retriable: true },
    ])
  })

  test('keeps what the slower judge says before it fails for the other, whose scores found no room.', async () => {
    let answer = (): void => undefined
    const slow = new Promise<void>((resolve) => (answer = resolve))
    const target = madeUpTarget({ instances, judges: ['one', 'two'] })
    const run = await madeUpRun(async (_, deployment) => {
      if (deployment === 'j/two') await slow
      return textReply('{"accuracy": {"score": 4}}')
    })
    const env = await envFor(target.spec.benchmark, run.env)
    const { store } = env
    const put: typeof store.put = (table, id, value) => {
      if (table !== 'annotations') return store.put(table, id, value)
      setImmediate(answer)
      return Promise.reject(new Error('no room'))
    }
    const stage = await createAnnotationStage(
      target,
      layered(env, (inner) => storeOver(inner, { put })),
    )
    await expect(stage?.run(instance, 'aspirin')).rejects.toThrow('no room')
    expect([...store.entries('completions')]).toHaveLength(2)
  })

  test('asks only what is missing, and of an answer that is not known yet all.', async () => {
    const { run, stage } = await juryOf({ 'j/one': '{"accuracy": {"score": 4}}' })
    const missing = (answer: string | undefined) =>
      stage.missing?.(instance, answer).map(({ length }) => length)
    expect(missing(undefined)).toEqual([1, 1])
    expect(missing('aspirin')).toEqual([1, 1])
    expect(stage.peek(instance, 'aspirin')).toEqual([
      { isKnown: false, isStored: false },
      { isKnown: false, isStored: false },
    ])
    await stage.run(instance, 'aspirin')
    expect(missing('aspirin')).toEqual([0, 1])
    expect(stage.peek(instance, 'aspirin')).toMatchObject([
      { isKnown: true, isStored: true },
      { isKnown: false, isStored: false },
    ])
    expect(run.asked.every((line) => line.includes('with aspirin true'))).toBe(true)
  })

  test('is not asked about an answer of blanks.', async () => {
    const { run, stage } = await juryOf({})
    expect(await stage.run(instance, ' \n')).toMatchObject([
      { outcome: { kind: 'absent' } },
      { outcome: { kind: 'absent' } },
    ])
    expect(stage.missing?.(instance, ' ')).toEqual([[], []])
    expect(run.asked).toEqual([])
  })
})
