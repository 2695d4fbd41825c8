import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decimalText,
  float,
  numberOf,
  floatRepr,
  pyFloat,
  pyInt,
  repr,
  roundHalfEven,
  str,
} from '../../../benchmarks/python/numbers/number.ts'
import { numpyText } from '../../../benchmarks/python/numpy-text.ts'
import { formatValue } from '../../../benchmarks/python/templates/format-spec.ts'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import { fromHex, goldenNumbers, goldenRows } from './golden.ts'

describe.skipIf(goldenNumbers === undefined)('on the reference numbers', () => {
  it('prints and rounds floats', () => {
    const rows = goldenRows('float')
    expect(rows).toHaveLength(74)
    for (const row of rows) {
      const x = fromHex(String(row['hex']))
      expect(row).toMatchObject({
        repr: floatRepr(x),
        str: str(float(x)),
        json: dumps(float(x)),
        // The rows leave it out where it is long.
        fmt3: row['fmt3'] === null ? null : formatValue(float(x), '.3f'),
        fmt_g: formatValue(float(x), 'g'),
        round3: floatRepr(roundHalfEven(x, 3)),
      })
    }
  })
  it('prints integers of any size', () => {
    const rows = goldenRows('int_json').filter((row) => /^-?\d+$/.test(String(row['repr'])))
    expect(rows).toHaveLength(9)
    for (const row of rows) {
      const value = pyInt(String(row['repr'])) ?? null
      expect(row).toMatchObject({ repr: repr(value), json: dumps(value), float: floatRepr(Number(value)) })
    }
  })
  it('reads integers and floats, and refuses what Python refuses', () => {
    const rows = [
      ...goldenRows('parse'),
      ...goldenRows('int_of_value').filter((row) => row['type'] === 'str'),
    ]
    expect(rows).toHaveLength(118)
    for (const row of rows) {
      const text = typeof row['s'] === 'string' ? row['s'] : String(row['value']).slice(1, -1)
      const int = pyInt(text)
      const x = pyFloat(text)
      const name = JSON.stringify(text)
      expect(int?.toString(), name).toBe(typeof row['int'] === 'string' ? row['int'] : undefined)
      expect(x === undefined ? undefined : floatRepr(x), name).toBe(
        typeof row['float'] === 'string' ? row['float'] : undefined,
      )
    }
  })
  it('rounds half to even on the exact binary value', () => {
    const rows = goldenRows('round').filter((row) => row['x'] !== 'True')
    expect(rows).toHaveLength(52)
    for (const { x, digits, result, type } of rows) {
      const rounded = roundHalfEven(Number(x), (digits as number | null) ?? 0)
      expect(
        type === 'int' ? repr(rounded) : floatRepr(rounded),
        `round(${String(x)}, ${String(digits)})`,
      ).toBe(result)
    }
  })
})

describe('numbers', () => {
  it('print as Python prints them', () => {
    const texts = [1, 0.1, 1e-5, 1.5e-7, 1e16, 123456789012345.6, -0, NaN, Infinity, -Infinity].map(floatRepr)
    expect(texts.join(' ')).toBe('1.0 0.1 1e-05 1.5e-07 1e+16 123456789012345.6 -0.0 nan inf -inf')
    expect(repr(1e22)).toBe('10000000000000000000000')
  })
  it('read back as what was printed', () => {
    fc.assert(
      fc.property(fc.double(), (x) => {
        expect(pyFloat(floatRepr(x))).toBe(x)
      }),
    )
  })
  it('round to what their printed digits say, where these are few', () => {
    expect([0.0625, 2.675, 1e300, -0.0004].map((x) => roundHalfEven(x, 3))).toEqual([0.062, 2.675, 1e300, -0])
    expect([0.5, 1.5, 2.5, -0.5].map((x) => roundHalfEven(x))).toEqual([0, 2, 2, -0])
    expect([15, 25, 1e-320].map((x) => roundHalfEven(x, -1))).toEqual([20, 20, 0])
    expect([roundHalfEven(NaN, 2), roundHalfEven(5e-324, 330), roundHalfEven(-1, -400)]).toEqual([
      NaN,
      5e-324,
      -0,
    ])
  })
  it('are refused as ints beyond 4300 digits', () => {
    expect(typeof pyInt('1'.repeat(4300))).toBe('bigint')
    expect(pyInt('1'.repeat(4301))).toBeUndefined()
  })
  it('have no negative zero among ints', () => {
    expect(pyInt('-0')).toBe(0)
  })
  it('round to the largest power of ten that is a double', () => {
    expect([roundHalfEven(1.2e308, -308), roundHalfEven(-1.2e308, -309)]).toEqual([1e308, -0])
  })
  it('print as ints without an exponent, however large', () => {
    expect([str(1e21), str(-1e22)]).toEqual(['1000000000000000000000', '-10000000000000000000000'])
  })
  it('give their plain value from either form', () => {
    expect([numberOf(float(2)), numberOf(3)]).toEqual([2, 3])
    expect(JSON.stringify([float(2)])).toBe('[2]')
  })
})

describe('str and repr', () => {
  it('show values of every type', () => {
    const value = [null, true, false, 1, 2n, float(1), 0.5, 'a', [], new Map([['k', 'v']])]
    expect(str(value)).toBe("[None, True, False, 1, 2, 1.0, 0.5, 'a', [], {'k': 'v'}]")
    expect(str('plain')).toBe('plain')
  })
  it('choose quotes and escapes by what the text holds', () => {
    const texts = ["it's", '"', `both ' and "`, 'a\\b', 'é\xa0\u200b\u2028\u{e0001}', '\t\x01', '😀']
    expect(repr(texts)).toBe(
      `["it's", '"', 'both \\' and "', 'a\\\\b', 'é\\xa0\\u200b\\u2028\\U000e0001', '\\t\\x01', '😀']`,
    )
  })
})

describe('numbers as other programs print them', () => {
  it('gives a decimal an exponent from a ten-millionth on, as PEP 327 does', () => {
    const shown = [1n, -12n].flatMap((digits) => [6, 7, 8].map((scale) => decimalText(digits, scale)))
    expect(shown).toEqual(['0.000001', '1E-7', '1E-8', '-0.000012', '-0.0000012', '-1.2E-7'])
  })
  it('rounds to more tens than any number has to nothing, whatever their number', () => {
    expect([roundHalfEven(2.5, -1e9), Object.is(roundHalfEven(-2.5, -1e9), -0)]).toEqual([0, true])
  })
  it('shows a list within a list of a thousand items at most', () => {
    const items = (length: number) => Array.from({ length }, () => 1)
    expect(numpyText(items(1000)).match(/1/g)).toHaveLength(1000)
    expect(() => numpyText(items(1001))).toThrow(RangeError)
  })
  it('shows numbers of a list within a list as wide as the widest', () => {
    expect([[1, 10, -5], [100, 7], [3]].map(numpyText)).toEqual(['[ 1 10 -5]', '[100   7]', '[3]'])
  })
  it('breaks a list of numpy’s where a line would be longer than 74 characters and a bracket', () => {
    const words = (length: number) => ['x'.repeat(30), 'y'.repeat(length)]
    expect(numpyText(words(38))).toBe(`['${'x'.repeat(30)}' '${'y'.repeat(38)}']`)
    expect(numpyText(words(39))).toBe(`['${'x'.repeat(30)}'\n '${'y'.repeat(39)}']`)
  })
})
