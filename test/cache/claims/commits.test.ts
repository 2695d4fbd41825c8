import { expect, test } from 'vitest'
import { Claims, COMMIT, Patience } from '../../../cache/claims/claims.ts'
import { CommitGate } from '../../../cache/claims/holding.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

test('the mark of commits stays until the last of those under way has ended', async () => {
  const folder = temporaryFolder()
  const [own, other] = [new Claims(folder), new Claims(folder)]
  const gate = new CommitGate(own, new Patience(() => {}))
  const ends: (() => void)[] = []
  const commits = [0, 1].map(() => gate.committing(() => new Promise<void>((end) => void ends.push(end))))
  ends[0]?.()
  await commits[0]
  expect(other.others(COMMIT)).toEqual([process.pid])
  ends[1]?.()
  await commits[1]
  expect(other.others(COMMIT)).toEqual([])
  for (const claims of [own, other]) claims.close()
})
