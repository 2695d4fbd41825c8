import { expect, test } from 'vitest'
import { cardGroups, knownGroups } from '../../../tools/release/card-groups.ts'

const KNOWN = {
  attributes: [
    { name: 'sex', column: 'SEX' },
    { name: 'age', column: 'AGE', bands: [18, 65] },
    { name: 'ward', column: 'WARD' },
  ],
  groups: new Map<string, Readonly<Record<string, string>>>([
    ['b', { sex: 'f', age: '18–64', sub_split: 'icu' }],
    ['a', { sex: 'm', age: '65+' }],
    ['c', { sex: 'f', age: '' }],
    ['unasked', { sex: 'x', ward: 'north' }],
  ]),
}

test('A record names the groups of the instances that were measured, in their order, HELM’s sub-splits among them.', () => {
  const told = cardGroups(KNOWN, { ids: ['a', 'b', 'c', 'd'] })
  expect(told).toEqual([
    {
      name: 'sex',
      column: 'SEX',
      groups: [
        ['m', ['a']],
        ['f', ['b', 'c']],
      ],
    },
    {
      name: 'age',
      column: 'AGE',
      bands: [18, 65],
      groups: [
        ['65+', ['a']],
        ['18–64', ['b']],
      ],
    },
    { name: 'sub_split', column: 'sub_split', groups: [['icu', ['b']]] },
  ])
})

test('A declared attribute of that name is not told twice.', () => {
  const attributes = [
    { name: 'sex', column: 'SEX' },
    { name: 'sub_split', column: 'PART' },
  ]
  expect(cardGroups({ ...KNOWN, attributes }, { ids: ['b'] })).toEqual([
    { name: 'sex', column: 'SEX', groups: [['f', ['b']]] },
    { name: 'sub_split', column: 'PART', groups: [['icu', ['b']]] },
  ])
})

test('Where nothing is known of any instance a record says nothing.', () => {
  expect(cardGroups(KNOWN, { ids: [] })).toBeUndefined()
  expect(cardGroups({ attributes: [], groups: new Map() }, { ids: ['a'] })).toBeUndefined()
})

test('Boards take the same groups from the record again.', () => {
  const told = cardGroups(KNOWN, { ids: ['a', 'b', 'c'] }) ?? []
  expect(knownGroups(told)).toEqual({
    attributes: [...KNOWN.attributes.slice(0, 2), { name: 'sub_split', column: 'sub_split' }],
    groups: new Map([
      ['a', { sex: 'm', age: '65+' }],
      ['b', { sex: 'f', age: '18–64', sub_split: 'icu' }],
      ['c', { sex: 'f' }],
    ]),
  })
})
