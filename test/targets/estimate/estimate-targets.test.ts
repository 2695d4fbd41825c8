import { expect, test } from 'vitest'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { putBatch } from '../../../targets/batch/collect-batch.ts'
import { estimateTargets } from '../../../targets/estimate/estimate-targets.ts'
import type { Target } from '../../../targets/record/target.ts'
import { putEntry, type LedgerEntry } from '../../../targets/spend/ledger.ts'
import { callPlace, type PlannedCall } from '../../../targets/spend/spending.ts'
import { buildTargets } from '../../rig/build-targets.ts'
import {
  madeUpInstances,
  madeUpRun,
  madeUpTarget,
  textReply,
  type MadeUpTarget,
} from '../../rig/made-up-run.ts'
import { madeUpEntry } from '../spend/made-up-entry.ts'

const asking = (rows: number, more: Partial<MadeUpTarget> = {}): Target =>
  madeUpTarget({
    instances: madeUpInstances(Array.from({ length: rows }, (_, at) => [`${rows}, ${at}`, 'a'] as const)),
    ...more,
  })

const source = async () => {
  const { env } = await madeUpRun(() => textReply('a'))
  return { env, prices: new Map(), store: env.open.store }
}

test('An estimate counts what is fresh, and the calls of a run once, in however many suites it stands', async () => {
  const own = await source()
  await buildTargets([asking(2)], own.env)
  const other = asking(3, { model: 'm/b' })
  const calls: PlannedCall[] = []
  const found = await estimateTargets([asking(2), other, other], own, (call) => void calls.push(call))
  expect(found).toMatchObject({ targets: 3, fresh: 1, calls: 3, sent: 0, unread: [] })
  expect(calls).toHaveLength(3)
})

test('Runs of one name that two suites ask for with different settings are both counted', async () => {
  const own = await source()
  const first = asking(2, { judges: ['one'] })
  const { spec } = first
  const twin = { ...first, spec: { ...spec, adapter: { ...spec.adapter, maxTokens: 500 } } }
  const { lines } = await estimateTargets([first, first, twin, twin], own)
  expect(lines.map(({ judge, calls }) => [judge, calls])).toEqual([
    [null, 4],
    ['one', 4],
  ])
  // Two answers of at most five tokens, and two of at most 500.
  expect(lines[0]?.outputTokens.ceiling).toBe(1010)
})

test('What cannot be read ends an estimate, or is told beside the others; a fault of our own always ends it', async () => {
  const own = await source()
  const broken = (error: Error): Target => ({
    ...asking(1),
    spec: {
      ...asking(1).spec,
      name: 'broken:model=m_a',
      benchmark: {
        ...asking(1).spec.benchmark,
        identity: async () => {
          throw error
        },
      },
    },
  })
  const missing = new ProblemError({ code: 'data/missing', message: 'no file', remedy: 'Fetch it.' })
  const ask = (error: Error, skipsUnread: boolean) =>
    estimateTargets([broken(error), asking(2)], own, undefined, { skipsUnread })
  await expect(ask(missing, false)).rejects.toBe(missing)
  await expect(ask(new TypeError('ours'), true)).rejects.toThrow('ours')
  expect(await ask(missing, true)).toMatchObject({
    calls: 2,
    targets: 2,
    unread: [{ run: 'broken:model=m_a', code: 'data/missing', reason: 'no file' }],
  })
})

test.each(['public', 'private'] as const)(
  'Calls of a %s benchmark that a batch of its own store has are counted apart',
  async (access) => {
    const own = await source()
    const target = asking(3, { access })
    const calls: PlannedCall[] = []
    await estimateTargets([target], own, (call) => void calls.push(call))
    const [place, digest] = (calls[1] && callPlace(calls[1]))?.split(' ') ?? []
    expect(place).toBe(access === 'public' ? 'open' : 'vault')
    const line = { digest: digest as never, key: {}, ledger: { ...madeUpEntry(), ceiling: null } }
    const batch = { marker: 'm', deployment: 'm/a', id: 'b', sent: '2026-03-04T00:00:00Z', lines: [line] }
    const { store: vault } = await own.env.restricted()
    const [its, other] = access === 'public' ? [own.store, vault] : [vault, own.store]
    await putBatch(batch, other)
    expect(await estimateTargets([target], own)).toMatchObject({ calls: 3, sent: 0 })
    await putBatch(batch, its)
    expect(await estimateTargets([target], own)).toMatchObject({ calls: 2, sent: 1 })
  },
)

test('What replies took before is what the next are estimated by, but for those of checks and of unknown length', async () => {
  const basisBy = async (entry: Partial<LedgerEntry>): Promise<unknown> => {
    const own = await source()
    for (let at = 0; at < 20; at += 1)
      await putEntry(
        digestOf<'completion'>(String(at)),
        madeUpEntry({ deployment: 'm/a', model: 'm/a', benchmark: 'letters', outputBound: 5, ...entry }),
        own.store,
      )
    const { lines } = await estimateTargets([asking(4)], own)
    return [lines[0]?.outputTokens.basis, lines[0]?.outputTokens.ceiling]
  }
  const usage = (outputTokens: number) => ({ usage: { inputTokens: 10, outputTokens } })
  // Four calls of at most five tokens.
  expect(await basisBy(usage(3))).toEqual(['benchmark', 20])
  expect(await basisBy({ ...usage(3), stage: 'check' })).toEqual(['stated', 20])
  expect(await basisBy({ usage: null })).toEqual(['stated', 20])
  expect(await basisBy({ ...usage(3), judge: 'one' })).toEqual(['stated', 20])
  expect(await basisBy({ ...usage(3), benchmark: 'wards' })).toEqual(['deployment', 20])
  // Replies that took more than they were allowed, in tokens or in money, may again.
  expect(await basisBy(usage(5))).toEqual(['benchmark', 20])
  expect(await basisBy(usage(6))).toEqual(['benchmark', 24])
  expect(await basisBy({ ...usage(6), outputBound: 6, usd: 4, ceiling: 4 })).toEqual(['benchmark', 20])
  expect(await basisBy({ ...usage(6), outputBound: 6, usd: 5, ceiling: 4 })).toEqual(['benchmark', 24])
})
