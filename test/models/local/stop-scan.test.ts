import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { stopScan } from '../../../models/local/stop-scan.ts'

/** Ids are bytes of UTF-8. */
const decode = (ids: readonly number[]): string => Buffer.from(ids).toString()

test('an answer is stopped by the token that completes a stop sequence, and not before', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '€', '\n'), maxLength: 40 }),
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '€', '\n'), minLength: 1, maxLength: 4 }), {
        maxLength: 3,
      }),
      (text, stops) => {
        const ids = [...Buffer.from(text)]
        const scan = stopScan(decode, stops)
        const at = ids.findIndex((_, index) => scan.stopped(ids.slice(0, index + 1)))
        const expected = ids.findIndex((_, index) =>
          stops.some((stop) => decode(ids.slice(0, index + 1)).includes(stop)),
        )
        expect(at).toBe(expected)
        const first = Math.min(
          text.length,
          ...stops.map((stop) => text.indexOf(stop)).filter((each) => each >= 0),
        )
        expect(scan.cut(text)).toBe(text.slice(0, first))
      },
    ),
  )
})

test('an empty stop sequence stops nothing', () => {
  const scan = stopScan(decode, [''])
  expect(scan.stopped([97])).toBe(false)
  expect(scan.cut('abc')).toBe('abc')
})
