import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, digestJson, keyTemplate } from '../../cache/values/digest.ts'
import type { Json } from '../../cache/values/json.ts'

describe('a key template', () => {
  it('gives the digest of the canonical key that it shows', () => {
    const template = keyTemplate<'b' | 'a', 'prompt'>({ stage: 'x', n: 1, deep: { z: [1, null], y: 'é' } }, [
      'b',
      'a',
    ])
    assert(
      property(string({ unit: 'grapheme' }), string({ unit: 'grapheme' }), (a, b) => {
        expect(template.digest({ a, b })).toBe(digestJson(template.key({ a, b })))
      }),
    )
  })

  it('is made of JSON alone', () => {
    for (const value of [undefined, () => 1, Number.NaN, Infinity])
      expect(() => digestJson(value as unknown as Json)).toThrow()
    expect(() => digestJson(undefined as unknown as Json)).toThrow('a key must be a JSON value')
  })

  it('holds no half of a surrogate pair, in texts or in names, and no cycle', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = [cycle]
    for (const value of ['a\uD800', ['\uDC00'], { '\uD83D': 1 }, cycle])
      expect(() => canonicalJson(value as Json)).toThrow()
  })

  it('tells fields apart', () => {
    const template = keyTemplate<'b' | 'a', 'prompt'>({}, ['b', 'a'])
    expect(template.digest({ a: '1', b: '2' })).not.toBe(template.digest({ a: '2', b: '1' }))
  })
})
