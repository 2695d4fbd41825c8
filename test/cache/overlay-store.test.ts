import { expect, test } from 'vitest'
import { memoryStore, overlayStore } from '../../cache/memory-store.ts'

test('What is written over a store is read before what lies in it, which stays as it was.', async () => {
  const base = memoryStore()
  await base.put('prompts', 'a', 'old')
  await base.put('prompts', 'b', 'kept')
  const over = overlayStore(base)
  await over.put('prompts', 'a', 'new')
  await over.put('prompts', 'c', 'own')
  expect(['a', 'b', 'c', 'd'].map((id) => over.get('prompts', id))).toEqual(['new', 'kept', 'own', undefined])
  expect(['a', 'b', 'c', 'd'].map((id) => over.has('prompts', id))).toEqual([true, true, true, false])
  expect(over.has('records', 'c')).toBe(false)
  expect(new Set([...over.entries('prompts')].map(({ id }) => id))).toEqual(new Set(['a', 'b', 'c']))
  expect([...over.entries('records')]).toEqual([])
  await over.remove('prompts', 'c')
  expect(over.has('prompts', 'c')).toBe(false)
  expect(['a', 'b', 'c'].map((id) => base.get('prompts', id))).toEqual(['old', 'kept', undefined])
})
