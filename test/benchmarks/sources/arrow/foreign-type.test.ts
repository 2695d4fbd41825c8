import { field, int64, list, struct, utf8 } from '@uwdata/flechette'
import { expect, test } from 'vitest'
import { isForeign } from '../../../../benchmarks/sources/arrow/foreign-type.ts'

const named = (name: string) => field('x', int64(), true, new Map([['ARROW:extension:name', name]]))

test('A type that Arrow knows by a name alone is found in a column, a struct and a list.', () => {
  const period = named('pandas.period')
  const found = [period, field('y', struct([period])), field('y', list(period)), named('arrow.bool8')]
  expect(found.map(isForeign)).toEqual([true, true, true, true])
  const plain = [undefined, named('arrow.uuid'), field('y', utf8()), field('y', list(field('z', utf8())))]
  expect(plain.map(isForeign)).toEqual([false, false, false, false])
})
