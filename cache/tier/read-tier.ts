import { fstatSync } from 'node:fs'
import { parseRecordKey } from '../lmdb/index-key.ts'
import { readPayload } from '../log/record.ts'
import { scanSegment } from '../log/scan-segment.ts'
import { isShared, type RawValue } from '../values/raw-value.ts'
import type { StoreTable } from '../store.ts'
import { segmentsFolder, type Tier } from './tier.ts'

/** What a reading of a tier met that is no value: told of, left out. */
export interface TierDamage {
  readonly segment: string
  readonly bytes: number
}

export interface TierReading {
  /** Of the vault's key; absent for what lies in the open. */
  readonly mark?: string
  readonly onDamage: (damage: TierDamage) => void
  /** Segments to leave out, by name and bytes: what was read before is there. */
  readonly skips?: (name: string, bytes: number) => boolean
  /** What of a segment is wanted; all unless given. */
  readonly wants?: (name: string, table: StoreTable) => boolean
  /** A segment was read to its end, or to where its writer is at work. */
  readonly onRead?: (name: string, bytes: number) => void
}

/** Marks of the vaults of which a tier holds something. */
export const tierMarks = async (tier: Tier): Promise<readonly string[]> => [
  ...new Set((await tier.list('segments-sealed')).flatMap(({ name }) => name.split('/')[1] ?? [])),
]

/**
 * All values of a tier's segments, in no order that matters; several of one id are possible. The unfinished end of a
 * segment is its writer's business.
 */
export async function* tierValues(
  tier: Tier,
  { mark, onDamage, skips = () => false, wants = () => true, onRead }: TierReading,
): AsyncGenerator<RawValue, void, undefined> {
  for (const { name, bytes } of await tier.list(segmentsFolder(mark))) {
    if (!name.endsWith('.log') || (bytes !== undefined && skips(name, bytes))) continue
    const opened = await tier.open(name)
    if (opened === undefined) continue
    try {
      const size = fstatSync(opened.file).size
      if (skips(name, size)) continue
      for (const value of segmentValues(opened.file, (lost) => onDamage({ segment: name, bytes: lost })))
        if (wants(name, value.table)) yield value
      onRead?.(name, size)
    } finally {
      opened.close()
    }
  }
}

function* segmentValues(
  file: number,
  onDamage: (bytes: number) => void,
): Generator<RawValue, void, undefined> {
  for (const finding of scanSegment(file)) {
    if (finding.type === 'damage') onDamage(finding.size)
    if (finding.type !== 'record' || finding.header.kind !== 'value') continue
    const parsed = parseRecordKey(finding.key)
    if (parsed === undefined || !isShared(parsed.table)) continue
    const payload = readPayload(finding.bytes, finding.key)
    if (payload === undefined) onDamage(finding.size)
    else yield { ...parsed, payload }
  }
}
