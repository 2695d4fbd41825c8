import { indexKey, type Location } from '../lmdb/index-entry.ts'
import type { IndexChange, ValueIndex } from '../lmdb/value-index.ts'
import { isLater, type RecordHeader } from './record.ts'
import { scanFile, scanSegments } from './scan-segment.ts'
import { listSegments, SegmentFiles } from './segment-files.ts'
import { valuesFolder } from '../store-folder.ts'

interface Word {
  readonly key: Buffer
  readonly header: RecordHeader
  readonly location: Location
}

interface Tail {
  readonly segment: number
  readonly from: number
  readonly to: number
}

/** What lies in the log behind the ends that the index knows: of a process that was stopped, or behind an older index. */
const tailsOf = (index: ValueIndex, files: SegmentFiles, folder: string): readonly Tail[] =>
  listSegments(valuesFolder(folder)).flatMap((segment) => {
    const to = files.size(segment) ?? 0
    const from = index.end(segment) ?? to
    return from < to ? [{ segment, from, to }] : []
  })

/** True where the log holds what the index has not heard of. To be asked while nobody else writes. */
export const isBehind = (index: ValueIndex, folder: string): boolean =>
  tailsOf(index, new SegmentFiles(valuesFolder(folder)), folder).length > 0

/**
 * Brings the index up to the log: lists what was synced and never listed. To be called while nobody else has the store
 * open; how many records came back.
 */
export const rollForward = async (index: ValueIndex, folder: string): Promise<number> => {
  const files = new SegmentFiles(valuesFolder(folder))
  try {
    const tails = tailsOf(index, files, folder)
    const { words, epoch } = readTails(tails, files)
    for (const [name, { key, header }] of words) {
      const present = files.header(index.get(key))
      if (present === undefined ? header.kind === 'removal' : !isLater(header, present)) words.delete(name)
    }
    dropRemoved(words, index, folder)
    const changes = [...words.values()].map(({ key, header, location }): IndexChange =>
      header.kind === 'removal' ? { key } : { key, location },
    )
    await index.adopt(
      tails.map(({ segment }) => segment),
      epoch,
    )
    await index.apply(changes, new Map(tails.map(({ segment, to }) => [segment, to])))
    return changes.length
  } finally {
    files.close()
  }
}

/** The last word of the tails on each key. */
const readTails = (
  tails: readonly Tail[],
  files: SegmentFiles,
): { readonly words: Map<string, Word>; readonly epoch: number } => {
  const words = new Map<string, Word>()
  let epoch = 0
  for (const { segment, from } of tails) {
    for (const finding of scanFile(files.path(segment), from)) {
      if (finding.type !== 'record') continue
      const { header, offset, size } = finding
      epoch = Math.max(epoch, header.epoch)
      const key = Buffer.from(indexKey(Buffer.from(finding.key)))
      const name = key.toString('latin1')
      const before = words.get(name)
      if (before === undefined || isLater(header, before.header))
        words.set(name, { key, header, location: { segment, offset, size } })
    }
  }
  return { words, epoch }
}

/** Of a value that the index lacks, a later removal may be listed: only the whole log tells. */
const dropRemoved = (words: Map<string, Word>, index: ValueIndex, folder: string): void => {
  const doubtful = new Set(
    [...words].flatMap(([name, { key }]) => (index.get(key) === undefined ? [name] : [])),
  )
  if (doubtful.size === 0) return
  for (const { finding } of scanSegments(valuesFolder(folder))) {
    if (finding.type !== 'record' || finding.header.kind !== 'removal') continue
    const name = indexKey(Buffer.from(finding.key)).toString('latin1')
    const word = doubtful.has(name) ? words.get(name) : undefined
    if (word !== undefined && isLater(finding.header, word.header)) words.delete(name)
  }
}
