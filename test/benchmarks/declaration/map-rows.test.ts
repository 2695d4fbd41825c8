import { expect, test } from 'vitest'
import { mapRows, withWholeTexts } from '../../../benchmarks/declaration/data/map-rows.ts'
import type { Mapping } from '../../../benchmarks/declaration/schema.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { Table } from '../../../benchmarks/sources/table.ts'
import { problemOf } from '../../rig/problem-of.ts'

const tableOf = (...rows: readonly Readonly<Record<string, PyValue>>[]): Table => ({
  file: 'rows.csv',
  columns: Object.keys(rows[0] ?? {}),
  rows: rows.map((cells, index) => ({ cells: new Map(Object.entries(cells)), row: index + 1 })),
})

const mapping = (more: Partial<Mapping>): Mapping => ({
  from: 'rows',
  split: 'test',
  strip: [],
  unique_input: false,
  needs_answer: false,
  keep: [],
  input: '{q}',
  references: [],
  ...more,
})

test('Kept rows are numbered from 1, those that are left out not counted.', () => {
  const table = tableOf({ q: 'a', kind: 'x' }, { q: 'b', kind: 'y' }, { q: 'c', kind: 'x' })
  const keep = [{ column: 'kind', equals: 'x', ignore_case: false }]
  const drafts = mapRows(mapping({ number: 'n', keep, input: '{n}. {q}' }), table)
  expect(drafts.map(({ input }) => input.text)).toEqual(['1. a', '2. c'])
})

test('Of rows that ask the same the last one answers, at the first one’s place.', () => {
  const table = tableOf({ q: 'same', a: 'first' }, { q: 'other', a: 'x' }, { q: 'same', a: 'last' })
  const references = [{ text: '{a}', correct: true }]
  const drafts = mapRows(mapping({ unique_input: true, references }), table)
  expect(drafts.map(({ input, references }) => [input.text, references[0]?.text])).toEqual([
    ['same', 'last'],
    ['other', 'x'],
  ])
})

test('A condition minds case unless it says otherwise.', () => {
  const table = tableOf({ q: 'a', kind: 'Yes' }, { q: 'b', kind: 'yes' }, { q: 'c', kind: 'no' })
  const kept = (condition: object): readonly string[] =>
    mapRows(mapping({ keep: [{ column: 'kind', ignore_case: false, ...condition }] }), table).map(
      ({ input }) => input.text,
    )
  expect(kept({ equals: 'yes' })).toEqual(['b'])
  expect(kept({ equals: 'yes', ignore_case: true })).toEqual(['a', 'b'])
  expect(kept({ differs_from: 'yes', ignore_case: true })).toEqual(['c'])
})

test('A row without a right answer is named, not the first one.', async () => {
  const table = tableOf({ q: 'a', a: 'yes' }, { q: 'b', a: 'perhaps' })
  const references = ['yes', 'no'].map((text) => ({ text, correct: { value: '{a}', is: text } }))
  const problem = await problemOf(() => mapRows(mapping({ needs_answer: true, references }), table))
  expect(problem).toMatchObject({ code: 'benchmarks/unknown-answer', where: { row: 2, field: 'a' } })
})

test('Where a column and an argument have one name, the argument’s value counts.', () => {
  const table = tableOf({ q: 'of the row', a: 'yes' })
  const placeholders = new Map<string, PyValue>([['q', 'of the run']])
  expect(mapRows(mapping({ input: '{q} {a}' }), table, placeholders)[0]?.input.text).toBe('of the run yes')
})

test('A row whose cell names no source stands for itself.', () => {
  const table = tableOf({ q: 'a', p: 'ann' }, { q: 'b', p: '' }, { q: 'c', p: NaN })
  expect(mapRows(mapping({ cluster: '{p}' }), table).map(({ cluster }) => cluster)).toEqual([
    'ann',
    undefined,
    undefined,
  ])
})

test('Half of an emoji is no text, wherever it stands.', async () => {
  const table = tableOf({ q: 'a\ud83d' })
  expect(await problemOf(() => mapRows(mapping({}), table))).toMatchObject({
    code: 'benchmarks/not-text',
    where: { row: 1 },
  })
})

test('A row that ends before a cell that a condition looks at is a problem, as HELM’s run would end there.', async () => {
  const table = tableOf({ q: 'a', kind: ' x ' }, { q: 'b', kind: null })
  const keep = [{ column: 'kind', equals: 'x', ignore_case: false }]
  const rows = () => mapRows(mapping({ strip: ['kind'], keep }), table)
  expect(await problemOf(rows)).toMatchObject({
    code: 'benchmarks/short-row',
    where: { row: 2, field: 'kind' },
  })
})

test('An id is one of each kind: as a number it comes once, as a text as well.', async () => {
  const ids = (...given: readonly PyValue[]) =>
    mapRows(mapping({ id: '{n}' }), tableOf(...given.map((n) => ({ q: 'a', n })))).map(({ id }) => id)
  expect(ids(1, 2, '1')).toEqual([1, 2, '1'])
  for (const twice of [1, '1'])
    expect(await problemOf(() => ids(twice, 2, twice))).toMatchObject({
      code: 'benchmarks/duplicate-id',
      where: { row: 3, field: 'n' },
    })
})

test('Half of an emoji is refused wherever an instance holds a text, and a whole one nowhere', async () => {
  const half = '\ud83d'
  const draft = (text: string, more: object = {}) =>
    ({ id: 'id1', input: { text }, references: [{ text: 'a', tags: [] }], split: 'test', ...more }) as never
  const code = async (made: never): Promise<unknown> => {
    const problem = await problemOf(() => withWholeTexts(made, { file: 'rows.json', row: 1 }))
    return problem?.code
  }
  const whole = draft('🙂', { references: [{ text: '🙂', tags: [] }], cluster: '🙂' })
  expect(withWholeTexts(whole, { file: 'rows.json' })).toBe(whole)
  for (const made of [
    draft(half),
    draft('a', { id: half }),
    draft('a', { subSplit: half }),
    draft('a', { cluster: half }),
    draft('a', {
      references: [
        { text: 'a', tags: [] },
        { text: half, tags: [] },
      ],
    }),
    draft('a', {
      input: {
        text: 'a',
        messages: [
          new Map([
            ['role', 'user'],
            ['content', half],
          ]),
        ],
      },
    }),
  ])
    expect(await code(made)).toBe('benchmarks/not-text')
})
