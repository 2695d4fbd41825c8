import {
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  isBefore,
  isSealed,
  noteLastSeen,
  readLastSeen,
  seal,
  sealFile,
  stateOf,
} from '../../../cache/lmdb/index-files.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const sealed = async (): Promise<string> => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, 'before')
  await seal(file)
  expect(isSealed(file)).toBe(true)
  return file
}

test('a seal does not count that may be as old as the last write', async () => {
  const file = await sealed()
  utimesSync(sealFile(file), 1, 1)
  expect(isSealed(file)).toBe(false)
})

test('what was written since shows, though size and time of the file are as before and the seal’s clock was ahead', async () => {
  const file = await sealed()
  const { atime, mtime } = statSync(file)
  utimesSync(file, atime, mtime)
  await seal(file)
  utimesSync(sealFile(file), 4e9, 4e9)
  expect(isSealed(file)).toBe(true)
  writeFileSync(file, 'after!')
  utimesSync(file, atime, mtime)
  expect(isSealed(file)).toBe(false)
})

test('bytes that changed by themselves show, though the system tells of no write', async () => {
  const file = await sealed()
  const before = [stateOf(file), readFileSync(sealFile(file), 'utf8')] as const
  writeFileSync(file, 'befope')
  // As if the disk had done it.
  writeFileSync(sealFile(file), before[1].replace(before[0], stateOf(file)))
  utimesSync(sealFile(file), 4e9, 4e9)
  expect(isSealed(file)).toBe(false)
  writeFileSync(file, 'before')
  writeFileSync(sealFile(file), before[1].replace(before[0], stateOf(file)))
  utimesSync(sealFile(file), 4e9, 4e9)
  expect(isSealed(file)).toBe(true)
})

test('a seal is no more open than what it is of', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, 'before', { mode: 0o600 })
  await seal(file)
  expect(statSync(sealFile(file)).mode & 0o777).toBe(0o600)
})

test('a device in the place of a seal is no seal, and gives way to one', async () => {
  const file = await sealed()
  rmSync(sealFile(file))
  symlinkSync('/dev/zero', sealFile(file))
  expect(isSealed(file)).toBe(false)
  await seal(file)
  expect(isSealed(file)).toBe(true)
})

test('a store is an older one where its last ownership is, or of the same one fewer bytes are there', () => {
  const now = { epoch: 2, bytes: 10 }
  const told = [
    { epoch: 1, bytes: 99 },
    { epoch: 2, bytes: 9 },
    { epoch: 2, bytes: 10 },
    { epoch: 3, bytes: 1 },
  ].map((one) => isBefore(one, now))
  expect(told).toEqual([true, true, false, false])
})

test('of notes of more than a thousand stores the older half goes, and what was noted last stays', () => {
  const notes = temporaryFolder()
  for (let n = 0; n < 1000; n += 1) {
    const note = join(notes, `old ${n}`)
    writeFileSync(note, '{}')
    utimesSync(note, 1000 + n, 1000 + n)
  }
  noteLastSeen(join(notes, 'new'), { epoch: 1, bytes: 2 })
  const left = readdirSync(notes)
  expect([left.length, left.includes('old 499'), left.includes('old 500')]).toEqual([501, false, true])
  expect(readLastSeen(join(notes, 'new'))).toEqual({ epoch: 1, bytes: 2 })
  expect(readLastSeen(join(notes, 'old 500'))).toBeUndefined()
})

// Needs the right to be somebody else.
test.skipIf(process.getuid?.() !== 0)(
  'a seal that its folder keeps for another user ends nothing badly, and counts no more',
  async () => {
    const file = await sealed()
    const folder = dirname(file)
    writeFileSync(file, 'after!')
    chmodSync(dirname(folder), 0o711)
    chmodSync(folder, 0o1777)
    process.seteuid?.(65_534)
    try {
      await seal(file)
      expect(isSealed(file)).toBe(false)
    } finally {
      process.seteuid?.(0)
    }
  },
)
