import { closeSync, openSync, statSync } from 'node:fs'
import { readAll } from '../files/read.ts'

/** Reads bytes of the file at an offset: fewer at its end. The result need not outlive the next call. */
export type ReadAt = (offset: number, size: number) => Buffer

/** Gets key and data of every entry, in order. The data is valid during the call only. */
type EntryVisitor = (key: Buffer, data: Buffer) => void

const BRANCH = 0x01
const LEAF = 0x02
const OVERFLOW = 0x04
const KIND = 0xff
const NODE_HEADER = 8
const BIG_DATA = 0x01
const DEEPEST = 32
/** 1 TB of pages of 4 kB: no more is believed. */
const MOST_PAGES = 2 ** 28

class Damage extends Error {}

interface Node {
  /** Offset of the key in its page. */
  readonly at: number
  readonly keySize: number
  readonly flags: number
  /** Low 32 bits of a child's page number, or size of the data. */
  readonly low: number
}

/** Walks the trees of one snapshot, trusting no number in it. */
class PageWalk {
  readonly #read: ReadAt
  readonly #meta: Meta
  /** By page: 1 where it is known what it is for. */
  readonly #used: Uint8Array
  readonly #filePages: number
  /** Pages that may hold something. */
  readonly #pages: number
  #counts = { branch: 0, leaf: 0, overflow: 0, entries: 0 }

  constructor(read: ReadAt, meta: Meta, fileSize: number) {
    this.#read = read
    this.#meta = meta
    this.#filePages = Math.floor(fileSize / meta.pageSize)
    this.#pages = Math.min(meta.lastPage + 1, this.#filePages)
    this.#used = new Uint8Array(meta.lastPage + 1)
    this.#used.fill(1, 0, 2)
  }

  walk(tree: Tree, compare: (a: Buffer, b: Buffer) => number, visit: EntryVisitor): void {
    this.#counts = { branch: 0, leaf: 0, overflow: 0, entries: 0 }
    if (tree.depth > DEEPEST) throw new Damage(`a tree is ${tree.depth} levels deep`)
    let last: Buffer | undefined
    const inOrder: EntryVisitor = (key, data) => {
      if (last !== undefined && compare(last, key) >= 0) throw new Damage('its keys are out of order')
      last = key
      visit(key, data)
    }
    if (tree.root !== undefined) this.#page(tree.root, tree.depth, inOrder)
    const { branch, leaf, overflow, entries } = this.#counts
    if (branch !== tree.branchPages || leaf !== tree.leafPages || overflow !== tree.overflowPages)
      throw new Damage('a tree has other pages than it counts')
    if (entries !== tree.entries)
      throw new Damage(`a tree has ${entries} entries where it counts ${tree.entries}`)
  }

  /** Free pages must exist, once each, and must not be in use: LMDB would write over them. */
  checkFreeList(data: Buffer): void {
    const count = data.length < 8 ? -1 : Number(data.readBigInt64LE(0))
    if (count < 0 || (count + 1) * 8 > data.length) throw new Damage('its free list is cut off')
    let length = 1
    for (let i = 1; i <= count; i++) {
      const entry = Number(data.readBigInt64LE(i * 8))
      if (entry < 0) length = -entry
      if (entry <= 0) continue
      if (entry < 2 || entry + length - 1 > this.#meta.lastPage)
        throw new Damage('its free list names pages that do not exist')
      if (this.#used.subarray(entry, entry + length).includes(1))
        throw new Damage('its free list names pages that are in use or free already')
      this.#used.fill(1, entry, entry + length)
      length = 1
    }
  }

  /** Pages that were given out but lie beyond the end of the file must be free: nothing was written there. */
  checkEnd(): void {
    if (this.#used.subarray(this.#filePages).includes(0)) throw new Damage('its last pages are missing')
  }

  #take(page: number, count: number): void {
    if (!Number.isSafeInteger(page) || page < 2 || page + count > this.#pages)
      throw new Damage(`page ${page} is beyond its end`)
    for (let i = page; i < page + count; i++) {
      if (this.#used[i] === 1) throw new Damage(`page ${i} is used twice`)
      this.#used[i] = 1
    }
  }

  #page(number: number, depth: number, visit: EntryVisitor): void {
    this.#take(number, 1)
    const size = this.#meta.pageSize
    // Copied: the pages below this one are read into the same buffer.
    const page = Buffer.from(this.#read(number * size, size))
    this.#requireOwn(page, number, size)
    const kind = page.readUInt16LE(18) & KIND
    if (kind !== (depth > 1 ? BRANCH : LEAF)) throw new Damage(`page ${number} is of the wrong kind`)
    const nodes = this.#nodes(page, number)
    if (kind === LEAF) {
      this.#counts.leaf++
      this.#counts.entries += nodes.length
      for (const node of nodes) visit(page.subarray(node.at, node.at + node.keySize), this.#data(page, node))
      return
    }
    this.#counts.branch++
    if (nodes.length < 2) throw new Damage(`page ${number} has too few branches`)
    for (const { low, flags } of nodes) this.#page(low + flags * 2 ** 32, depth - 1, visit)
  }

  /** LMDB writes to a page of a later transaction where it lies, which in a file that is mapped to be read ends the process. */
  #requireOwn(page: Buffer, number: number, size: number): void {
    if (
      page.length < size ||
      page.readBigUInt64LE(0) !== BigInt(number) ||
      page.readBigUInt64LE(8) > this.#meta.transaction
    )
      throw new Damage(`page ${number} is not what it should be`)
  }

  #nodes(page: Buffer, number: number): Node[] {
    const room = page.length - PAGE_HEADER
    const lower = page.readUInt16LE(20)
    const upper = page.readUInt16LE(22)
    if (lower % 2 !== 0 || lower > upper || upper > room)
      throw new Damage(`page ${number} contradicts itself`)
    return Array.from({ length: lower / 2 }, (_, i) => {
      const start = page.readUInt16LE(PAGE_HEADER + i * 2)
      if (start < upper || start + NODE_HEADER > room)
        throw new Damage(`page ${number} has an entry outside of it`)
      const at = PAGE_HEADER + start
      const node = {
        low: page.readUInt32LE(at),
        flags: page.readUInt16LE(at + 4),
        keySize: page.readUInt16LE(at + 6),
        at: at + NODE_HEADER,
      }
      if (node.at + node.keySize > page.length) throw new Damage(`page ${number} has an entry outside of it`)
      return node
    })
  }

  #data(page: Buffer, node: Node): Buffer {
    const start = node.at + node.keySize
    if (node.flags === 0) {
      if (start + node.low > page.length) throw new Damage('an entry reaches beyond its page')
      return page.subarray(start, start + node.low)
    }
    if (node.flags !== BIG_DATA || start + 8 > page.length) throw new Damage('an entry is of an unknown kind')
    const first = Number(page.readBigUInt64LE(start))
    const count = Math.ceil((node.low + PAGE_HEADER) / this.#meta.pageSize)
    this.#take(first, count)
    this.#counts.overflow += count
    const bytes = this.#read(first * this.#meta.pageSize, PAGE_HEADER + node.low)
    this.#requireOwn(bytes, first, PAGE_HEADER + node.low)
    if ((bytes.readUInt16LE(18) & KIND) !== OVERFLOW) throw new Damage(`page ${first} is of the wrong kind`)
    return bytes.subarray(PAGE_HEADER)
  }
}

const compareIds = (a: Buffer, b: Buffer): number => {
  if (a.length !== 8 || b.length !== 8) throw new Damage('its free list has a strange key')
  const [left, right] = [a.readBigUInt64LE(), b.readBigUInt64LE()]
  return left < right ? -1 : left > right ? 1 : 0
}

/** What a sound LMDB file holds. */
interface PageReport {
  readonly pageSize: number
  readonly entries: number
}

/**
 * Reads an LMDB file page by page, without LMDB: that one takes every number in a file at its word and ends the
 * process on a wrong one. A file that passes can be opened safely. Gives what is wrong as a text.
 * The file must not be written to meanwhile.
 */
export const checkPages = (read: ReadAt, fileSize: number, visit: EntryVisitor): PageReport | string => {
  const meta = readMetas(read)
  if (typeof meta === 'string') return meta
  const { free, main, pageSize, lastPage } = meta
  // Another order of keys would hide all entries.
  if (main.flags !== 0 || lastPage >= MOST_PAGES || [free, main].some((tree) => (tree.root ?? 0) > lastPage))
    return 'its meta pages contradict themselves'
  try {
    const walk = new PageWalk(read, meta, fileSize)
    const freeLists: Buffer[] = []
    walk.walk(main, (a, b) => a.compare(b), visit)
    walk.walk(free, compareIds, (_, data) => freeLists.push(Buffer.from(data)))
    for (const list of freeLists) walk.checkFreeList(list)
    walk.checkEnd()
    return { pageSize, entries: main.entries }
  } catch (error) {
    if (error instanceof Damage) return error.message
    throw error
  }
}

/**
 * LMDB's data file as lmdb 3.5.6 writes it on 64-bit machines (its data format 2): the first two pages are meta
 * pages, of which the one with the higher transaction id counts. Numbers are little endian, page numbers 8 bytes.
 */
export const PAGE_HEADER = 24
const META_SIZE = 24 + 8 + 8 + 2 * 48 + 3 * 8
const MAGIC = 0xbeefc0de
const FORMAT = 2
const META_FLAG = 0x08
const NO_PAGE = 0xffff_ffff_ffff_ffffn

/** A tree of pages: the free list or the records. */
interface Tree {
  readonly flags: number
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly entries: number
  /** Undefined where the tree is empty. */
  readonly root: number | undefined
}

interface Meta {
  readonly pageSize: number
  readonly transaction: bigint
  /** Number of the last page ever used; the file may be shorter if only free pages follow. */
  readonly lastPage: number
  readonly free: Tree
  readonly main: Tree
}

const readTree = (page: Buffer, at: number): Tree => {
  const root = page.readBigUInt64LE(at + 40)
  return {
    flags: page.readUInt16LE(at + 4),
    depth: page.readUInt16LE(at + 6),
    branchPages: Number(page.readBigUInt64LE(at + 8)),
    leafPages: Number(page.readBigUInt64LE(at + 16)),
    overflowPages: Number(page.readBigUInt64LE(at + 24)),
    entries: Number(page.readBigUInt64LE(at + 32)),
    root: root === NO_PAGE ? undefined : Number(root),
  }
}

const isPageSize = (size: number): boolean => size >= 512 && size <= 65536 && (size & (size - 1)) === 0

/** A meta page, or what is wrong with it. */
const readMeta = (page: Buffer): Meta | string => {
  if (page.length < PAGE_HEADER + META_SIZE) return 'its meta pages are cut off'
  if ((page.readUInt16LE(18) & META_FLAG) === 0) return 'it does not start with a meta page'
  if (page.readUInt32LE(24) !== MAGIC) return 'it is no LMDB file'
  const format = page.readUInt32LE(28) & 0xffff
  if (format !== FORMAT) return `its LMDB format is ${format}, not ${FORMAT}`
  const pageSize = page.readUInt32LE(48)
  if (!isPageSize(pageSize)) return `its page size is ${pageSize}`
  return {
    pageSize,
    transaction: page.readBigUInt64LE(152),
    lastPage: Number(page.readBigUInt64LE(144)),
    free: readTree(page, 48),
    main: readTree(page, 96),
  }
}

/** The meta page that counts, or what is wrong with the two. `read` gives bytes at an offset, fewer at the end. */
export const readMetas = (read: (offset: number, size: number) => Buffer): Meta | string => {
  const first = readMeta(read(0, PAGE_HEADER + META_SIZE))
  if (typeof first === 'string') return first
  const second = readMeta(read(first.pageSize, PAGE_HEADER + META_SIZE))
  if (typeof second === 'string') return second
  if (second.pageSize !== first.pageSize) return 'its meta pages contradict each other'
  return second.transaction > first.transaction ? second : first
}

/** Runs `checkPages` on a file; undefined where there is none. @throws the system's error where it can't be read. */
export const checkIndex = (path: string, visit: EntryVisitor = () => {}): PageReport | string | undefined => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (!stat.isFile()) return 'it is not a file'
  const file = openSync(path, 'r')
  let buffer = Buffer.allocUnsafe(65536)
  const read = (offset: number, size: number): Buffer => {
    if (size > buffer.length) buffer = Buffer.allocUnsafe(size)
    return buffer.subarray(0, readAll(file, buffer, offset, size))
  }
  try {
    return checkPages(read, stat.size, visit)
  } finally {
    closeSync(file)
  }
}
