import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { directoriesIn, isClosed, readSuite } from '../../../tools/helm/read-suite.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

test('Runs of a suite are its folders and links to such, by code point, without what helm-summarize and evaluations leave there.', async () => {
  const output = temporaryFolder()
  const suite = join(output, 'runs/s')
  for (const name of ['b', 'Z', 'ä', 'a', 'groups', 'eval_cache'])
    mkdirSync(join(suite, name), { recursive: true })
  symlinkSync(join(suite, 'a'), join(suite, 'link'))
  symlinkSync(join(suite, 'nowhere'), join(suite, 'dangling'))
  writeFileSync(join(suite, 'costs.json'), '{}')
  expect(await directoriesIn(suite)).toEqual(['Z', 'a', 'b', 'link', 'ä'])
  const { runs, problems } = await readSuite(output, 's', new Set(['a', 'groups']))
  expect([runs.length, problems.map(({ where }) => where?.file)]).toEqual([0, [join(suite, 'a')]])
})

test('A folder is closed where nobody else may enter it and others may enter what it lies in; what is not there is closed.', async () => {
  const suite = join(temporaryFolder(), 's')
  const run = join(suite, 'run')
  mkdirSync(run, { recursive: true })
  const closed = async (around: number, own: number): Promise<boolean> => {
    chmodSync(suite, around)
    chmodSync(run, own)
    return isClosed(run)
  }
  expect([
    await closed(0o755, 0o700),
    await closed(0o755, 0o750),
    await closed(0o755, 0o705),
    await closed(0o750, 0o700),
    await closed(0o700, 0o700),
    await isClosed(join(suite, 'gone')),
  ]).toEqual([true, false, false, true, false, true])
})
