import { readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import {
  checkIndex,
  checkPages,
  type ReadAt,
  PAGE_HEADER,
  readMetas,
} from '../../../cache/lmdb/check-pages.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

type Content = Map<string, string>

const key = (n: number): Buffer => Buffer.from(digestOf(`key ${n}`), 'hex')

/** Writes, overwrites and removes in many transactions, as they come to pages of all kinds. */
const grow = async (path: string, rounds: number): Promise<Content> => {
  const db = open<Buffer, Buffer>({
    path,
    noSubdir: true,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
    noSync: true,
  })
  const content: Content = new Map()
  for (let round = 0; round < rounds; round++) {
    const work: Promise<boolean>[] = []
    for (let i = 0; i < 200; i++) {
      const entry = key((round * 131 + i * 7) % 3000)
      if ((round + i) % 3 === 0) {
        content.delete(entry.toString('hex'))
        work.push(db.remove(entry))
      } else {
        const value = Buffer.from(`${round} ${'v'.repeat(i % 40)}`)
        content.set(entry.toString('hex'), value.toString())
        work.push(db.put(entry, value))
      }
    }
    await Promise.all(work)
  }
  await db.close()
  return content
}

const read = (path: string): { content: Content; report: ReturnType<typeof checkIndex> } => {
  const content: Content = new Map()
  const report = checkIndex(path, (entry, data) => content.set(entry.toString('hex'), data.toString()))
  return { content, report }
}

test('a file that LMDB wrote passes, and its entries are those that LMDB has', async () => {
  for (const rounds of [0, 1, 40, 150]) {
    const path = join(temporaryFolder(), 'db')
    const content = await grow(path, rounds)
    const found = read(path)
    expect(found.report).toMatchObject({ entries: content.size, pageSize: 4096 })
    expect(found.content).toEqual(content)
    expect([...found.content.keys()]).toEqual([...content.keys()].sort())
  }
})

test('a tree of no more than two leaves passes', async () => {
  const path = join(temporaryFolder(), 'db')
  const db = open<Buffer, Buffer>({ path, noSubdir: true, encoding: 'binary', keyEncoding: 'binary' })
  for (let n = 0; n < 60; n++) void db.put(key(n), Buffer.alloc(40))
  await db.close()
  const meta = readMetas(readOf(readFileSync(path)))
  expect(typeof meta === 'string' ? meta : meta.main).toMatchObject({ branchPages: 1, leafPages: 2 })
  expect(read(path).report).toMatchObject({ entries: 60 })
})

test('a file cut anywhere is never read beyond its end', async () => {
  const path = join(temporaryFolder(), 'db')
  const content = await grow(path, 20)
  for (let size = statSync(path).size - 1; size > 0; size -= 4099) {
    truncateSync(path, size)
    const { report, content: found } = read(path)
    // Cut-off pages that were free are no loss.
    if (typeof report === 'string') expect(report).not.toBe('')
    else expect(found).toEqual(content)
  }
})

test('wrong bytes never make it fail otherwise than with a text', async () => {
  const path = join(temporaryFolder(), 'db')
  await grow(path, 30)
  const sound = readFileSync(path)
  let refused = 0
  for (let round = 0; round < 1000; round++) {
    const bytes = Buffer.from(sound)
    const seed = Buffer.from(digestOf(`round ${round}`), 'hex')
    bytes.set(seed.subarray(4, 5 + (round % 8)), seed.readUInt32LE(0) % (bytes.length - 8))
    const report = checkPages(
      (offset, size) => bytes.subarray(offset, offset + size),
      bytes.length,
      () => {},
    )
    if (typeof report === 'string') refused++
  }
  expect(refused).toBeGreaterThan(30)
})

/** The bytes of a file with the entries `first` and `other`, the value of the latter on pages of its own. */
const twoEntries = async (): Promise<Buffer> => {
  const path = join(temporaryFolder(), 'db')
  const db = open<Buffer, Buffer>({ path, noSubdir: true, encoding: 'binary', keyEncoding: 'binary' })
  await db.put(Buffer.from('first'), Buffer.from('1'))
  await db.put(Buffer.from('other'), Buffer.alloc(5000, 'v'))
  await db.close()
  return readFileSync(path)
}

const readOf =
  (bytes: Buffer): ReadAt =>
  (offset, size) =>
    bytes.subarray(offset, offset + size)

const check = (bytes: Buffer): unknown => checkPages(readOf(bytes), bytes.length, () => {})

/** Changes the file behind each of its copies of a key: a page that was written anew still stands there. */
const behind = (bytes: Buffer, text: string, change: (at: number) => void): void => {
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) change(at + text.length)
}

test('one key twice is out of order', async () => {
  const bytes = await twoEntries()
  expect(check(bytes)).toMatchObject({ entries: 2 })
  behind(bytes, 'first', (at) => bytes.write('other', at - 5))
  expect(check(bytes)).toBe('its keys are out of order')
})

test('a value whose last page is the first behind the end lies beyond it', async () => {
  const bytes = await twoEntries()
  const meta = readMetas(readOf(bytes))
  const last = typeof meta === 'string' ? 0 : meta.lastPage
  behind(bytes, 'other', (at) => bytes.writeBigUInt64LE(BigInt(last), at))
  expect(check(bytes)).toBe(`page ${last} is beyond its end`)
})

/** Where a file's lists of free pages stand. */
const freeLists = (bytes: Buffer): readonly number[] => {
  const meta = readMetas(readOf(bytes))
  const page = typeof meta === 'string' ? 0 : (meta.free.root ?? 0) * meta.pageSize
  // Behind eight bytes of the node's own and eight of its key comes how many there are.
  return Array.from(
    { length: bytes.readUInt16LE(page + 20) / 2 },
    (_, node) => page + PAGE_HEADER + bytes.readUInt16LE(page + PAGE_HEADER + node * 2) + 16,
  )
}

/** Where the first entry of a list stands that has one behind it. */
const freeEntry = (bytes: Buffer): number => {
  const list = freeLists(bytes).find((each) => bytes.readBigInt64LE(each) > 1n)
  return list === undefined ? expect.fail('there is none') : list + 8
}

test('a page behind the end, or a row of pages that goes on behind it, is not free', async () => {
  const path = join(temporaryFolder(), 'db')
  await grow(path, 40)
  const bytes = readFileSync(path)
  const meta = readMetas(readOf(bytes))
  const lastPage = typeof meta === 'string' ? 0 : meta.lastPage
  expect(check(bytes)).toMatchObject({ pageSize: 4096 })
  // A number below zero says how many the next one stands for.
  for (const entry of [lastPage + 1, -lastPage]) {
    bytes.writeBigInt64LE(BigInt(entry), freeEntry(bytes))
    expect(check(bytes)).toBe('its free list names pages that do not exist')
  }
})

test('of a row of free pages none is in use', async () => {
  const path = join(temporaryFolder(), 'db')
  await grow(path, 40)
  const bytes = readFileSync(path)
  const at = freeEntry(bytes)
  let page = 0n
  for (const list of freeLists(bytes)) {
    const entries = Number(bytes.readBigInt64LE(list))
    for (let entry = list + 8; entry <= list + entries * 8; entry += 8) {
      if (bytes.readBigInt64LE(entry) > 0n) page = bytes.readBigInt64LE(entry)
      bytes.writeBigInt64LE(0n, entry)
    }
  }
  const checkRow = (length: number): unknown => {
    bytes.writeBigInt64LE(BigInt(-length), at)
    bytes.writeBigInt64LE(page, at + 8)
    return check(bytes)
  }
  expect(checkRow(1)).toMatchObject({ pageSize: 4096 })
  expect(checkRow(bytes.length / 4096 - Number(page))).toBe(
    'its free list names pages that are in use or free already',
  )
})

test('pages that were given out, are not free, and lie behind the end are missing', async () => {
  const bytes = await twoEntries()
  const meta = readMetas(readOf(bytes))
  const lastPage = typeof meta === 'string' ? 0 : meta.lastPage
  // It stands in each of the two meta pages behind 24 + 24 bytes and two trees.
  for (const page of [0, 4096]) {
    const at = page + PAGE_HEADER + 24 + 2 * 48
    if (bytes.readBigUInt64LE(at) === BigInt(lastPage)) bytes.writeBigUInt64LE(BigInt(lastPage + 1), at)
  }
  expect(check(bytes)).toBe('its last pages are missing')
})

test('a page of a transaction that never was is none: LMDB would write to it where it lies', async () => {
  const bytes = await twoEntries()
  const meta = readMetas(readOf(bytes))
  const { transaction, root } =
    typeof meta === 'string' ? expect.fail(meta) : { ...meta, root: meta.main.root ?? 0 }
  const big = Number(bytes.readBigUInt64LE(bytes.indexOf('other', root * 4096) + 5))
  for (const page of [root, big]) {
    const at = page * 4096 + 8
    const before = bytes.readBigUInt64LE(at)
    bytes.writeBigUInt64LE(transaction, at)
    expect(check(bytes)).toMatchObject({ entries: 2 })
    bytes.writeBigUInt64LE(transaction + 1n, at)
    expect(check(bytes)).toBe(`page ${page} is not what it should be`)
    bytes.writeBigUInt64LE(before, at)
  }
})

test('a tree that says to be in another order than by bytes contradicts itself', async () => {
  for (const flag of [2, 4, 8]) {
    const bytes = await twoEntries()
    for (const page of [0, 4096]) bytes.writeUInt16LE(flag, page + PAGE_HEADER + 24 + 48 + 4)
    expect(check(bytes)).toBe('its meta pages contradict themselves')
  }
})

test.each([
  ['branch', 8],
  ['leaf', 16],
  ['overflow', 24],
])('a tree that counts one %s page more than it has is damaged', async (_kind, field) => {
  const bytes = await twoEntries()
  for (const page of [0, 4096]) {
    const at = page + PAGE_HEADER + 24 + 48 + field
    bytes.writeBigUInt64LE(bytes.readBigUInt64LE(at) + 1n, at)
  }
  expect(check(bytes)).toBe('a tree has other pages than it counts')
})
