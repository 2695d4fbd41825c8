import { expect, test } from 'vitest'
import type { ErrataChoice } from '../../../benchmarks/context/context.ts'
import { request, SourceSection, usualFormat } from '../../../benchmarks/declaration/data/locate.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const DECLARATION = `name: sums
description: Sums.
errata:
  - { id: wrong-row, about: Row two is wrong., drop: [id1] }
protocols:
  - version: own
    data: { rows: { path: rows.csv, format: csv } }
    instances: [{ from: rows, split: test, input: '{q}', references: [{ text: '{a}', correct: true }] }]
    adapter: { method: generation }
    metrics: [basic]
    main_metric: { name: exact_match, split: test }
`

const keyOf = async (edit: readonly [string, string] = ['', ''], errata: ErrataChoice = 'reproduced') => {
  const workspace = createWorkspace({
    'benchmarks/sums/benchmark.yaml': DECLARATION.replace(...edit),
    'benchmarks/sums/rows.csv': 'q,a\none,1\ntwo,2\n',
  })
  return (await findBenchmark('sums', new Map(), benchmarkContext({ workspace, errata }))).identity()
}

test('Instances are others where a run that corrects errata drops other rows.', async () => {
  const edit = ['[id1]', '[id0]'] as const
  expect(await keyOf(edit)).toEqual(await keyOf())
  expect(await keyOf(edit, 'corrected')).not.toEqual(await keyOf(undefined, 'corrected'))
})

test('Instances are others where their file is read otherwise, and the same where only what is usual is said.', async () => {
  const readAs = (how: string) => keyOf(['format: csv', `format: csv, ${how}`])
  expect(await readAs('dialect: strict, na_texts: true')).toEqual(await keyOf())
  const unusual = [
    'dialect: pandas',
    'separator: "\\t"',
    'header: [q, a]',
    'drop_undecodable: true',
    'na_texts: false',
    'columns: [q]',
  ]
  const keys = await Promise.all(unusual.map(readAs))
  expect(new Set([await keyOf(), ...keys].map((key) => JSON.stringify(key))).size).toBe(unusual.length + 1)
})

test('Instances are others where their file is read in another format, and no others where its ending says which.', async () => {
  const readAs = (place: string, format: string) =>
    keyOf(['path: rows.csv, format: csv', `${place}, format: ${format}`])
  const formats = ['csv', 'jsonl', 'text', 'texts', 'file']
  const keys = await Promise.all(formats.map((format) => readAs('path: rows.csv', format)))
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(formats.length)
  expect(keys.map((key) => 'reading' in key)).toEqual([false, true, true, true, true])
})

test.each([
  [{ url: 'https://a.example/b.JSON.txt?raw=1' }, 'text'],
  [{ path: 'a.jsonl.gz' }, 'jsonl'],
  [{ path: 'a.zip', member: 'b/c.xml' }, 'xml'],
  [{ local: '{data_path}' }, 'csv'],
  [{ local: '{data_path}/notes', suffix: '.xml' }, 'xmls'],
  [{ local: '{data_path}/notes', suffix: '.csv' }, 'texts'],
  [{ github_folder: { listing: 'l', files: 'f' } }, 'texts'],
  [{ hugging_face: { dataset: 'a/b', split: 'test' } }, 'parquet'],
])('%j mostly is %s', (place, format) => {
  expect(usualFormat(SourceSection.parse({ ...place, format: 'csv' }))).toBe(format)
})

test('Who has to ask for data is told what to ask for, and whom, and what else is known of it.', () => {
  const obtain = { what: 'the notes', from: 'a hospital' }
  expect(request(undefined)).toBe('')
  expect(request(obtain)).toBe('Request the notes from a hospital. ')
  expect(request({ ...obtain, url: 'https://example.org', terms: 'signed' })).toBe(
    'Request the notes from a hospital (https://example.org); signed. ',
  )
})
