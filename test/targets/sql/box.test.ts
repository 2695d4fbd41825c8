import { readdirSync } from 'node:fs'
import init from '@sqlite.org/sqlite-wasm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSqlBox, type SqlBox } from '../../../targets/sql/box.ts'
import type { SqlOutcome } from '../../../targets/sql/outcome.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { HOSTILE } from './hostile-statements.ts'

/** A database of two small tables as the bytes of its file. */
const makeDatabase = async (): Promise<Uint8Array> => {
  const { oo1, capi } = await init()
  const db = new oo1.DB()
  db.exec(`create table item(id integer primary key, name text);
    insert into item values (1, 'one'), (2, 'two'), (3, null);
    create table other(x real); insert into other values (1.5), (2.0)`)
  const bytes = capi.sqlite3_js_db_export(db)
  db.close()
  return bytes
}

let box: SqlBox
const folder = temporaryFolder()
const home = process.cwd()

beforeAll(async () => {
  const database = await makeDatabase()
  process.chdir(folder)
  box = createSqlBox(() => Promise.resolve(database))
})

afterAll(async () => {
  await box.close()
  process.chdir(home)
})

const rowsOf = async (sql: string): Promise<SqlOutcome> => box.query(sql, 1000)
const CONTENT =
  "select (select group_concat(id || coalesce(name, '-')) from item), (select sum(x) from other), count(*) from sqlite_master"

test('gives rows with ints, reals, texts, blobs and nulls apart', async () => {
  expect(await rowsOf("select 1, 2.0, 'a', x'00ff', null, 9007199254740993 order by 1")).toEqual({
    kind: 'rows',
    rows: [[1n, 2, 'a', new Uint8Array([0, 255]), null, 9007199254740993n]],
  })
})

test('takes what double quotes hold for text where no column is called so, as Python’s libraries do', async () => {
  expect(await rowsOf('select "name", "nobody" from item where id = 1')).toEqual({
    kind: 'rows',
    rows: [['one', 'nobody']],
  })
})

test('has a clock and random numbers that stand still', async () => {
  const drawn = await rowsOf('select random(), randomblob(4)')
  expect(await rowsOf("select current_time, datetime('now'), datetime(current_time)")).toEqual({
    kind: 'rows',
    rows: [['23:59:00', '2105-12-31 23:59:00', '2000-01-01 23:59:00']],
  })
  expect(await rowsOf('select random(), randomblob(4)')).toEqual(drawn)
})

describe('hostile statements', () => {
  test('there are two hundred of them and more', () => {
    expect(new Set([...HOSTILE.refused, ...HOSTILE.greedy]).size).toBeGreaterThanOrEqual(200)
  })

  test('none writes or reaches out of the database: all are refused or fail', async () => {
    const before = await rowsOf(CONTENT)
    expect(before).toEqual({ kind: 'rows', rows: [['1one,2two,3-', 3.5, 2n]] })
    const passed: string[] = []
    for (const sql of HOSTILE.refused) {
      const outcome = await rowsOf(sql)
      // Some have nothing to do here, such as a drop of what isn't there.
      const isHarmless = outcome.kind === 'rows' && outcome.rows.length === 0
      if (!isHarmless && outcome.kind !== 'refused' && outcome.kind !== 'error') passed.push(sql)
    }
    expect(passed).toEqual([])
    expect(await rowsOf(CONTENT)).toEqual(before)
    expect(readdirSync(folder)).toEqual([])
  })

  test('none outlives its limits or takes the process down', async () => {
    for (const sql of HOSTILE.greedy) {
      const outcome = await box.query(sql, 150)
      if (outcome.kind === 'rows') expect(outcome.rows.length).toBeLessThanOrEqual(100_000)
      expect(['rows', 'error', 'stopped', 'refused']).toContain(outcome.kind)
    }
    expect(await rowsOf('select count(*) from item')).toEqual({ kind: 'rows', rows: [[3n]] })
  })
})

test.each([
  ['time', 'with recursive c(x) as (select 1 union all select x+1 from c) select count(*) from c'],
  ['time', "select instr(printf('%.*c', 20000000, 'a'), printf('%.*c', 10000000, 'a') || 'b')"],
  ['memory', 'select zeroblob(64000001)'],
  ['memory', "select replace(printf('%.*c', 60000, 'a'), 'a', printf('%.*c', 60000, 'b'))"],
  ['rows', 'with recursive c(x) as (select 1 union all select x+1 from c limit 100001) select x from c'],
] as const)('stops what breaks the %s limit', async (limit, sql) => {
  // Another limit than time is met first however busy the machine is.
  expect(await box.query(sql, limit === 'time' ? 1000 : 60_000)).toEqual({ kind: 'stopped', limit })
})

test('says so when the file is no database', async () => {
  const broken = createSqlBox(() => Promise.resolve(new TextEncoder().encode('no database'.repeat(100))))
  await expect(broken.query('select 1', 1000)).rejects.toThrow(/database/)
  await broken.close()
})
