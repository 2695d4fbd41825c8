import { expect, test } from 'vitest'
import { createRegistry } from '../../../models/registry/registry.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { releaseAbout } from '../../../tools/release/release-about.ts'
import type { RunCard } from '../../../tools/release/run-card.ts'
import { madeUpCard } from './made-up-card.ts'

const about = async (...cards: readonly RunCard[]) => {
  const { benchmarks } = await releaseAbout(makeBoard('s', []), cards, createRegistry([], []))
  return benchmarks
}
const keyed = (key: RunCard['target']['key']) => madeUpCard({ target: { digest: 't', key } })

test('A workspace’s own metrics and annotators count by the digests of their code, those of all runs once.', async () => {
  const own = keyed({
    metrics: [{ id: 'm', code: 'c' }, { id: 'built-in' }],
    annotations: { own: [{ code: 'a' }] },
  })
  const other = keyed({ metrics: [{ code: 'b' }, { code: 'c' }], annotations: null })
  expect((await about(own, other)).map(({ code }) => code)).toEqual([['a', 'b', 'c']])
  for (const odd of [
    {},
    { annotations: [] },
    { metrics: [null, ['code'], { code: 1 }], annotations: { own: 'a' } },
  ])
    expect((await about(keyed(odd))).map(({ code }) => code)).toEqual([[]])
})

test('Errata are told with how many of the runs are without them, by choice or by their protocol.', async () => {
  const { benchmark } = madeUpCard()
  const errata = ['a', 'b'].map((id) => ({ id, about: `About ${id}.` }))
  const card = (more: Partial<RunCard['benchmark']>): RunCard =>
    madeUpCard({ benchmark: { ...benchmark, declared: { errata }, ...more } })
  const told = await about(
    card({ errata: { corrected: ['a'], uncorrected: ['b'] } }),
    card({ identity: { data: 'd1', errata: ['a', 'b'] } }),
    card({}),
  )
  expect(told.flatMap(({ errata: each }) => each)).toEqual([
    { id: 'a', about: 'About a.', corrected: 2, runs: 3 },
    { id: 'b', about: 'About b.', corrected: 1, runs: 3 },
  ])
})

test('Arguments of a benchmark that is not public are not told.', async () => {
  const { benchmark } = madeUpCard()
  const told = async (access: 'public' | 'private') =>
    (
      await about(
        madeUpCard({
          benchmark: { ...benchmark, access, identity: { data: 'd', arguments: { ward: 'x' } } },
        }),
      )
    ).flatMap(({ data }) => data.flatMap(({ parts }) => parts.map(([label]) => label)))
  expect([await told('public'), await told('private')]).toEqual([['data', 'arguments: ward'], ['data']])
})

test('A jury is told by its criteria, scale, judges and rubric, and none where there is none.', async () => {
  const named = { name: 'j', deployment: 'host/j', modelString: 'j-1' }
  const jury = {
    annotator: 'a',
    rubric: 'r',
    template: 'Judge {RESPONSE}.',
    criteria: [['tone', ['score']]] as [string, string[]][],
    scale: { least: 1, most: 5 },
    judges: [{ ...named, model: 'made-by/j', protocol: 'chat' as const, tokenizer: null }],
  }
  const told = (await about(madeUpCard({ jury }))).map((each) => each.jury)
  expect(told).toEqual([
    { criteria: ['tone'], scale: jury.scale, judges: [named], rubric: jury.template, digest: 'r' },
  ])
  expect((await about(madeUpCard())).map((each) => 'jury' in each)).toEqual([false])
})
