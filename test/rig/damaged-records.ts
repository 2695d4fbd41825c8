import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseRecordKey } from '../../cache/lmdb/index-entry.ts'
import { HEADER_SIZE } from '../../cache/log/record.ts'
import { scanSegments } from '../../cache/log/scan-segment.ts'
import { segmentName } from '../../cache/log/segment-files.ts'
import type { StoreTable } from '../../cache/store.ts'
import { valuesFolder } from '../../cache/store-folder.ts'

/** A value of a store, where it lies in the log. */
export interface LoggedValue {
  readonly id: string
  readonly file: string
  /** Of the first byte of its payload. */
  readonly offset: number
  /** Bytes of the payload. */
  readonly size: number
}

/** The values of a table, in the order of the log. */
export const loggedValues = (store: string, table: StoreTable): readonly LoggedValue[] => {
  const found: LoggedValue[] = []
  for (const { segment, finding } of scanSegments(valuesFolder(store))) {
    if (finding.type !== 'record' || finding.header.kind !== 'value') continue
    const parsed = parseRecordKey(Buffer.from(finding.key))
    if (parsed?.table !== table) continue
    const before = HEADER_SIZE + finding.header.keySize
    const file = join(valuesFolder(store), segmentName(segment))
    found.push({ id: parsed.id, file, offset: finding.offset + before, size: finding.size - before })
  }
  return found
}

/** Flips one bit in the midst of a value. */
export const flipBit = ({ file, offset, size }: LoggedValue): void => {
  const handle = openSync(file, 'r+')
  try {
    const byte = Buffer.alloc(1)
    const at = offset + Math.floor(size / 2)
    readSync(handle, byte, 0, 1, at)
    writeSync(handle, Buffer.of((byte[0] ?? 0) ^ 4), 0, 1, at)
  } finally {
    closeSync(handle)
  }
}
