import { expect, test } from 'vitest'
import { checkArguments, fillText } from '../../../benchmarks/declaration/arguments.ts'
import type { Argument } from '../../../benchmarks/declaration/schema.ts'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { problemOf } from '../../rig/problem-of.ts'

const argument = (type: Argument['type'], more: Partial<Argument> = {}): Argument => ({
  type,
  kind: 'value',
  ...more,
})

const checked = (
  given: Readonly<Record<string, PyValue>>,
  declared: Readonly<Record<string, Argument>>,
): ReturnType<typeof checkArguments> =>
  checkArguments(new Map(Object.entries(given)), declared, { benchmark: 'mine' })

test('A text stays text although an entry reads it as a number; None and truth values stay what they are.', () => {
  const declared = { id: argument('text', { default: null }) }
  const text = (value: PyValue) => checked({ id: value }, declared).values.get('id')
  expect([text(7), text(float(7)), text('007'), text(true)]).toEqual(['7', '7.0', '007', true])
  expect(checked({}, declared).values.get('id')).toBeNull()
})

test('What an entry gives counts before the default, and a path is no part of the key.', () => {
  const declared = {
    limit: argument('number', { default: 5 }),
    place: argument('text', { kind: 'path', default: 'here' }),
  }
  expect(checked({}, declared)).toMatchObject({ key: { limit: 5 } })
  const { values, key } = checked({ limit: 2, place: 'there' }, declared)
  expect([[...values], key]).toEqual([
    [
      ['limit', 2],
      ['place', 'there'],
    ],
    { limit: 2 },
  ])
})

test('None is taken where it is the default, and is never silently another default.', () => {
  for (const type of ['text', 'number', 'integer', 'flag'] as const) {
    expect(checked({ it: null }, { it: argument(type, { default: null }) }).key).toEqual({ it: null })
    for (const more of [{ default: 5 }, {}])
      expect(() => checked({ it: null }, { it: argument(type, more) })).toThrow('benchmarks/bad-argument')
  }
  const chosen = { choices: ['a'], default: null }
  expect(checked({ it: null }, { it: argument('text', chosen) }).key).toEqual({ it: null })
})

test('What a choice implies can be filled in beside it.', () => {
  const declared = { part: argument('text', { choices: { a: { label: 'the first' }, b: {} } }) }
  const { placeholders } = checked({ part: 'a' }, declared)
  expect(fillText('{part}: {label}, {other}', placeholders)).toBe('a: the first, {other}')
})

test('What a choice implies under the name of an argument is filled in in its place.', () => {
  const declared = { part: argument('text', { choices: { a: { part: 'the first' } } }) }
  const { placeholders, key } = checked({ part: 'a' }, declared)
  expect([fillText('{part}', placeholders), key]).toEqual(['the first', { part: 'a' }])
})

test('An argument that a benchmark does not have is told with the one that is meant, or that there are none.', async () => {
  const remedy = async (declared: Readonly<Record<string, Argument>>) =>
    (await problemOf(() => checked({ limt: 1 }, declared)))?.remedy
  expect(await remedy({})).toBe('It takes no arguments: leave it out.')
  expect(await remedy({ limit: argument('number'), place: argument('text') })).toBe(
    'Did you mean "limit"? It takes limit, place.',
  )
})
