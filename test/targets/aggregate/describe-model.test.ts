import { expect, test } from 'vitest'
import { describeModel } from '../../../targets/runs/run.ts'

test('Weights are told of a model that somebody describes, not of one that HELM takes for open', () => {
  const weightsOf = (creatorOrganization: string, access: string): string =>
    describeModel('m/a', 'm/a', { displayName: 'A', creatorOrganization, access }).access
  expect(weightsOf('Maker', 'open')).toBe('open')
  expect(weightsOf('Unknown', 'closed')).toBe('closed')
  expect(weightsOf('Unknown', 'open')).toBe('')
  expect(describeModel('m/a', 'm/a', undefined).access).toBe('')
})
