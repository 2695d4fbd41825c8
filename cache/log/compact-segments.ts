import type { Claims } from '../claims/claims.ts'
import { underWay } from '../lists.ts'
import { indexKey } from '../lmdb/index-entry.ts'
import type { ValueIndex } from '../lmdb/value-index.ts'
import type { Committer } from './committer.ts'
import { scanFile } from './scan-segment.ts'
import type { SegmentFiles } from './segment-files.ts'

/** What a compaction did. */
export interface Compaction {
  readonly segments: number
  /** Bytes that went away with them, bytes moved elsewhere not counted. */
  readonly freedBytes: number
}

interface CompactionParts {
  readonly index: ValueIndex
  readonly files: SegmentFiles
  /** Appends to a segment of its own. */
  readonly committer: Committer
  readonly claims: Claims
}

/** A segment is rewritten when at least this share of it is of no use, and some is. */
const WORTHWHILE = 0.1
const BATCH = 500

/** Bytes that the index still points at, by segment. */
const liveBytes = (index: ValueIndex): Map<number, number> => {
  const live = new Map<number, number>()
  for (const { location } of index.entries())
    live.set(location.segment, (live.get(location.segment) ?? 0) + location.size)
  return live
}

/** Moves what is live, and the removals, which a rebuilt index must still learn of; gives the bytes moved. */
const moveRecords = async (
  { index, files, committer }: CompactionParts,
  segment: number,
): Promise<number> => {
  let moved = 0
  const moves = underWay(BATCH)
  for (const finding of scanFile(files.path(segment))) {
    if (finding.type !== 'record') continue
    const { offset, size, header } = finding
    const key = Buffer.from(finding.key)
    const from = { segment, offset, size }
    if (header.kind === 'value') {
      const present = index.get(indexKey(key))
      if (present?.segment !== segment || present.offset !== offset) continue
    }
    moved += size
    await moves.add(
      committer.submit(Buffer.from(finding.bytes), key, { removal: header.kind === 'removal', from }),
    )
  }
  await moves.ended()
  return moved
}

/** Rewrites the segments that hold much that is of no use, unless a live process appends to them. */
export const compactSegments = async (
  parts: CompactionParts,
  leastUnused = WORTHWHILE,
): Promise<Compaction> => {
  const { index, files, claims } = parts
  const live = liveBytes(index)
  let segments = 0
  let freedBytes = 0
  for (const { segment, owner } of index.segments()) {
    if (owner !== '' && !claims.hasEnded(owner)) continue
    const size = files.size(segment) ?? 0
    const unused = 1 - (live.get(segment) ?? 0) / size
    if (size === 0 || unused === 0 || unused < leastUnused) continue
    const taken = await index.takeSegment(
      claims.self,
      (now) => now.find((entry) => entry.segment === segment && entry.owner === owner)?.segment,
    )
    if (taken === undefined) continue
    const moved = await moveRecords(parts, segment)
    await index.forgetSegment(segment)
    files.delete(segment)
    segments++
    freedBytes += size - moved
  }
  return { segments, freedBytes }
}
