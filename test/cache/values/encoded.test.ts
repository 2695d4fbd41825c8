import { expect, test } from 'vitest'
import { encodeJson } from '../../../cache/values/encoded.ts'
import type { Json } from '../../../cache/values/json.ts'

test.each<readonly [Json, string]>([
  [-0, '-0'],
  [[-0, 0], '[-0,0]'],
  [[0, -0], '[0,-0]'],
  [{ a: { b: [-0] }, c: 'é"\n', d: null, e: true }, '{"a":{"b":[-0]},"c":"é\\"\\n","d":null,"e":true}'],
  [{ a: [0, 1e21, 0.1] }, '{"a":[0,1e+21,0.1]}'],
])('The text of %j gives it back, the sign of -0 too.', (value, text) => {
  expect(encodeJson(value)).toBe(text)
  expect(JSON.parse(text)).toStrictEqual(value)
})

test.each<readonly [unknown, string]>([
  [Number.NaN, 'NaN at value'],
  [{ a: [1, Infinity] }, 'Infinity at value.a[1]'],
  [{ a: [-0, Number.NaN] }, 'NaN at value.a[1]'],
  [{ a: undefined }, 'undefined at value.a'],
  [[() => 1], 'function at value[0]'],
  [{ at: new Date(0) }, 'a class instance at value.at'],
  [[new Map()], 'a class instance at value[0]'],
])('What JSON would turn into something else is refused with its place: %o', (value, told) => {
  expect(() => encodeJson(value as Json)).toThrow(told)
})
