import { describe, expect, test } from 'vitest'
import { instancesOf, type InstancePage } from '../../../tools/site/pages/run/instances/instance-page.ts'
import type { InstanceView, ShownText } from '../../../tools/site/pages/run/instances/instance-view.ts'
import type { OutcomeChunk } from '../../../tools/site/pages/run/outcomes.ts'
import { joinOutcomes, pageOfRow, type InstanceIndex } from '../../../tools/site/pages/run/run-index.ts'
import { shardsOf, type PageShard } from '../../../tools/site/pages/run/shards.ts'

/** Largest script, in bytes. */
const SHARD_BYTES = 256 * 1024

const instance = (
  id: string,
  text = 'short',
  more: Partial<InstanceView<string>> = {},
): InstanceView<string> => ({
  id,
  trial: 0,
  split: 'test',
  prompt: text,
  references: [{ text: 'right', correct: true }],
  completions: ['answer'],
  judges: [],
  annotations: [],
  metrics: [['exact_match', 1]],
  ...more,
})

const many = (count: number, text?: string): readonly InstanceView<string>[] =>
  Array.from({ length: count }, (_, index) => instance(`id${index}`, text))

const shards = async (instances: readonly InstanceView<string>[]): Promise<readonly PageShard[]> => {
  const made: PageShard[] = []
  for await (const shard of shardsOf(instances, 'exact_match')) made.push(shard)
  return made
}

/** What the scripts deliver, by key. */
const deliveries = (made: readonly PageShard[]): ReadonlyMap<string, unknown> =>
  new Map(
    made.map(({ key, script }) => [
      key,
      (JSON.parse(`[${script.slice('__chunk('.length, -');\n'.length)}]`) as [string, unknown])[1],
    ]),
  )

/** Delivered values whose key begins so. */
const valuesOf = (made: readonly PageShard[], kind: 'p' | 'i'): readonly unknown[] =>
  [...deliveries(made)].flatMap(([key, value]) => (key.startsWith(kind) ? [value] : []))

const pagesOf = (made: readonly PageShard[]): readonly InstancePage[] => valuesOf(made, 'p') as InstancePage[]

const chunksOf = (made: readonly PageShard[]): readonly OutcomeChunk[] =>
  valuesOf(made, 'i') as OutcomeChunk[]

const views = (made: readonly PageShard[]): readonly InstanceView[] => pagesOf(made).flatMap(instancesOf)

const indexOf = (made: readonly PageShard[]): InstanceIndex => joinOutcomes(chunksOf(made))

const whole = (text: ShownText, chunks: ReadonlyMap<string, unknown>): string =>
  typeof text === 'string' ? text : text.head + text.rest.map((key) => chunks.get(key) as string).join('')

describe('shards of a run', () => {
  test('hold every instance once, in order, fifty to a page, and an index of them', async () => {
    const made = await shards(many(145))
    expect(made.map(({ key }) => key)).toEqual(['p0', 'p1', 'p2', 's0', 't0', 'i0'])
    const ids = Array.from({ length: 145 }, (_, index) => `id${index}`)
    expect(views(made).map(({ id }) => id)).toEqual(ids)
    expect(indexOf(made).ids).toEqual(ids)
    expect(indexOf(made).starts).toEqual([0, 50, 100])
  })

  test('stay below their size with lines of a megabyte, and lose nothing of them', async () => {
    const long = 'é<script>\u0000'.repeat(100_000)
    const made = await shards([instance('id0', long), instance('id1', long), instance('id2')])
    for (const { script } of made) expect(Buffer.byteLength(script)).toBeLessThanOrEqual(SHARD_BYTES)
    const chunks = deliveries(made)
    expect(views(made).map(({ prompt }) => whole(prompt, chunks))).toEqual([long, long, 'short'])
  })

  test('keep little of many long texts of one instance with it, and lose nothing of them', async () => {
    const long = 'x'.repeat(5000)
    const references = Array.from({ length: 40 }, () => ({ text: long, correct: true }))
    const made = await shards([instance('id0', 'short', { references })])
    const page = made.find(({ key }) => key === 'p0')
    expect(page?.script.length).toBeLessThan(30_000)
    const chunks = deliveries(made)
    const [view] = views(made)
    expect(view?.references.map(({ text }) => whole(text, chunks))).toEqual(references.map(() => long))
  })

  test('begin a new page before it outgrows its size, and the index finds each row', async () => {
    const made = await shards(many(20, '文'.repeat(3900)))
    const pages = pagesOf(made)
    expect(pages.length).toBeGreaterThan(1)
    for (const { script } of made) expect(Buffer.byteLength(script)).toBeLessThanOrEqual(SHARD_BYTES)
    const index = indexOf(made)
    for (const [row, id] of index.ids.entries()) {
      const { page, place } = pageOfRow(index, row)
      expect(pages[page]?.instances[place]?.id).toBe(id)
    }
  })

  test('cut the index of 20,000 requests into files of their size', async () => {
    const made = await shards(many(20_000))
    const chunks = chunksOf(made)
    expect(chunks.length).toBeGreaterThan(2)
    expect(chunks.map(({ last }) => last).lastIndexOf(true)).toBe(chunks.length - 1)
    expect(chunks.filter(({ last }) => last).length).toBe(1)
    for (const { script } of made) expect(script.length).toBeLessThanOrEqual(SHARD_BYTES)
    expect(indexOf(made).ids.length).toBe(20_000)
  })

  test('give each instance its own metrics back, whichever others of the page have', async () => {
    const first: InstanceView['metrics'] = [
      ['exact_match', 1],
      ['num_bytes', 3],
    ]
    const second: InstanceView['metrics'] = [
      ['rouge_l', 0.5],
      ['exact_match', 0],
    ]
    const made = await shards([
      instance('a', 'x', { metrics: first }),
      instance('b', 'x', { metrics: second }),
      instance('c', 'x', { metrics: [] }),
    ])
    expect(views(made).map(({ metrics }) => new Map(metrics))).toEqual([
      new Map(first),
      new Map(second),
      new Map(),
    ])
  })

  test('index scores, failures, trials and how far judges are apart', async () => {
    const judges = (...scores: readonly string[]): InstanceView<string>['judges'] =>
      scores.map((score, at) => ({
        name: `judge ${at}`,
        scores: [{ criterion: 'accuracy', score, explanation: '' }],
      }))
    const made = await shards([
      instance('a', 'x', { judges: judges('5', '2', '4') }),
      instance('a', 'x', { trial: 1, judges: judges('5', '"five"') }),
      instance('b', 'x', { error: 'refused', completions: [], metrics: [] }),
    ])
    const { scores, failed, trials, spreads } = indexOf(made)
    expect(scores).toEqual([1, 1, null])
    expect([...failed]).toEqual([2])
    expect(trials).toEqual([0, 1, 0])
    expect(spreads).toEqual([3, null, null])
  })

  test('keep an id of a megabyte apart from another one, in 200 characters', async () => {
    const long = 'i'.repeat(1_000_000)
    const made = await shards([instance(`${long}1`), instance(`${long}2`)])
    const { ids } = indexOf(made)
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(200)
    expect(views(made).map(({ id }) => id)).toEqual(ids)
  })

  test('cut no character in two', async () => {
    const [view] = views(await shards([instance('id0', `x${'😀'.repeat(5000)}`)]))
    const prompt = view?.prompt
    expect(typeof prompt === 'object' && prompt.head.endsWith('😀')).toBe(true)
  })

  test('of no instances are an empty index', async () => {
    const made = await shards([])
    expect(made.map(({ key }) => key)).toEqual(['i0'])
    expect(indexOf(made).ids).toEqual([])
  })
})
