import { describe, expect, test } from 'vitest'
import type { InstanceView, ShownText } from '../../../tools/site/pages/run/instance-view.ts'
import { SHARD_BYTES, shardsOf, type Shard } from '../../../tools/site/pages/run/shards.ts'

const instance = (id: string, text = 'short'): InstanceView<string> => ({
  id,
  trial: 0,
  split: 'test',
  prompt: text,
  references: [{ text: 'right', correct: true }],
  completions: ['answer'],
  judges: [],
  annotations: [],
  metrics: [['exact_match', 1]],
})

const shards = async (instances: readonly InstanceView<string>[]): Promise<readonly Shard[]> => {
  const made: Shard[] = []
  for await (const shard of shardsOf(instances)) made.push(shard)
  return made
}

/** What the scripts deliver, by key. */
const deliveries = (made: readonly Shard[]): ReadonlyMap<string, unknown> =>
  new Map(
    made.map(({ key, script }) => [
      key,
      (JSON.parse(`[${script.slice('__chunk('.length, -');\n'.length)}]`) as [string, unknown])[1],
    ]),
  )

const whole = (text: ShownText, chunks: ReadonlyMap<string, unknown>): string =>
  typeof text === 'string' ? text : text.head + text.rest.map((key) => chunks.get(key) as string).join('')

describe('shards of a run', () => {
  test('hold every instance once, in order, twenty to a page', async () => {
    const made = await shards(Array.from({ length: 45 }, (_, index) => instance(`id${index}`)))
    expect(made.map(({ key }) => key)).toEqual(['p0', 'p1', 'p2'])
    const ids = [...deliveries(made).values()].flatMap((page) =>
      (page as readonly InstanceView[]).map(({ id }) => id),
    )
    expect(ids).toEqual(Array.from({ length: 45 }, (_, index) => `id${index}`))
  })

  test('stay below their size with lines of a megabyte, and lose nothing of them', async () => {
    const long = 'é<script>\u0000'.repeat(100_000)
    const made = await shards([instance('id0', long), instance('id1', long), instance('id2')])
    for (const { script } of made) expect(Buffer.byteLength(script)).toBeLessThanOrEqual(SHARD_BYTES)
    const chunks = deliveries(made)
    const page = chunks.get('p0') as readonly InstanceView[]
    expect(page.map(({ prompt }) => whole(prompt, chunks))).toEqual([long, long, 'short'])
  })

  test('begin a new page before it outgrows its size', async () => {
    const made = await shards(
      Array.from({ length: 20 }, (_, index) => instance(`id${index}`, '文'.repeat(3900))),
    )
    expect(made.length).toBeGreaterThan(1)
    for (const { script } of made) expect(Buffer.byteLength(script)).toBeLessThanOrEqual(SHARD_BYTES)
  })

  test('cut no character in two', async () => {
    const made = await shards([instance('id0', `x${'😀'.repeat(5000)}`)])
    const [page] = deliveries(made).get('p0') as readonly InstanceView[]
    const prompt = page?.prompt
    expect(typeof prompt === 'object' && prompt.head.endsWith('😀')).toBe(true)
  })

  test('of no instances are none', async () => {
    expect(await shards([])).toEqual([])
  })
})
