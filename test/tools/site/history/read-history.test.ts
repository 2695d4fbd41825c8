import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { misplacedText, readHistory } from '../../../../tools/site/history/read-history.ts'
import { HISTORY_FILE } from '../../../../tools/site/history/snapshot.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'
import { makeFolder } from '../../../../cache/files/folders.ts'

it('a file that is there and can’t be read is told as that, not as one that is missing', async () => {
  const folder = temporaryFolder()
  const asked = { given: folder, suites: ['main'] }
  await expect(readHistory(folder, asked)).rejects.toThrow('site/no-history')
  makeFolder(join(folder, HISTORY_FILE))
  await expect(readHistory(folder, asked)).rejects.toThrow('EISDIR')
  const other = temporaryFolder()
  writeFileSync(join(other, HISTORY_FILE), '[{"version": 2}]')
  await expect(readHistory(other, asked)).rejects.toThrow('is no file of a release’s numbers')
})

it('a folder that holds other suites alone is refused with their names; one of them is enough', async () => {
  const folder = temporaryFolder()
  const snapshot = (suite: string) => ({ version: 2, suite, release: '', benchmarks: [], models: [] })
  writeFileSync(join(folder, HISTORY_FILE), JSON.stringify([snapshot('main'), snapshot('other')]))
  const read = (...suites: readonly string[]) => readHistory(folder, { given: folder, suites })
  expect((await read('main', 'new')).map(({ snapshot: { suite } }) => suite)).toEqual(['main', 'other'])
  await expect(read('new')).rejects.toThrow('holds main, other, none of new')
})

it('releases whose calls were made in another order than they are named in are told', () => {
  const [july, september] = [
    { given: 'v1', date: '2026-07-02' },
    { given: 'v2', date: '2026-09-01' },
  ]
  expect(misplacedText([july, september])).toBeUndefined()
  expect(misplacedText([july, { given: 'again', date: july.date }])).toBeUndefined()
  expect(misplacedText([])).toBeUndefined()
  const embedded = { given: 'embedded models alone', date: '1970-01-01' }
  expect(misplacedText([july, embedded, september, embedded])).toBeUndefined()
  expect(misplacedText([september, embedded, july])).toContain('names v2 (2026-09-01) before v1')
  expect(misplacedText([september, july])).toContain('names v2 (2026-09-01) before v1 (2026-07-02)')
})
