import { readdirSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderTier } from '../../../cache/tier/folder-tier.ts'
import { Neighbours } from '../../../cache/tier/neighbours.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

test('what one pays for is no one else’s until it is told to those of other groups that it was paid for', async () => {
  const folder = temporaryFolder()
  const place = temporaryFolder()
  // One folder by two names.
  symlinkSync(place, `${place}-too`)
  const neighbours = new Neighbours(folder, folderTier(place))
  const claim = neighbours.take('call', 'a')
  expect(neighbours.take('call', 'b')).toEqual({ heldBy: process.pid })
  const before = ['a', 'b'].map((group) => neighbours.news(group))
  if ('heldBy' in claim) throw new Error('nobody else had it')
  await claim.release()
  const after = ['a', 'b'].map((group) => neighbours.news(group))
  expect(after.map((news, at) => news === before[at])).toEqual([true, false])
  const again = neighbours.take('call', 'b')
  expect(again).not.toHaveProperty('heldBy')
  if ('release' in again) await again.release()
  expect(neighbours.news('a')).not.toBe(after[0])
  const beside = new Neighbours(folder, folderTier(`${place}-too`))
  expect(beside.news('b')).toBe(neighbours.news('b'))
  for (const each of [beside, neighbours]) each.close()
  expect(readdirSync(folder)).toEqual([])
  unlinkSync(`${place}-too`)
})

test('those of different tiers do not meet, and who can say nothing to the others pays alone', async () => {
  const folder = temporaryFolder()
  const [one, other] = [temporaryFolder(), temporaryFolder()].map(
    (place) => new Neighbours(folder, folderTier(place)),
  )
  one?.take('call', 'a')
  expect(other?.take('call', 'a')).not.toHaveProperty('heldBy')
  const alone = new Neighbours(join(process.execPath, 'no-folder'), folderTier(temporaryFolder()))
  const claim = alone.take('call', 'a')
  if ('release' in claim) await claim.release()
  expect([claim, alone.news('b')]).toEqual([{ release: expect.any(Function) }, ''])
  alone.close()
  for (const each of [one, other]) each?.close()
})
