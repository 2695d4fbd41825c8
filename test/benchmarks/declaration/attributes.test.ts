import { expect, test } from 'vitest'
import { withAttributes } from '../../../benchmarks/declaration/attributes.ts'
import type { DraftInstance } from '../../../benchmarks/scenario/instance.ts'

const read = async (drafts: readonly DraftInstance[]): Promise<readonly DraftInstance[]> => {
  const place = { file: 'benchmark.yaml', placeholders: new Map<string, string>() }
  const found: DraftInstance[] = []
  for await (const draft of withAttributes(drafts, [{ name: 'task', column: 'subject' }], place))
    found.push(draft)
  return found
}

const DRAFT: DraftInstance = { input: { text: 'How?' }, references: [], split: 'test' }

test('An attribute that no instance gives is a problem; that there are no instances is another’s to tell.', async () => {
  const given = { ...DRAFT, attributes: { subject: 'icu' } }
  expect(await read([DRAFT, given])).toEqual([DRAFT, { ...DRAFT, attributes: { task: 'icu' } }])
  await expect(read([DRAFT, DRAFT])).rejects.toMatchObject({
    problems: [{ code: 'benchmarks/missing-attribute' }],
  })
  expect(await read([])).toEqual([])
})
