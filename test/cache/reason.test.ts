import { expect, it } from 'vitest'
import { reasonOf } from '../../cache/problems/problem.ts'

it.each<[thrown: unknown, told: string]>([
  [new Error('plain'), 'plain'],
  ['text', 'text'],
  [null, 'null'],
  [Symbol('s'), 'Symbol(s)'],
  [Object.assign(new Error('x'), { message: 5 }), '5'],
  [Object.create(null), 'what can’t be told in words'],
  [new Error('a\ud800b'), 'a\ufffdb'],
  [new Error('x'.repeat(5000)), 'x'.repeat(2000)],
  [new Error(`${'x'.repeat(1999)}😀`), `${'x'.repeat(1999)}\ufffd`],
])('What was thrown is told in words that can be kept.', (thrown, told) => {
  expect(reasonOf(thrown)).toBe(told)
})

it('A secret is told in no part, not even where the text is cut.', () => {
  const hide = (text: string): string => text.replaceAll('a-key', '[key]')
  expect(reasonOf(new Error('with a-key, a-key'), hide)).toBe('with [key], [key]')
  expect(reasonOf(new Error(`${'x'.repeat(1998)}a-key`), hide)).toBe(`${'x'.repeat(1998)}[k`)
})
