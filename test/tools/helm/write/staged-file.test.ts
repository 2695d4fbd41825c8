import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeChangedFile, writeFilesTogether } from '../../../../tools/helm/write/staged-file.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

const modeOf = (path: string): number => statSync(path).mode & 0o777

describe('files that are written together', () => {
  it('all stay as they were where one fails, and nothing of them is left', async () => {
    const folder = temporaryFolder()
    const [first, second] = [join(folder, 'a'), join(folder, 'b')]
    writeFileSync(first, 'old')
    const failing = function* (): Generator<string> {
      yield 'new'
      throw new Error('no more')
    }
    const contents = new Map<string, Iterable<string>>([
      [first, ['new']],
      [second, failing()],
    ])
    await expect(writeFilesTogether(contents)).rejects.toThrow('no more')
    expect(readdirSync(folder)).toEqual(['a'])
    expect(readFileSync(first, 'utf8')).toBe('old')
  })

  it('are no more open than their folder', async () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o700)
    await writeFilesTogether(new Map([[join(folder, 'a'), ['text']]]))
    expect(modeOf(join(folder, 'a'))).toBe(0o600)
  })
})

it('A file that stands as it would be written is left alone, but for who may read it', async () => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const path = join(folder, 'a')
  writeFileSync(path, 'text')
  chmodSync(path, 0o644)
  utimesSync(path, 1, 1)
  await writeChangedFile(path, ['te', 'xt'])
  expect([modeOf(path), statSync(path).mtimeMs]).toEqual([0o644, 1000])
  await writeChangedFile(path, ['te', 'xt'], true)
  expect([modeOf(path), statSync(path).mtimeMs]).toEqual([0o600, 1000])
  await writeChangedFile(path, ['other'], true)
  expect([modeOf(path), readFileSync(path, 'utf8')]).toEqual([0o600, 'other'])
  expect(readdirSync(folder)).toEqual(['a'])
})
