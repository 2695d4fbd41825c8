import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { open } from 'lmdb'
import { openStore, tellIfOlder } from '../../cache/open-store.ts'
import { packageRoot } from '../../cache/package-root.ts'
import { repairStore } from '../../cache/repair-store.ts'
import { verifyStore } from '../../cache/verify-store.ts'
import { temporaryFolder } from '../rig/temporary-folder.ts'

const openAt = (path: string, readOnly = false): ReturnType<typeof openStore> =>
  openStore({ path, readOnly, onEvent: () => {} })

test('a path that is a file, or below one, is refused', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, 'hello')
  for (const path of [file, join(file, 'store')])
    for (const readOnly of [false, true])
      await expect(openAt(path, readOnly)).rejects.toMatchObject({
        problems: [{ code: 'cache/not-a-folder', where: { file: path } }],
      })
})

test('there is nothing to read, to verify or to repair where there is no store', async () => {
  const folder = temporaryFolder()
  for (const path of [folder, join(folder, 'missing')])
    await expect(openAt(path, true)).rejects.toThrow('cache/no-store')
  await expect(verifyStore(join(folder, 'missing'))).rejects.toThrow('cache/no-store')
  await expect(repairStore(join(folder, 'missing'))).rejects.toThrow('cache/no-store')
  expect(readdirSync(folder)).toEqual([])
})

test.for([16, 8192, 12_288])(
  'an index that a power cut left half made, %i bytes of zeros without a segment beside it, is made anew by who may write',
  async (size) => {
    const path = temporaryFolder()
    writeFileSync(join(path, 'index.lmdb'), Buffer.alloc(size))
    await expect(openAt(path, true)).rejects.toThrow('cache/damaged')
    const store = await openAt(path)
    await store.put('files', 'a', 1)
    await store.close()
    expect(await verifyStore(path)).toMatchObject({ sound: true })
    // With a segment beside it, it stays for a repair to keep.
    writeFileSync(join(path, 'index.lmdb'), Buffer.alloc(size))
    await expect(openAt(path)).rejects.toThrow('cache/damaged')
    expect(statSync(join(path, 'index.lmdb')).size).toBe(size)
  },
)

test('a store that no put has reached yet is sound', async () => {
  const path = join(temporaryFolder(), 'store')
  await (await openAt(path)).close()
  expect(await verifyStore(path)).toMatchObject({ sound: true })
  const reader = await openAt(path, true)
  expect(reader.get('files', 'a')).toBeUndefined()
  await reader.close()
})

test('an index that was begun and not finished starts anew', async () => {
  const path = join(temporaryFolder(), 'store')
  mkdirSync(path)
  writeFileSync(join(path, 'index.lmdb'), '')
  const store = await openAt(path)
  await store.put('files', 'a', 1)
  expect(store.get('files', 'a')).toBe(1)
  await store.close()
})

test('a store of another format is told of and left alone', async () => {
  const path = join(temporaryFolder(), 'store')
  await (await openAt(path)).close()
  const file = join(path, 'index.lmdb')
  const db = open({ path: file, noSubdir: true, encoding: 'binary', keyEncoding: 'binary' })
  await db.put(Buffer.from([0xf1, ...Buffer.from('format')]), Buffer.from('99'))
  await db.close()
  await expect(openAt(path)).rejects.toThrow('cache/other-version')
  await expect(openAt(path, true)).rejects.toThrow('cache/other-version')
  await expect(verifyStore(path)).rejects.toThrow('cache/other-version')
  // What it does not know would be missing in what it makes of it.
  await expect(repairStore(path)).rejects.toThrow('cache/other-version')
  expect(readdirSync(path).filter((name) => name.startsWith('index.lmdb.'))).toEqual(['index.lmdb.seal'])
})

test('many openings at once all get the same store', async () => {
  const path = join(temporaryFolder(), 'store')
  const stores = await Promise.all(Array.from({ length: 8 }, () => openAt(path)))
  await Promise.all(stores.map((store, n) => store.put('files', String(n), n)))
  for (const store of stores) expect([...store.entries('files')]).toHaveLength(8)
  await Promise.all(stores.map((store) => store.close()))
  rmSync(join(path, 'index.lmdb.seal'))
  const store = await openAt(path)
  expect([...store.entries('files')]).toHaveLength(8)
  await store.close()
  expect(readdirSync(join(path, 'claims'))).toEqual([])
})

test('the package’s root is where its package.json is', () => {
  expect(readdirSync(packageRoot())).toContain('package.json')
  expect(import.meta.dirname.startsWith(packageRoot())).toBe(true)
})

test.each([0o002, 0o022, 0o077])(
  'files of a store are open to whom a umask of %i leaves them',
  async (umask) => {
    const path = join(temporaryFolder(), 'store')
    const before = process.umask(umask)
    try {
      const store = await openAt(path)
      await store.put('traces', 'a', 1)
      await store.close()
    } finally {
      process.umask(before)
    }
    for (const file of ['index.lmdb', 'index.lmdb-lock', 'index.lmdb.seal', 'values/00000001.log'])
      expect(statSync(join(path, file)).mode & 0o666, file).toBe(0o664 & ~umask)
  },
)

test('a store that is older than what was here, or gone, is told with the bytes that it lacks', () => {
  const told: unknown[] = []
  const path = join(temporaryFolder(), 'store')
  const notes = join(path, '../notes')
  const tell = (epoch: number, bytes: number) =>
    tellIfOlder({ path, notes, onEvent: (event) => void told.push(event) }, { epoch, bytes })
  tell(0, 0)({ epoch: 3, bytes: 500 })
  tell(3, 500)({ epoch: 3, bytes: 700 })
  tell(4, 100)
  expect(told).toEqual([])
  tell(3, 500)
  tell(2, 900)
  tellIfOlder({ path, notes, onEvent: (event) => void told.push(event) })
  expect(told).toEqual([200, 0, 700].map((bytes) => ({ type: 'store-older', folder: path, bytes })))
})
