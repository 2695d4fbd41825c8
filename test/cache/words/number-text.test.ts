import { expect, test } from 'vitest'
import {
  allOf,
  countText,
  formatCost,
  formatLack,
  formatShare,
  formatTokens,
} from '../../../cache/words/number-text.ts'

const NARROW = '\u202F'

test('Dollars have cents, of less than one the first two digits, and none from a thousand on', () => {
  expect([0, 0.01, 0.0042, 0.000031, 1.005, 999.99, 1000, 1234.5].map(formatCost)).toEqual([
    '$0.00',
    '$0.01',
    '$0.0042',
    '$0.000031',
    '$1.01',
    '$999.99',
    `$1${NARROW}000`,
    `$1${NARROW}235`,
  ])
})

test('Tokens have three digits and a magnitude, which none of a thousand of it passes unsaid', () => {
  expect(
    [0, 999, 1000, 1234, 999_499, 999_999, 1e6, 283_400_000, 1e9 - 1, 1e9, 4.2e12].map(formatTokens),
  ).toEqual(
    ['0', '999', '1.00 k', '1.23 k', '999 k', '1000 k', '1.00 M', '283 M', '1000 M', '1.00 G', '4200 G'].map(
      (text) => text.replace(' ', NARROW),
    ),
  )
})

test('Counts are grouped by threes, and all of one is the one', () => {
  expect([0, 999, 1000, 1_234_567].map(countText)).toEqual(['0', '999', '1,000', '1,234,567'])
  expect([0, 1, 2].map((count) => allOf(count, 'metric'))).toEqual([
    'No metric',
    'The metric',
    'All 2 metrics',
  ])
})

test('A share and what it lacks are told as 100 % together', () => {
  for (let k = 1; k < 1000; k++)
    expect(
      Number.parseFloat(formatShare(k / 1000)) + Number.parseFloat(formatLack(1 - k / 1000)),
    ).toBeCloseTo(100, 9)
})
