import { expect, it } from 'vitest'
import { RecentTexts } from '../../cache/values/encoded.ts'

const MILLION = 'x'.repeat(1_000_000)

it('A text is given back under its own table and id, the one stored last', () => {
  const recent = new RecentTexts()
  recent.add('prompts', 'a', 'first')
  recent.add('prompts', 'a', 'second')
  expect(recent.get('prompts', 'a')).toBe('second')
  expect(recent.get('completions', 'a')).toBeUndefined()
  expect(recent.get('prompts', 'b')).toBeUndefined()
  // Of a table that is never remembered it takes no place.
  recent.add('ledger', 'a', 'paid')
  expect(recent.get('prompts', 'a')).toBe('second')
})

it('What is stored anew counts, though the older text still has its place', () => {
  const recent = new RecentTexts()
  recent.add('prompts', 'a', 'older')
  for (const id of ['b', 'c', 'd', 'e']) recent.add('prompts', id, MILLION)
  expect(recent.get('prompts', 'a')).toBe('older')
  recent.add('prompts', 'a', 'newer')
  expect(recent.get('prompts', 'a')).toBe('newer')
})

it('What is not read again soon, and what was removed, is not kept', () => {
  const recent = new RecentTexts()
  recent.add('ledger', 'a', 'paid')
  recent.add('metrics', 'b', 'one')
  recent.remove('b')
  recent.remove('never there')
  expect(recent.get('ledger', 'a')).toBeUndefined()
  expect(recent.get('metrics', 'b')).toBeUndefined()
})

it('The oldest texts make room for new ones, half of the room at once', () => {
  const recent = new RecentTexts()
  const kept = (...ids: string[]): string[] => ids.filter((id) => recent.get('completions', id) === MILLION)
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) recent.add('completions', id, MILLION)
  expect(kept('a', 'b', 'c', 'd', 'e', 'f', 'g')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  recent.add('completions', 'h', MILLION)
  expect(kept('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')).toEqual(['e', 'f', 'g', 'h'])
  recent.remove('e')
  recent.add('completions', 'i', MILLION)
  recent.remove('i')
  expect(kept('e', 'f', 'i')).toEqual(['f'])
})

it('Many short texts fill the room as well: each takes a place of its own', () => {
  const recent = new RecentTexts()
  for (let id = 0; id < 100_000; id += 1) recent.add('metrics', String(id), '1')
  const kept = Array.from({ length: 100_000 }, (_, id) => recent.get('metrics', String(id))).filter(Boolean)
  expect(kept.length).toBeLessThan(60_000)
  expect(recent.get('metrics', '99999')).toBe('1')
})
