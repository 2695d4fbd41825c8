import { expect, it } from 'vitest'
import { Crc32c } from '../../../tools/release/import/crc32c.ts'

it('gives the check value of CRC-32C, whatever the pieces', () => {
  const whole = new Crc32c()
  whole.update(Buffer.from('123456789'))
  const pieces = new Crc32c()
  for (const piece of ['12', '', '3456', '789']) pieces.update(Buffer.from(piece))
  // 0xE3069283 is the check value that RFC 3720 leads to.
  expect(Buffer.from(whole.base64(), 'base64').toString('hex')).toBe('e3069283')
  expect(pieces.base64()).toBe(whole.base64())
})
