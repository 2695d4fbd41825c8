import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { type Float, repr } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { arrowTable } from '../../../benchmarks/sources/arrow/arrow-table.ts'
import { csvTable } from '../../../benchmarks/sources/csv/csv-table.ts'
import { jsonLines } from '../../../benchmarks/sources/json-table.ts'
import { parquetTable } from '../../../benchmarks/sources/parquet/parquet-table.ts'
import { parseJson } from '../../../benchmarks/sources/parse-json.ts'
import { decodeText } from '../../../benchmarks/sources/read-text.ts'
import type { Table } from '../../../benchmarks/sources/table.ts'
import { gunzip } from '../../../benchmarks/sources/unzip.ts'
import { xmlTree, type XmlElement } from '../../../benchmarks/sources/xml/xml-tree.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

/** A made-up file, and what Python's reader gave for it, each value with its type before it; null where it refused. */
interface Case {
  readonly format: keyof typeof READERS
  readonly name: string
  readonly text?: string
  readonly base64?: string
  readonly python: unknown
}

/**
 * json, jsonl: `json`; tsv, gz: pandas' `read_csv` and `iterrows`; feather: `read_feather` and `iterrows`; xml: ElementTree;
 * parquet: pyarrow. Python 3.11, pandas 2.3.3, pyarrow 26.0.1.
 */
const cases = readFileSync('test/benchmarks/sources/awkward.jsonl', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)

/** Read by Python, and refused here with place and remedy: as something else they would be silent. */
const REFUSED: ReadonlySet<string> = new Set([
  'jsonl empty',
  'tsv long',
  'tsv longall',
  'xml v20',
  'feather period',
  'gz paddedmore',
  ...['map', 'dec', 'tstz', 'time', 'dur', 'bin', 'fsb', 'dupname'].map((name) => `parquet ${name}`),
  ...['json', 'ldur', 'sdur', 'bool8', 'dotted'].map((name) => `parquet ${name}`),
  ...['rep', 'list2', 'list2struct1', 'list2tuple', 'repinstruct'].map((name) => `parquet ${name}`),
])

const typed = (value: PyValue | undefined): unknown => {
  if (value === null || value === undefined) return 'n'
  if (typeof value === 'string') return `s:${value}`
  if (typeof value === 'boolean') return value ? 'b:True' : 'b:False'
  if (Array.isArray(value)) return ['L', ...(value as readonly PyValue[]).map(typed)]
  if (value instanceof Map)
    return ['D', ...[...(value as ReadonlyMap<string, PyValue>)].map(([key, item]) => [key, typed(item)])]
  const number = value as number | bigint | Float
  const isInteger = typeof number === 'bigint' || (Number.isInteger(number) && !Object.is(number, -0))
  return `${isInteger ? 'i' : 'f'}:${repr(number)}`
}

const tableOf = ({ columns, rows }: Table): unknown => ({
  columns: columns.map((name) => `s:${name}`),
  rows: rows.map(({ cells }) => columns.map((name) => typed(cells.get(name)))),
})

type Tree = [string, readonly (readonly [string, string])[], string | null, string | null, Tree[]]

/** As ElementTree has it: a text behind a child is the child's tail. */
const treeOf = ({ name, attributes, children }: XmlElement): Tree => {
  const tree: Tree = [name, Object.entries(attributes), null, null, []]
  for (const child of children) {
    const last = tree[4].at(-1)
    if (typeof child !== 'string') tree[4].push(treeOf(child))
    else if (last === undefined) tree[2] = `${tree[2] ?? ''}${child}`
    else last[3] = `${last[3] ?? ''}${child}`
  }
  return tree
}

const FILE = 'made-up'

const READERS = {
  json: (bytes: Buffer) => typed(parseJson(decodeText(bytes, FILE), FILE)),
  jsonl: (bytes: Buffer) => [
    'L',
    ...jsonLines(decodeText(bytes, FILE), FILE).rows.map(({ cells }) => typed(cells)),
  ],
  tsv: (bytes: Buffer) => tableOf(csvTable(decodeText(bytes, FILE), 'pandas', FILE, { separator: '\t' })),
  gz: (bytes: Buffer) => tableOf(csvTable(decodeText(gunzip(bytes, FILE), FILE), 'pandas', FILE)),
  xml: (bytes: Buffer) => treeOf(xmlTree(bytes, FILE)),
  feather: (bytes: Buffer) => tableOf(arrowTable(bytes, FILE)),
  parquet: async (bytes: Buffer) => {
    const path = join(temporaryFolder(), 'made-up.parquet')
    writeFileSync(path, bytes)
    return tableOf(await parquetTable([path]))
  },
}

const read = async ({ format, text, base64 }: Case): Promise<unknown> => {
  const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text)
  try {
    return await READERS[format](bytes)
  } catch (error) {
    // Anything else is a fault of ours.
    if (!(error instanceof ProblemError)) throw error
    expect(error.problems[0]).toMatchObject({
      where: { file: expect.any(String) },
      remedy: expect.any(String),
    })
    return null
  }
}

test.each([...new Set(cases.map(({ format }) => format))])(
  'Awkward %s files are read as Python reads them, or refused.',
  async (format) => {
    const own = cases.filter((each) => each.format === format)
    expect(own.length).toBeGreaterThan(5)
    for (const each of own) {
      const id = `${format} ${each.name}`
      expect([id, await read(each)]).toEqual([id, REFUSED.has(id) ? null : each.python])
    }
  },
)
