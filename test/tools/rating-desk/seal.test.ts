import { expect, test, vi } from 'vitest'
import { boxOf, newSecret } from '../../../tools/rating-desk/seal.ts'

test('A secret is new each time: six groups of five, without letters and digits that look alike', () => {
  const secrets = Array.from({ length: 200 }, newSecret)
  for (const secret of secrets) expect(secret).toMatch(/^(?:[a-hjkmnp-z2-9]{5}-){5}[a-hjkmnp-z2-9]{5}$/)
  expect(new Set(secrets).size).toBe(200)
  expect(new Set(secrets.join('').replaceAll('-', '')).size).toBe(31)
})

test('No letter of a secret is likelier than another: a byte above the last whole multiple of letters is drawn anew', () => {
  let isFirst = true
  const draw = vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
    ;(bytes as unknown as Uint8Array).fill(isFirst ? 255 : 0)
    isFirst = false
    return bytes
  })
  const secret = newSecret()
  expect(draw).toHaveBeenCalledTimes(31)
  draw.mockRestore()
  expect(new Set(secret.replaceAll('-', '')).size).toBe(1)
})

test('What is sealed opens by its secret, however that was typed, for its pack and place alone', async () => {
  const secret = 'abcde-fghjk-mnpqr-stuvw-xyz23-45678'
  const text = `${'é😀 \ud800'.repeat(20_000)}"`
  const box = await boxOf(secret, 'pack')
  const sealed = await box.seal(text, 'item 1')
  const opened = async (typed: string, pack: string, place: string, given = sealed) =>
    (await boxOf(typed, pack)).open(given, place)
  expect(await opened(secret, 'pack', 'item 1')).toBe(text)
  expect(await opened(` ${secret.toUpperCase().replaceAll('-', ' ')}`, 'pack', 'item 1')).toBe(text)
  expect(await opened(secret, 'pack', 'item 2')).toBeUndefined()
  expect(await opened(secret, 'other', 'item 1')).toBeUndefined()
  expect(await opened(secret.replace('2', '3'), 'pack', 'item 1')).toBeUndefined()
  for (const damaged of [`${sealed.slice(0, -5)}AAAA=`, sealed.slice(4), `A${sealed}`, '', '%'])
    expect(await opened(secret, 'pack', 'item 1', damaged)).toBeUndefined()
})

test('One text sealed twice shows neither itself nor that it is the same', async () => {
  const box = await boxOf(newSecret(), 'pack')
  const [one, two] = await Promise.all([box.seal('Mr Miller', 'item 1'), box.seal('Mr Miller', 'item 1')])
  // A first part alike would be a nonce used twice.
  expect(one.slice(0, 16)).not.toBe(two.slice(0, 16))
  expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain('Miller')
})
