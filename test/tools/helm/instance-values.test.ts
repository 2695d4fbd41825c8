import { expect, test } from 'vitest'
import { plainInstanceValues } from '../../../tools/helm/instance-values.ts'

const STAT = { name: { name: 'exact_match', split: 'test' }, count: 1, sum: 1, mean: 1 }
const ELEMENT = { instance_id: 'id0', train_trial_index: 1, stats: [STAT] }

test('A plain element is read as it stands.', () => {
  expect(plainInstanceValues(JSON.stringify(ELEMENT))).toEqual({
    instanceId: 'id0',
    trainTrialIndex: 1,
    stats: [STAT],
  })
  expect(plainInstanceValues(JSON.stringify({ ...ELEMENT, instance_id: 7 }))?.instanceId).toBe(7)
})

test.each([
  // The value of another text than the instance's own.
  ['a perturbation', { ...ELEMENT, perturbation: { name: 'robustness' } }],
  ['a perturbed stat', { ...ELEMENT, stats: [{ ...STAT, name: { ...STAT.name, perturbation: {} } }] }],
  ['a sub-split', { ...ELEMENT, stats: [{ ...STAT, name: { ...STAT.name, sub_split: 'a' } }] }],
  ['a text for a mean', { ...ELEMENT, stats: [{ ...STAT, mean: '1' }] }],
  ['a text for a sum', { ...ELEMENT, stats: [{ ...STAT, sum: '1' }] }],
  ['half a count', { ...ELEMENT, stats: [{ ...STAT, count: 0.5 }] }],
  ['half a trial', { ...ELEMENT, train_trial_index: 0.5 }],
  ['no id', { ...ELEMENT, instance_id: null }],
  ['no stats', { ...ELEMENT, stats: {} }],
])('One with %s is left to the reader that knows all forms.', (_, element) => {
  expect(plainInstanceValues(JSON.stringify(element))).toBeUndefined()
})

test('So is what is no JSON of JavaScript’s, such as Python’s NaN.', () => {
  expect(plainInstanceValues('{"instance_id": "id0", "stats": [NaN]}')).toBeUndefined()
  expect(plainInstanceValues('[]')).toBeUndefined()
})
