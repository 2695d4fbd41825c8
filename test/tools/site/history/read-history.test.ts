import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readHistory } from '../../../../tools/site/history/read-history.ts'
import { HISTORY_FILE } from '../../../../tools/site/history/snapshot.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'
import { makeFolder } from '../../../../cache/files/folders.ts'

it('a file that is there and can’t be read is told as that, not as one that is missing', async () => {
  const folder = temporaryFolder()
  const asked = { given: folder, suites: ['main'] }
  await expect(readHistory(folder, asked)).rejects.toThrow('site/no-history')
  makeFolder(join(folder, HISTORY_FILE))
  await expect(readHistory(folder, asked)).rejects.toThrow('EISDIR')
})
