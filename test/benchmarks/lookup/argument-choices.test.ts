import { expect, test } from 'vitest'
import { argumentChoices } from '../../../benchmarks/lookup/argument-choices.ts'
import { isFetchable } from '../../../benchmarks/lookup/data-status.ts'

const choicesOf = (given: object) =>
  argumentChoices({ arguments: given } as never).map((args) => Object.fromEntries(args))

test('Arguments that have to be given and are one of some are tried in all combinations, others are left to their run', () => {
  expect(argumentChoices(undefined)).toEqual([new Map()])
  expect(
    choicesOf({
      ward: { choices: ['icu', 'er'] },
      year: { choices: { a: {}, b: {} } },
      usual: { choices: [1, 2], default: 1 },
      path: { kind: 'data' },
    }),
  ).toEqual([
    { ward: 'icu', year: 'a' },
    { ward: 'icu', year: 'b' },
    { ward: 'er', year: 'a' },
    { ward: 'er', year: 'b' },
  ])
})

test('Data can be fetched where some of it is neither a file of a user’s nor one beside the declaration', () => {
  const fetchable = (...data: readonly object[]) =>
    isFetchable({ data: Object.fromEntries(data.entries()) } as never)
  expect(fetchable({ path: '{data}' }, { local: 'rows.csv' })).toBe(false)
  expect(fetchable({ path: '{data}' }, { url: 'https://x.example/rows.csv' })).toBe(true)
  expect(fetchable()).toBe(false)
  expect(isFetchable(undefined)).toBe(false)
})
