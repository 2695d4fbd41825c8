import { cpSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import { CODEC, pack, packedFrom, unpack } from '../../../cache/log/record.ts'
import { openStore } from '../../../cache/open-store.ts'
import { repairStore } from '../../../cache/repair-store.ts'
import type { StoreTable } from '../../../cache/store.ts'
import { verifyStore } from '../../../cache/verify-store.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

/** Replies are packed only when they are long. */
const LONG = 200

const noise = Array.from({ length: 60 }, (_, n) => digestOf(`${n}`)).join('')

describe('payloads', () => {
  test.each([
    ['short ones', Buffer.from('{"a":1}'), CODEC.plain],
    ['long texts', Buffer.from(JSON.stringify({ text: 'fever and cough '.repeat(200) })), CODEC.deflate],
    ['lists', Buffer.from(JSON.stringify(Array(900).fill(1))), CODEC.deflate],
    ['sealed values', Buffer.from(JSON.stringify(Buffer.from(noise, 'hex').toString('base64'))), CODEC.plain],
    [
      'what gets no smaller',
      Buffer.from(`{${Buffer.from(noise, 'hex').toString('latin1')}`, 'latin1'),
      CODEC.plain,
    ],
    ['nothing', Buffer.alloc(0), CODEC.plain],
  ])('%s come back as they were', (_, payload, codec) => {
    const packed = pack(payload)
    expect(packed.codec).toBe(codec)
    expect(unpack(packed)?.equals(payload)).toBe(true)
  })

  test('of 1 kB are packed but in replies and instances, which are looked up the most, and those from 4 kB on', () => {
    const payloads = [1023, 1024, 4095, 4096].map((size) => Buffer.from(`"${'a'.repeat(size - 2)}"`))
    const packed = (table: StoreTable): readonly boolean[] =>
      payloads.map(
        (bytes) => pack(Buffer.from(bytes).fill('[', 0, 1), packedFrom(table)).codec !== CODEC.plain,
      )
    expect(packed('metrics')).toEqual([false, true, true, true])
    expect(packed('prompts')).toEqual([false, true, true, true])
    expect(packed('completions')).toEqual([false, false, false, true])
    expect(packed('instances')).toEqual([false, false, false, true])
  })

  test('are packed only where that saves a tenth of them', () => {
    // Noise keeps its length; of what repeats next to nothing is left.
    const bytes = Buffer.from(noise, 'hex').subarray(0, 1700)
    const saving = (repeated: number): Buffer =>
      Buffer.concat([Buffer.from('{'), bytes, Buffer.alloc(repeated)])
    expect([100, 400].map((repeated) => pack(saving(repeated)).codec)).toEqual([CODEC.plain, CODEC.deflate])
  })

  test('that are no such thing are missing', () => {
    expect(unpack({ codec: CODEC.deflate, bytes: Buffer.from('hello') })).toBeUndefined()
    expect(unpack({ codec: 9, bytes: Buffer.from('hello') })).toBeUndefined()
    const whole = deflateRawSync('x'.repeat(5000))
    expect(unpack({ codec: CODEC.deflate, bytes: whole.subarray(0, 10) })).toBeUndefined()
  })
})

const value = (n: number) => ({
  n,
  text: `instance ${n}: the patient was admitted with fever, `.repeat(n < 3 ? 40 : LONG),
})
const FORMAT_1 = join(import.meta.dirname, '../../fixtures/store-format-1')

test('a store of format 1 is read, gets packed values beside its own, and is mended as one', async () => {
  const path = join(temporaryFolder(), 'store')
  cpSync(FORMAT_1, path, { recursive: true })
  const reader = await openStore({
    path,
    readOnly: true,
    onEvent: (event) => expect.fail(JSON.stringify(event)),
  })
  for (let n = 0; n < 3; n++) expect(reader.get('completions', digestOf(`call ${n}`))).toEqual(value(n))
  await reader.close()
  const before = statSync(join(path, 'values/00000001.log')).size
  const store = await openStore({ path, onEvent: (event) => expect.fail(JSON.stringify(event)) })
  for (let n = 3; n < 6; n++) await store.put('completions', digestOf(`call ${n}`), value(n))
  for (let n = 0; n < 6; n++) expect(store.get('completions', digestOf(`call ${n}`))).toEqual(value(n))
  await store.close()
  expect(statSync(join(path, 'values/00000001.log')).size - before).toBeLessThan(before / 2)
  expect(await verifyStore(path)).toMatchObject({ sound: true })
  await repairStore(path)
  const again = await openStore({ path, onEvent: (event) => expect.fail(JSON.stringify(event)) })
  for (let n = 0; n < 6; n++) expect(again.get('completions', digestOf(`call ${n}`))).toEqual(value(n))
  await again.close()
})
