import { expect, test } from 'vitest'
import { attributesFor, attributesOf, withAttributes } from '../../../benchmarks/declaration/attributes.ts'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { DraftInstance } from '../../../benchmarks/scenario/instance.ts'
import { problemOf } from '../../rig/problem-of.ts'

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

const of = (use: { readonly bands?: readonly number[]; readonly pattern?: string }, cell: PyValue) => {
  const row = { cells: new Map([['cell', cell]]), row: 1 }
  const table = { file: 'rows.csv', columns: ['cell'], rows: [row] }
  return attributesOf([{ name: 'group', column: 'cell', ...use }], row, table).attributes?.['group']
}

test('Bands are of numbers from an edge on to below the next; what is empty is in none, and what is no number a problem.', async () => {
  const bands = [18, 65]
  const at = (cell: PyValue) => of({ bands }, cell)
  const [under, between, over] = [at(17.9), at(18), at(65)]
  expect(new Set([under, between, over]).size).toBe(3)
  expect([at('64.9'), at(90), at(float(2)), at(''), at(NaN), at(null)]).toEqual([
    between,
    over,
    under,
    undefined,
    undefined,
    undefined,
  ])
  expect(await problemOf(() => at('old'))).toMatchObject({
    code: 'benchmarks/attribute-number',
    where: { row: 1 },
  })
})

test('A pattern takes its first group, else all that it matches, else nothing.', () => {
  const cell = "{'sex': 'f', 'age': 7}"
  expect(of({ pattern: "'sex': '(\\w+)'" }, cell)).toBe('f')
  expect(of({ pattern: "'age': \\d" }, cell)).toBe("'age': 7")
  expect(of({ pattern: 'height' }, cell)).toBeUndefined()
})

test('Examples for prompts need no attribute.', () => {
  const attributes = [{ name: 'sex', column: 'sex' }]
  expect(attributesFor({ split: 'train' }, attributes)).toEqual([])
  expect(attributesFor({ split: 'test' }, attributes)).toEqual(attributes)
})

test('An attribute that is blank or missing in one instance is none of its groups', async () => {
  const given = (subject: PyValue) => ({ ...DRAFT, attributes: { subject } }) as DraftInstance
  expect(await read([given('icu'), given(''), given(null)])).toEqual([
    { ...DRAFT, attributes: { task: 'icu' } },
    DRAFT,
    DRAFT,
  ])
})
