import { expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import { Limiter } from '../../../models/limits/limiter.ts'
import { ClientError } from '../../../models/calls/client.ts'
import type { SharedEnv } from '../../../targets/env/env.ts'
import type { Target } from '../../../targets/record/target.ts'
import { generateTargets } from '../../../targets/scheduler/generate-targets.ts'
import { planWithCost } from '../../../targets/estimate/cached-cost.ts'
import { askedText, madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../rig/made-up-run.ts'
import { buildTargets } from '../../rig/build-targets.ts'

const instances = madeUpInstances([
  ['one', 'a'],
  ['two', 'b'],
])

const generated = async (target: Target, env: SharedEnv) => {
  const results: { readonly digest: string; readonly requests: number }[] = []
  await generateTargets([target], env, {
    onResult: async ({ digest, requests }) => void results.push({ digest, requests }),
    onProblem: (_, error) => {
      throw error
    },
  })
  return results[0]
}

test('Completions are made without the judges, once, whoever judges them and whatever measures them', async () => {
  const run = await madeUpRun((request, deployment) =>
    textReply(deployment.startsWith('j/') ? '{"accuracy": {"score": 4}}' : askedText(request)),
  )
  const judged = madeUpTarget({ instances, judges: ['one'] })
  const first = await generated(judged, run.env)
  expect(first?.requests).toBe(2)
  expect(run.asked.map((asked) => asked.slice(0, 3))).toEqual(['m/a', 'm/a'])
  // The record of it answers: other judges, and none, change nothing that a model is asked.
  expect(await generated(judged, run.env)).toEqual(first)
  expect(await generated(madeUpTarget({ instances, judges: ['two'] }), run.env)).toEqual(first)
  expect(await generated(madeUpTarget({ instances }), run.env)).toEqual(first)
  expect(run.events.filter(({ type }) => type === 'target-finished')).toMatchObject([
    { target: judged.spec.name, outcome: 'built' },
    { target: judged.spec.name, outcome: 'fresh' },
    { outcome: 'fresh' },
    { outcome: 'fresh' },
  ])
  // What any run is asked before it begins: agreements, and how many targets there are.
  expect(run.events[0]).toEqual({ type: 'plan', targets: 1 })
  expect(run.asked).toHaveLength(2)
  await generated(madeUpTarget({ instances, adapter: { temperature: 0.25 } }), run.env)
  expect(run.asked).toHaveLength(4)
})

test('Nobody is asked before the data of every target was read, which fails those of it alone', async () => {
  const run = await madeUpRun(() => textReply('x'))
  const failed: unknown[] = []
  const torn = async function* () {
    yield* instances
    throw new Error('no such row')
  }
  const benchmark = { name: 'torn', instances: torn }
  const broken = madeUpTarget({ instances: madeUpInstances([['three', 'c']]), benchmark })
  const sound = [0.5, 0.25].map((temperature) => madeUpTarget({ instances, adapter: { temperature } }))
  await generateTargets([...sound, broken], run.env, {
    onResult: async () => {},
    onProblem: ({ spec }) => void failed.push([spec.benchmark.name, run.asked.length]),
  })
  expect(failed).toEqual([['torn', 0]])
  expect(run.asked).toHaveLength(4)
})

test('Answers that are run as queries are told from the same ones on another database', async () => {
  const run = await madeUpRun(() => textReply('select 1'))
  const digests: (string | undefined)[] = []
  for (const rows of ['a', 'b', 'a']) {
    const queries = { annotator: 'sql', locate: async () => ({ path: 'x', digest: digestOf<'file'>(rows) }) }
    const target = madeUpTarget({ instances, benchmark: { queries } })
    digests.push((await generated(target, run.env))?.digest)
  }
  const plain = await generated(madeUpTarget({ instances }), run.env)
  expect(new Set([...digests, plain?.digest]).size).toBe(3)
  expect(digests[2]).toBe(digests[0])
  expect(run.asked).toHaveLength(2)
})

test('Completions of which one failed are not taken for all there are the next time', async () => {
  let fails = true
  const run = await madeUpRun((request) => {
    if (fails && askedText(request).includes('two'))
      throw new ClientError('http/400', 'no', { retriable: false, status: 400 })
    return textReply('x')
  })
  await generated(madeUpTarget({ instances }), run.env)
  expect(run.events.filter(({ type }) => type === 'instance-failed')).toMatchObject([
    { target: 'letters:model=m_a', code: 'http/400' },
  ])
  fails = false
  await generated(madeUpTarget({ instances }), run.env)
  expect(run.asked.map((asked) => asked.includes('two'))).toEqual([false, true, true])
})

test('Completions that are stopped on the way are no result, and are gone on with the next time', async () => {
  const limiter = new Limiter({ concurrency: 1 })
  const stop = new AbortController()
  const first = await madeUpRun(
    () => {
      stop.abort()
      return textReply('x')
    },
    { more: { limiter: () => limiter, stop: stop.signal } },
  )
  expect(await generated(madeUpTarget({ instances }), first.env)).toBeUndefined()
  expect(first.asked).toHaveLength(1)
  const next = await madeUpRun(() => textReply('x'), { records: first.env.records, vault: first.vault })
  expect(await generated(madeUpTarget({ instances }), next.env)).toMatchObject({ requests: 2 })
  expect(next.asked).toHaveLength(1)
})

test('A plan with its cost names what the stored replies cost once, the judges’ too, and what all would cost now', async () => {
  const [million, price] = [1_000_000, { input: 7, output: 3, date: '2026-01-01' }]
  const reply = (text: string) => ({
    choices: [{ text, finishReason: 'stop' as const }],
    usage: { inputTokens: million, outputTokens: 2 * million },
  })
  const run = await madeUpRun(
    (_, deployment) => reply(deployment.startsWith('j/') ? '{"accuracy": {"score": 4}}' : 'a'),
    {
      more: {
        now: () => Date.parse('2026-03-04T12:00:00Z'),
        spending: {
          run: 'made-up',
          priceOf: (name) => ({ ...price, deployment: name, source: 'contract', file: 'x' }),
          reserve: async () => ({ bound: null, ceiling: null, settle: () => undefined }),
          mayBegin: async () => true,
        },
      },
    },
  )
  const target = madeUpTarget({ instances, judges: ['one'] })
  const before = await planWithCost(target, run.env)
  expect(before).toMatchObject({ plan: { fresh: false }, cost: { calls: 0, usd: 0, unrecorded: 0 } })
  expect(before.cost).not.toHaveProperty('again')
  await buildTargets([target], run.env)
  // Of another question: its reply is none of this run's.
  await buildTargets([madeUpTarget({ instances: madeUpInstances([['three', 'c']]) })], run.env)
  const calls = run.asked.length - 1
  const { plan, cost } = await planWithCost(target, run.env)
  expect(plan.fresh).toBe(true)
  const usd = calls * (price.input + 2 * price.output)
  const day = '2026-03-04'
  expect(cost).toEqual({ calls, usd, from: day, to: day, unrecorded: 0, again: usd })
})
