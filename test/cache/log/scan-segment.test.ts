import fs, { closeSync, openSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordKey } from '../../../cache/lmdb/index-entry.ts'
import { encodeRecord, readHeader, readPayload, recordSize, stampRecord } from '../../../cache/log/record.ts'
import { scanSegment, scanSegments, type Finding } from '../../../cache/log/scan-segment.ts'
import { segmentName } from '../../../cache/log/segment-files.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const file = join(temporaryFolder(), 'segment')

const scan = (bytes: Buffer): Finding[] => {
  writeFileSync(file, bytes)
  const handle = openSync(file, 'r')
  const findings: Finding[] = []
  try {
    for (const finding of scanSegment(handle))
      findings.push(finding.type === 'record' ? { ...finding, bytes: Buffer.from(finding.bytes) } : finding)
  } finally {
    closeSync(handle)
  }
  return findings
}

const record = (id: string, payload: string, counter: number): Buffer => {
  const bytes = encodeRecord('value', recordKey('files', id), payload)
  stampRecord(bytes, { epoch: 7, counter })
  return bytes
}

const contents = fc.array(fc.tuple(fc.string(), fc.string({ unit: 'binary', maxLength: 300 })), {
  minLength: 1,
})

test('finds every record of a sound segment, without gaps', () => {
  fc.assert(
    fc.property(contents, (pairs) => {
      const records = pairs.map(([id, payload], n) => record(id, payload, n))
      const found = scan(Buffer.concat(records))
      expect(found.map((finding) => finding.type === 'record' && finding.bytes)).toEqual(records)
    }),
  )
})

test('finds all but what was hit by wrong bytes, and accounts for every byte', () => {
  fc.assert(
    fc.property(contents, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 40 }), (pairs, at, wrong) => {
      const records = pairs.map(([id, payload], n) => record(id, payload, n))
      const bytes = Buffer.concat(records)
      const from = at % bytes.length
      bytes.set(wrong.subarray(0, bytes.length - from), from)
      const found = scan(bytes)
      expect(found.reduce((sum, { size }) => sum + size, 0)).toBe(bytes.length)
      let offset = 0
      for (const written of records) {
        const isHit = offset < from + wrong.length && offset + written.length > from
        const place = offset
        if (!isHit)
          expect(found.find((finding) => finding.offset === place)).toMatchObject({ bytes: written })
        offset += written.length
      }
      for (const finding of found)
        if (finding.type === 'record') expect(records.some((one) => one.equals(finding.bytes))).toBe(true)
    }),
  )
})

test('steps over records larger than its window and over noise longer than that', () => {
  const large = record('large', 'x'.repeat(3_000_000), 0)
  const noise = Buffer.alloc(2_500_001, 'MMR')
  const last = record('last', 'y', 1)
  const found = scan(Buffer.concat([large, noise, last, last.subarray(0, 20)]))
  expect(found.map(({ type, size }) => [type, size])).toEqual([
    ['record', large.length],
    ['damage', noise.length],
    ['record', last.length],
    ['unfinished', 20],
  ])
})

test('a record is read only as the value of its own key', () => {
  const bytes = record('a', '{"a":1}', 0)
  expect(readPayload(bytes, recordKey('files', 'a'))?.toString()).toBe('{"a":1}')
  expect(readPayload(bytes, recordKey('files', 'b'))).toBeUndefined()
  expect(readPayload(bytes, recordKey('traces', 'a'))).toBeUndefined()
  expect(readPayload(bytes.subarray(0, -1), recordKey('files', 'a'))).toBeUndefined()
  const removal = encodeRecord('removal', recordKey('files', 'a'), '')
  stampRecord(removal, { epoch: 1, counter: 2 })
  expect(readPayload(removal, recordKey('files', 'a'))).toBeUndefined()
  const header = readHeader(removal)
  expect(header).toMatchObject({ kind: 'removal', epoch: 1, counter: 2 })
  expect(header && recordSize(header)).toBe(removal.length)
})

test('finds what was appended behind a record that a killed writer left half', () => {
  const whole = [record('after', 'short', 2), record('later', 'y'.repeat(900), 3)]
  const half = record('torn', 'x'.repeat(500), 1).subarray(0, 120)
  const found = scan(Buffer.concat([record('before', 'sound', 0), half, ...whole]))
  expect(found.map(({ type }) => type)).toEqual(['record', 'damage', 'record', 'record'])
  expect(found.slice(2)).toMatchObject(whole.map((bytes) => ({ bytes })))
})

test('finds a record wherever it begins behind noise that fills the window', () => {
  const last = record('last', 'y', 1)
  for (let short = 0; short < 6; short += 1) {
    const noise = Buffer.alloc(2 ** 20 - short + 1, 'x')
    expect(scan(Buffer.concat([noise, last])).map(({ type, size }) => [type, size])).toEqual([
      ['damage', noise.length],
      ['record', last.length],
    ])
  }
})

test('a payload of which one bit is wrong is none, packed or plain', () => {
  for (const payload of ['{"a":1}', JSON.stringify({ text: 'fever '.repeat(900) })]) {
    const bytes = record('a', payload, 0)
    expect(readPayload(bytes, recordKey('files', 'a'))?.toString()).toBe(payload)
    const last = bytes.length - 1
    bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last)
    expect(readPayload(bytes, recordKey('files', 'a'))).toBeUndefined()
  }
})

test.each([
  ['EIO', true],
  ['EUCLEAN', true],
  ['EBADMSG', true],
  ['EMFILE', false],
  ['EACCES', false],
])(
  'where the disk fails in the midst of a segment with %s the rest of it is damage: %j',
  (code, isDamage) => {
    const folder = temporaryFolder()
    const records = [record('large', 'x'.repeat(2 ** 20), 0), record('last', 'y', 1)]
    writeFileSync(join(folder, segmentName(1)), Buffer.concat(records))
    const found: unknown[] = []
    const scanAll = (): void => {
      for (const { finding } of scanSegments(folder)) {
        found.push([finding.type, finding.offset, finding.size])
        // What lies behind the first has not been read yet.
        fs.readSync = () => {
          throw Object.assign(new Error(code), { code })
        }
        syncBuiltinESMExports()
      }
    }
    const [large = 0, last = 0] = records.map(({ length }) => length)
    const { readSync } = fs
    try {
      if (isDamage) scanAll()
      else expect(scanAll).toThrow(code)
    } finally {
      fs.readSync = readSync
      syncBuiltinESMExports()
    }
    expect(found).toEqual([['record', 0, large], ...(isDamage ? [['damage', large, last]] : [])])
  },
)
