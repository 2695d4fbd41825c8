import { describe, expect, test } from 'vitest'
import { inTaxonomyOrder } from '../../../../tools/site/content/taxonomy-order.ts'
import { boardRunOf } from '../../../targets/aggregate/board-runs.ts'

const taxonomy = {
  categories: [
    {
      name: 'First',
      subcategories: [
        { name: 'a', tasks: [] },
        { name: 'b', tasks: [] },
      ],
    },
    { name: 'Second', subcategories: [] },
  ],
}

const runOf = (name: string, category?: string, subcategory?: string) => {
  const run = boardRunOf({ benchmark: name, values: [1] })
  const place = { ...(category && { category }), ...(subcategory && { subcategory }) }
  return { run: { ...run, benchmark: { ...run.benchmark, ...place } } }
}

describe('the taxonomy’s order', () => {
  test('puts subcategories in theirs, and last what has no place or an unknown one', () => {
    const runs = [
      runOf('own'),
      runOf('second', 'Second'),
      runOf('b', 'First', 'b'),
      runOf('odd', 'First', 'gone'),
      runOf('a', 'First', 'a'),
      runOf('a too', 'First', 'a'),
    ]
    expect(inTaxonomyOrder(runs, taxonomy).map(({ run }) => run.benchmark.name)).toEqual([
      'a',
      'a too',
      'b',
      'second',
      'own',
      'odd',
    ])
  })
})
