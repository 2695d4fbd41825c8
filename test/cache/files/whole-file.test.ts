import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  named,
  stagedName,
  sweepStaged,
  replaceFile,
  replaceFileSoon,
  rewriteFile,
  writeOnce,
} from '../../../cache/files/write.ts'
import { formatIdentity, identifyProcess } from '../../../cache/processes/process-identity.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

test('a file is put in the place of another, for its owner only unless more are named', async () => {
  const file = join(temporaryFolder(), 'file')
  replaceFile(file, 'one')
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['one', 0o600])
  await replaceFileSoon(file, Buffer.from('two'), { mode: 0o640, lasting: false })
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['two', 0o640])
  expect(readdirSync(dirname(file))).toEqual(['file'])
})

test('a user’s own file keeps the rights that it has, whatever the umask takes', () => {
  const file = join(temporaryFolder(), 'file')
  rewriteFile(file, 'one')
  expect(statSync(file).mode & 0o777).toBe(0o666 & ~process.umask())
  chmodSync(file, 0o666)
  rewriteFile(file, 'two')
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['two', 0o666])
})

test('of two that may only be first, the first counts', () => {
  const file = join(temporaryFolder(), 'file')
  writeOnce(file, 'one')
  writeOnce(file, 'two')
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['one', 0o600])
  expect(readdirSync(dirname(file))).toEqual(['file'])
})

test('where it can’t be put, what was there stays, and nothing beside it', async () => {
  const folder = join(temporaryFolder(), 'in-the-way')
  mkdirSync(folder)
  expect(() => replaceFile(folder, 'text')).toThrow('EISDIR')
  await expect(replaceFileSoon(folder, 'text')).rejects.toThrow('EISDIR')
  expect(readdirSync(dirname(folder))).toEqual(['in-the-way'])
})

test.each([
  ['right', 0],
  ['a month ahead of the disk’s', 30],
  ['a month behind it', -30],
])(
  'what a killed writer left is removed, what a live one writes is not, and another machine’s after a day, by a clock that is %s',
  (_, days) => {
    const folder = temporaryFolder()
    const set = Date.now() + days * 86_400_000
    const clock = vi.spyOn(Date, 'now').mockReturnValue(set)
    onTestFinished(() => clock.mockRestore())
    const own = stagedName(join(folder, 'file'))
    const by = (other: object): string =>
      own.replace(formatIdentity(identifyProcess()).replace(/\d+$/, ''), () =>
        formatIdentity({ ...identifyProcess(), ...other }).replace(/\d+$/, ''),
      )
    const [killed, silent, elsewhere] = [by({ start: '1' }), by({ boot: 'a' }), by({ boot: 'b' })]
    for (const file of [own, killed, silent, elsewhere, join(folder, 'file')]) writeFileSync(file, '')
    const before = statSync(folder).mtimeMs / 1000 - 2 * 86_400
    utimesSync(silent, before, before)
    sweepStaged(folder)
    expect(readdirSync(folder).sort()).toEqual([basename(own), basename(elsewhere), 'file'].sort())
  },
)

test('an error of an open file tells the path, and one that has a path keeps it', () => {
  expect(named(new Error('EIO'), 'here')).toMatchObject({ path: 'here' })
  expect(named(Object.assign(new Error('EIO'), { path: 'there' }), 'here')).toMatchObject({ path: 'there' })
})
