import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Float, float, str } from '../../../benchmarks/python/numbers/number.ts'
import { JsonError, loads } from '../../../benchmarks/python/json.ts'
import { dumps, writtenOften } from '../../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { fixtureRows, textOf } from '../../rig/fixture.ts'
import { shared } from '../../rig/shared.ts'
import { goldenNumbers, goldenRows } from './golden.ts'

const errorOf = (text: string): JsonError => {
  try {
    loads(text)
  } catch (error) {
    if (error instanceof JsonError) return error
    throw error
  }
  throw new Error(`no error: ${text}`)
}

describe('on texts that CPython 3.11 read', () => {
  const rows = fixtureRows('python/json.jsonl')
  it('reads and prints the same values', () => {
    for (const [text, compact, indented, printed, error] of rows) {
      if (error !== null) continue
      const value = loads(textOf(text))
      expect([dumps(value), dumps(value, { indent: 2 }), str(value)]).toEqual([compact, indented, printed])
    }
  })
  it('refuses the same texts with the same words and places', () => {
    const faults = rows.filter(([, , , , error]) => error !== null)
    expect(faults.length).toBeGreaterThan(400)
    for (const [text, , , , expected] of faults) {
      const { message, line, column, position } = errorOf(textOf(text))
      expect([message, line, column, position], JSON.stringify(text)).toEqual(expected)
    }
  })
})

describe.skipIf(goldenNumbers === undefined)('on the reference values', () => {
  it('escapes strings', () => {
    expect(goldenRows('json_string')).toHaveLength(27)
    for (const { s, ascii } of goldenRows('json_string')) {
      expect(dumps(String(s))).toBe(ascii)
      expect(loads(String(ascii))).toBe(s)
    }
  })
  it('indents and separates', () => {
    expect(goldenRows('json_indent2')).toHaveLength(18)
    for (const { text, compact } of goldenRows('json_indent2')) {
      expect(dumps(loads(String(text)))).toBe(compact)
      expect(dumps(loads(String(compact)), { indent: 2 })).toBe(text)
    }
  })
})

const files = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json') && !name.includes('scenarios/'))
    .map((name) => join(directory, name))

const outputs = ['public-benchmarks', 'gated-and-private', 'simple-scenarios', 'seed-walkthroughs'].flatMap(
  (name) => shared(`golden/${name}/benchmark_output`) ?? [],
)

describe.skipIf(outputs.length === 0)("on HELM's own files", () => {
  it('writes each again byte for byte', () => {
    for (const file of outputs.flatMap(files)) {
      const text = readFileSync(file, 'utf8')
      const options = text.startsWith('[\n') || text.startsWith('{\n') ? { indent: 2 } : {}
      expect(dumps(loads(text), options) === text, file).toBe(true)
    }
  })
})

const tree = fc.letrec<{ value: PyValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.bigInt().map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : n)),
    fc.double().map((x) => (Number.isInteger(x) ? new Float(x) : x)),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value')),
    fc.array(fc.tuple(fc.string(), tie('value'))).map((members) => new Map(members)),
  ),
})).value

describe('dumps and loads', () => {
  it('give back what they were given, whatever the layout', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom({}, { indent: 2 }, { indent: 0 }), (value, options) => {
        expect(loads(dumps(value, options))).toEqual(value)
      }),
    )
  })
  it('write ASCII that JSON.parse reads the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(dumps(text)).toMatch(/^[ -~]*$/)
        expect(JSON.parse(dumps(text))).toBe(text)
      }),
    )
  })
  it('print records with fields in order and leave undefined ones out', () => {
    const record = { b: 1, a: undefined, c: { d: float(1) }, empty: {}, only: { nothing: undefined } }
    expect(dumps(record)).toBe('{"b": 1, "c": {"d": 1.0}, "empty": {}, "only": {}}')
    expect(dumps([record.only, new Map()], { indent: 2 })).toBe('[\n  {},\n  {}\n]')
  })
  it('print numbers by their Python type', () => {
    expect(dumps([1, float(1), 1.5, float(-0), -0, 2n ** 70n, NaN, -Infinity, float(Infinity)])).toBe(
      '[1, 1.0, 1.5, -0.0, 0, 1180591620717411303424, NaN, -Infinity, Infinity]',
    )
  })
  it('keep the order of keys that look like indices, a repeated key in its first place', () => {
    expect(dumps(loads('{"10": 1, "2": 2, "10": 3}'))).toBe('{"10": 3, "2": 2}')
  })
  it('know the last control character below the blank, and the one above ASCII’s letters', () => {
    expect(errorOf('"\x1f"').message).toBe('Invalid control character at')
    expect(dumps('~\x7f\x80')).toBe('"~\\u007f\\u0080"')
  })
  it('write texts longer than a chunk', () => {
    const long = Array.from({ length: 5000 }, (_, index) => ({ id: `id${index}`, text: 'é'.repeat(9) }))
    const text = dumps(long, { indent: 2 })
    expect(text).toHaveLength(JSON.stringify(long, null, 2).length + long.length * 9 * 5)
    expect(dumps(loads(text), { indent: 2 })).toBe(text)
  })
  it('write a dict that comes often as it stands at each place, indented or not', () => {
    const plain = new Map<string, PyValue>([
      ['a', [1, new Map([['b', 'é'.repeat(70_000)]])]],
      ['c', new Map()],
    ])
    const often = writtenOften(new Map(plain))
    const nested = (dict: PyValue): PyValue => [dict, [dict, new Map([['in', dict]])], dict]
    for (const form of [{ indent: 2 }, {}, { indent: 4 }, { indent: 2, depth: 3 }, { indent: 1, depth: 4 }])
      expect(dumps(nested(often), form)).toBe(dumps(nested(plain), form))
  })
  it('tell a missing comma from an unfinished text as the jury needs it', () => {
    expect(errorOf('{"a": {"score": 1}').message).toBe("Expecting ',' delimiter")
    expect(errorOf('{"a": "b').message).toBe('Unterminated string starting at')
    expect(errorOf('no braces').message).toBe('Expecting value')
  })
  it('refuse nesting and integers beyond what Python takes', () => {
    expect(errorOf('['.repeat(100_000)).message).toBe('maximum recursion depth exceeded')
    expect(loads('['.repeat(500) + ']'.repeat(500))).toHaveLength(1)
    const longest = '1'.repeat(4300)
    expect([loads(longest), loads(`-${longest}`)]).toEqual([BigInt(longest), -BigInt(longest)])
    expect(errorOf('1'.repeat(4301)).message).toMatch(/^Exceeds the limit \(4300 digits\)/)
  })
})
