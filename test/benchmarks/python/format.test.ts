import { describe, expect, it } from 'vitest'
import { formatValue } from '../../../benchmarks/python/templates/format-spec.ts'
import { TemplateError, formatMap, templateFields } from '../../../benchmarks/python/templates/format.ts'
import { float, pyFloat, pyInt } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { fixtureRows, textOf } from '../../rig/fixture.ts'

const literals = new Map<string, PyValue>([
  ['None', null],
  ['True', true],
  ["['a', \"b'c\"]", ['a', "b'c"]],
])

/** The value whose `repr` a row shows; strings stand beside it as they are. */
const valueOf = (text: PyValue, shown: string): PyValue => {
  const literal = literals.get(shown)
  if (literal !== undefined) return literal
  const x = pyFloat(shown)
  return pyInt(shown) ?? (x === undefined ? text : float(x))
}

const errorOf = (template: string): TemplateError => {
  try {
    formatMap(template, () => 'x')
  } catch (error) {
    if (error instanceof TemplateError) return error
    throw error
  }
  throw new Error(`no error: ${template}`)
}

describe('format', () => {
  it('gives what CPython 3.11 gives, and refuses what it refuses', () => {
    for (const [text = '', shown, spec, expected] of fixtureRows('python/formats.jsonl')) {
      const value = valueOf(text, textOf(shown))
      expect(formatValue(value, textOf(spec)) ?? null, `format(${textOf(shown)}, '${textOf(spec)}')`).toBe(
        expected,
      )
    }
  })
  it.each([
    [255, 'x', 'ff'],
    [255, 'X', 'FF'],
    [255, '#x', '0xff'],
    [-255, '#X', '-0XFF'],
    [255, '#o', '0o377'],
    [255, '08b', '11111111'],
    [255, '_b', '1111_1111'],
    [1_234_567, '_x', '12_d687'],
    [1_234_567, '_d', '1_234_567'],
    [1_234_567, ',', '1,234,567'],
    [5, '+x', '+5'],
    [65, 'c', 'A'],
    [128_512, 'c', '😀'],
    [65, '+c', undefined],
    [255, ',x', undefined],
    [5, '.2x', undefined],
    [1_234_567, ',n', undefined],
  ])('writes %d as %s: %s', (value, spec, written) => {
    expect(formatValue(value, spec)).toBe(written)
  })
  it('pads by code points and takes fractions for floats', () => {
    expect(formatValue('😀', '>3')).toBe('  😀')
    expect(formatValue(0.5, '.2f')).toBe('0.50')
    expect(formatValue(7, 'x<05')).toBe('7xxxx')
    expect(formatValue(new Map(), '5')).toBeUndefined()
    expect(formatValue('a', '9999999')).toBeUndefined()
  })
})

describe('format_map', () => {
  const columns = new Map<string, PyValue>([
    ['a', "x'é"],
    ['b', 7],
    [' a ', 'sp'],
  ])
  it('fills what CPython 3.11 fills, and refuses what it refuses', () => {
    for (const [template, expected] of fixtureRows('python/templates.jsonl')) {
      const fill = (): string => formatMap(textOf(template), (name) => columns.get(name) ?? '')
      if (expected === null) expect(fill, JSON.stringify(template)).toThrow(TemplateError)
      else expect(fill(), JSON.stringify(template)).toBe(expected)
    }
  })
  it('prints blank cells and floats as Python does', () => {
    const cells = new Map<string, PyValue>([
      ['blank', NaN],
      ['n', float(5)],
      ['yes', true],
    ])
    expect(formatMap('{blank}|{n}|{yes}|{n:>5}|{{n}}', (name) => cells.get(name) ?? '')).toBe(
      'nan|5.0|True|  5.0|{n}',
    )
  })
  it('does not look for fields in values', () => {
    expect(formatMap('{a}', () => '{b} $& $1')).toBe('{b} $& $1')
  })
})

describe('template fields', () => {
  it('are named once, in order of appearance', () => {
    expect(templateFields('{q}\n{{no}} {long name!r:>5} {q:{w}}')).toEqual(['q', 'long name'])
  })
  it.each([
    ['{"key": 1', 'unbalanced-brace', 1, 1],
    ['ok\né😀 }', 'unbalanced-brace', 2, 4],
    ['a {b {c}}', 'unbalanced-brace', 1, 6],
    ['{a[b', 'unbalanced-brace', 1, 1],
    ['{a:>5', 'unbalanced-brace', 1, 1],
    ['x{}', 'positional-field', 1, 2],
    ['{0}', 'positional-field', 1, 1],
    ['{a.b}', 'attribute-or-index', 1, 1],
    ['\n {a[0]}', 'attribute-or-index', 2, 2],
    ['{a!x}', 'bad-conversion', 1, 1],
    ['{a!', 'bad-conversion', 1, 1],
    ['{a:d}', 'bad-format-spec', 1, 1],
    ['{a:{other}}', 'unknown-name', 1, 4],
    ['{a:{a:{a}}}', 'bad-format-spec', 1, 4],
  ])('%j is refused as %s at its place', (template, kind, line, column) => {
    expect(errorOf(template)).toMatchObject({ name: 'TemplateError', kind, line, column })
  })
})
