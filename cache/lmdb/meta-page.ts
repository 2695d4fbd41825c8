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
export interface Tree {
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly entries: number
  /** Undefined where the tree is empty. */
  readonly root: number | undefined
}

export interface Meta {
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
