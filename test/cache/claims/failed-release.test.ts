import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Claims } from '../../../cache/claims/claims.ts'
import { withFailing } from '../../rig/failing-call.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const HELD = { heldBy: process.pid }

it('A name whose link could not be removed once is no other’s: who held it takes it again, and gives it back.', () => {
  const folder = temporaryFolder()
  const [claims, other] = [new Claims(folder), new Claims(folder)]
  const first = claims.take('gate')
  const letGo = (taking: typeof first): void => {
    if ('release' in taking) taking.release()
  }
  expect(() => withFailing('unlinkSync', 1, () => letGo(first))).toThrow('EIO')
  expect(other.take('gate')).toEqual(HELD)
  const again = claims.take('gate')
  expect(again).toHaveProperty('release')
  // Held anew it is held for all, its holder included, and who gave it back before can't do so again.
  letGo(first)
  expect([claims.take('gate'), other.take('gate')]).toEqual([HELD, HELD])
  letGo(again)
  expect(other.take('gate')).toHaveProperty('release')
  claims.close()
  other.close()
  expect(readdirSync(folder)).toEqual([])
})
