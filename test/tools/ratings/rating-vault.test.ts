import { expect, test } from 'vitest'
import { memoryStore } from '../../../cache/memory-store.ts'
import { createRatingVault } from '../../../tools/ratings/rating-vault.ts'

test('Two that need the key of digests at once, and have none yet, make one', async () => {
  const store = memoryStore()
  const vault = { exists: () => true, store: () => Promise.resolve(store) }
  const [one, other] = await Promise.all(
    [createRatingVault(vault), createRatingVault(vault)].map((each) => each.digestKey('private')),
  )
  expect(one).toMatch(/^[0-9a-f]{64}$/)
  expect(other).toBe(one)
  expect(await createRatingVault(vault).digestKey('gated')).toBe(one)
})

test('Texts that are public have no key, and keep the one that they had while they were not', async () => {
  const store = memoryStore()
  const vault = { exists: () => true, store: () => Promise.resolve(store) }
  const before = createRatingVault(vault)
  expect([await before.digestKey('public'), await before.formerKey('public')]).toEqual([undefined, undefined])
  const key = await before.digestKey('gated')
  const after = createRatingVault(vault)
  expect([await after.digestKey('public'), await after.formerKey('public')]).toEqual([undefined, key])
  // What is not public now was named without a key while it was.
  expect(await after.formerKey('private')).toBeUndefined()
})
