import { describe, expect, it } from 'vitest'
import { Float } from '../../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../../benchmarks/python/value.ts'
import {
  int,
  list,
  number,
  optional,
  real,
  record,
  text,
  texts,
  usually,
  wrapped,
} from '../../../../tools/helm/forms/form.ts'
import { problemOf } from '../../../rig/problem-of.ts'

interface Row {
  readonly shownName: string
  readonly size?: number
  readonly stopSequences?: readonly string[]
  readonly added?: number
}

const form = record<Row>(
  { shownName: text, size: optional(int), stopSequences: usually(list(text), []), added: int },
  { added: 7 },
)
const read = (value: Readonly<Record<string, PyValue>>) =>
  form.read(new Map(Object.entries(value)), 'rows[2]')

describe('a record of HELM’s', () => {
  it('has names in snake case, in the table’s order, without what is None and with what is always written', () => {
    expect([...(form.write({ added: 1, shownName: 'a' }) as ReadonlyMap<string, PyValue>)]).toEqual([
      ['shown_name', 'a'],
      ['stop_sequences', []],
      ['added', 1],
    ])
    expect(() => form.write({ shownName: 'a' })).toThrow('added is missing')
  })

  it('is read without what HELM fills in, with defaults for what an older one lacks, and no key of a newer one', () => {
    expect(read({ shown_name: 'a', stop_sequences: [], newer: 1, size: null })).toEqual({
      shownName: 'a',
      added: 7,
    })
    expect(read({ shown_name: 'a', size: 3, stop_sequences: ['x'], added: 2 })).toEqual({
      shownName: 'a',
      size: 3,
      stopSequences: ['x'],
      added: 2,
    })
  })

  it.each([
    [{}, 'rows[2].shown_name is not there.', 'rows[2].shown_name'],
    [{ shown_name: null }, 'rows[2].shown_name is not there.', 'rows[2].shown_name'],
    [{ shown_name: 'a', added: null }, 'rows[2].added is not there.', 'rows[2].added'],
    [{ shown_name: 'a', size: 1.5 }, 'rows[2].size is not a whole number.', 'rows[2].size'],
    [
      { shown_name: 'a', stop_sequences: ['x', 1] },
      'rows[2].stop_sequences[1] is not a text.',
      'rows[2].stop_sequences[1]',
    ],
  ])('that HELM could not have written is refused at its place: %j', async (value, message, field) => {
    expect(await problemOf(() => read(value))).toMatchObject({
      code: 'tools/not-helm-form',
      message,
      where: { field },
    })
  })
})

it('Numbers keep Python’s type where it counts, and texts their places', async () => {
  expect(number.read(new Float(2), '')).toEqual(new Float(2))
  expect([real.read(new Float(2), ''), real.read(2, '')]).toEqual([2, 2])
  expect(real.write(2)).toEqual(new Float(2))
  expect(wrapped('reason', text).read(new Map([['reason', 'stop']]), 'at')).toBe('stop')
  expect((await problemOf(() => wrapped('reason', text).read(new Map(), 'at')))?.message).toBe(
    'at.reason is not a text.',
  )
  expect((await problemOf(() => texts.read(new Map([['A', 1]]), 'map')))?.message).toBe(
    'map.A is not a text.',
  )
  expect((await problemOf(() => int.read('x', '')))?.message).toBe('The file is not a whole number.')
})
