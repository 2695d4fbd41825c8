import { expect, test } from 'vitest'
import type { CompareData } from '../../../../../tools/site/pages/compare/compare-data.ts'
import { compareRules } from '../../../../../tools/site/pages/compare/state.ts'

test('An address may name each model, task, order and choice that is there, and no other.', () => {
  const keyed = ['x', 'y'].map((key) => ({ key }))
  const rules = compareRules({ models: keyed, tasks: keyed } as unknown as CompareData)
  const known = {
    a: ['x', 'y'],
    b: ['x', 'y'],
    task: ['x', 'y'],
    order: ['difference', 'category', 'instances'],
    show: ['all', 'differ', 'a', 'b'],
  } as const
  for (const [field, texts] of Object.entries(known) as [keyof typeof known, readonly string[]][]) {
    expect(texts.flatMap((text) => rules[field].faults(text))).toEqual([])
    expect(rules[field].faults('z')).toHaveLength(1)
  }
})
