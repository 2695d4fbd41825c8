import { expect, test } from 'vitest'
import { memoryStore } from '../../../cache/memory-store.ts'
import { storeOver } from '../../../cache/store.ts'
import { digestOf, type Digest } from '../../../cache/values/digest.ts'
import { getRows, putRecord, RowTable, type RunRecord } from '../../../targets/record/record.ts'

const COUNT = 2345

const filled = (): RowTable => {
  const rows = new RowTable(2, COUNT)
  for (let row = 0; row < COUNT; row += 1) rows.set(row, row % 2, digestOf<'prompt'>(`row ${row}`))
  return rows
}

const record = { rows: COUNT, columns: 2, name: 'made up' } as RunRecord

test('The rows of a record come back each in its place, however many pieces they lie in.', async () => {
  const store = memoryStore()
  const rows = filled()
  const digest = await putRecord(record, rows, { store, access: 'public' })
  const again = getRows(digest, record, store)
  expect(again?.digest()).toBe(rows.digest())
  for (const row of [0, 1, 999, 1000, 1001, COUNT - 1]) {
    expect(again?.get(row, row % 2)).toBe(digestOf(`row ${row}`))
    expect(again?.get(row, 1 - (row % 2))).toBeUndefined()
  }
  await store.remove('records', `${digest}:1`)
  expect(getRows(digest, record, store)).toBeUndefined()
})

test('A record is told of only when it is stored, behind all of its rows.', async () => {
  const inner = memoryStore()
  const stored: string[] = []
  const slow = storeOver(inner, {
    put: async (table, id, value) => {
      await new Promise((resolve) => setImmediate(resolve))
      await inner.put(table, id, value)
      stored.push(id)
    },
  })
  const digest: Digest<'record'> = await putRecord(record, filled(), { store: slow, access: 'public' })
  expect(stored).toEqual([`${digest}:0`, `${digest}:1`, `${digest}:2`, digest])
})
