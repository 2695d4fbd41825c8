import { expect, test } from 'vitest'
import { floatsOfHalves } from '../../../models/local/decoder.ts'

test('float16 bits are read as IEEE 754 has them', () => {
  const bits = Uint16Array.of(0x0000, 0x3c00, 0xc000, 0x3555, 0x7bff, 0x0001, 0x0400, 0x7c00, 0xfc00)
  expect([...floatsOfHalves(bits)]).toEqual(
    [
      0,
      1,
      -2,
      0.333251953125,
      65504,
      2 ** -24,
      2 ** -14,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ].map(Math.fround),
  )
  expect(floatsOfHalves(Uint16Array.of(0x7e00))[0]).toBeNaN()
})
