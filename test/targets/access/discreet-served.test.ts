import { expect, test } from 'vitest'
import { discreetDetail } from '../../../targets/access/discreet-texts.ts'
import { discreetServed } from '../../../targets/record/record.ts'

const served = { 'Mrs Example': 2, asked: 3, 'Mr Example': 1 }

test('Of a public benchmark the names that a provider gave itself are told.', () => {
  expect(discreetServed(served, 'asked', { access: 'public' })).toEqual(served)
})

test.each(['gated', 'private'] as const)('Of a %s one only the name that was asked for is.', (access) => {
  expect(discreetServed(served, 'asked', { access })).toEqual({
    'withheld name 1': 2,
    asked: 3,
    'withheld name 3': 1,
  })
})

test.each([
  ['call/aborted', true],
  ['call/connection', true],
  ['call/unreached', true],
  ['call/retry-after', true],
  ['call/timeout', true],
  ['reply/no-choices', true],
  ['reply/too-large', true],
  ['http/400', false],
  ['reply/refused', false],
])('The detail of %s is told of a private benchmark: %s', (code, isTold) => {
  const detail = 'Mrs Example is not well'
  expect(discreetDetail({ code, detail }, 'private') === detail).toBe(isTold)
  expect(discreetDetail({ code, detail }, 'public')).toBe(detail)
})
