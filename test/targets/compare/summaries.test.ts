import { expect, test } from 'vitest'
import { helmMeans } from '../../../targets/compare/helm-means.ts'
import { summarizePair } from '../../../targets/compare/compare-sides.ts'

test('What runs detect is said of the instances that both have a value of.', () => {
  const metric = { isBinary: false, range: { low: 0, high: 4 } }
  const a = [1, 2, 3, 4]
  const b = [2, 2, 4, 4]
  // Differences of 1, 0, 1 and 0 spread by 1/2: 2.8 · 0.5 / √4.
  const whole = summarizePair([{ benchmark: 'x', a, b }], metric)
  expect(whole?.medhelmMde).toBeCloseTo(0.7, 12)
  // By scipy 1.17: the shift of Student's t with 3 degrees of freedom that passes 3.1824 in 80 % of cases, of an error of 1/√12.
  expect(whole?.mde).toBeCloseTo(1.22857212615, 6)
  const holed = summarizePair([{ benchmark: 'x', a: [...a, NaN, 1], b: [...b, 3, NaN] }], metric)
  expect(holed).toMatchObject({ n: 6, common: 4 })
  expect(holed?.medhelmMde).toBeCloseTo(0.7, 12)
  expect(summarizePair([{ benchmark: 'x', a: [NaN], b: [1] }], metric)).toBeUndefined()
})

test('HELM’s means leave perturbed instances and other splits out.', () => {
  const stat = (sum: number, name: object) => ({
    name: { name: 'em', split: 'test', ...name },
    count: 2,
    sum,
  })
  const stats = [
    stat(1, {}),
    stat(2, { perturbation: { name: 'typos', computedOn: 'perturbed' } }),
    stat(2, { split: 'valid' }),
    { ...stat(0, { name: 'f1' }), count: 0 },
  ]
  const found = helmMeans({ stats }, ['em', 'f1', 'absent'], 'test')
  expect([...found.helmMeans]).toEqual([['em', 0.5]])
  expect(found.helmSum).toMatchObject({ count: 2, sum: 1 })
  const parts = ['a', 'b'].map((subSplit) => stat(1, { subSplit }))
  expect(helmMeans({ stats: parts }, ['em'], 'test')).not.toHaveProperty('helmSum')
})
