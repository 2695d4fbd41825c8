import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { instances as ehrSql } from '../../../benchmarks/catalog/ehr_sql/scenario.ts'
import { instances as headQa } from '../../../benchmarks/catalog/head_qa/scenario.ts'
import { instances as medQa } from '../../../benchmarks/catalog/medhelm_med_qa/scenario.ts'
import { instances as medec } from '../../../benchmarks/catalog/medec/scenario.ts'
import { instances as medHallu } from '../../../benchmarks/catalog/medhallu/scenario.ts'
import { instances as mediQa } from '../../../benchmarks/catalog/medi_qa/scenario.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { DraftInstance } from '../../../benchmarks/scenario/instance.ts'
import { mirrorPath } from '../../../benchmarks/sources/fetch/remote-file.ts'
import { parquetFile } from '../../parity/parquet-file.ts'
import { benchmarkContext, instancesOf } from '../../rig/benchmark-context.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { scenarioData } from '../../rig/scenario-data.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const note = { Sentences: '0 a', 'Error Flag': '1', 'Error Sentence ID': '0', 'Corrected Sentence': 'b' }
const question = { question: 'q', options: new Map(['A', 'B', 'C', 'D'].map((x) => [x, x])), answer_idx: 'A' }
const exam = { qtext: 'q', ra: 1, image: null, qid: 1, name: 'n', category: 'c', year: 'y' }

const table = (name: string, ...rows: readonly Readonly<Record<string, PyValue>>[]) =>
  scenarioData({ tables: { [name]: rows } })
const without = (row: Readonly<Record<string, PyValue>>, column: string) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== column))

describe('a row that can not be used is an error with file, row and column', () => {
  const cases: readonly (readonly [
    string,
    () => Iterable<DraftInstance>,
    Readonly<Record<string, unknown>>,
  ])[] = [
    [
      'medec, a flag that is no number',
      () => medec(table('notes', note, { ...note, 'Error Flag': 'x' })),
      { file: 'notes.data', row: 2, line: 3, field: 'Error Flag' },
    ],
    [
      'medec, a row that ends early',
      () => medec(table('notes', { ...note, 'Corrected Sentence': null })),
      { file: 'notes.data', row: 1, field: 'Corrected Sentence' },
    ],
    [
      'medec, a missing column',
      () => medec(table('notes', without(note, 'Sentences'))),
      { file: 'notes.data', row: 1, field: 'Sentences' },
    ],
    [
      'head_qa, an answer without text',
      () => headQa(table('questions', { ...exam, answers: [new Map([['aid', 1]])] }), new Map()),
      { file: 'questions.data', row: 1, field: 'answers' },
    ],
    [
      'head_qa, a missing column',
      () => headQa(table('questions', without(exam, 'image')), new Map()),
      { file: 'questions.data', row: 1, field: 'image' },
    ],
    [
      'medhelm_med_qa, three options',
      () => medQa(table('train', question, { ...question, options: new Map([['A', 'a']]) })),
      { file: 'train.data', row: 2, field: 'options' },
    ],
    [
      'medhallu, a missing column',
      () => medHallu(table('rows', { Knowledge: [], Question: 'q' })),
      { file: 'rows.data', row: 1, field: 'Ground Truth' },
    ],
    [
      'ehr_sql, a question that is no text',
      () =>
        ehrSql(
          scenarioData({
            texts: { schema: '' },
            json: {
              train: [
                new Map<string, PyValue>([
                  ['question', 1],
                  ['query', ''],
                ]),
              ],
            },
          }),
          new Map(),
          { protocol: 'helm-0.5.16' },
        ),
      { file: 'train.data', row: 1, field: 'question' },
    ],
    [
      'medi_qa, a question without an id',
      () =>
        mediQa(
          scenarioData({ xml: { questions: '<x><Question><QuestionText>q</QuestionText></Question></x>' } }),
        ),
      { file: 'questions.data', field: 'question 1' },
    ],
    [
      'medi_qa, a file without questions',
      () => mediQa(scenarioData({ xml: { questions: '<x/>' } })),
      { file: 'questions.data', field: 'x' },
    ],
  ]
  test.each(cases)('%s', async (_, load, where) => {
    expect(await problemOf(() => [...load()])).toMatchObject({ where })
  })
})

const DRIVE = 'https://drive.google.com/uc?export=download&id=15VkJdq5eyWIkfb_aoD3oS8i4tScbHYky&confirm=t'
const HUB = 'https://huggingface.co'
const CONVERTED = 'refs%2Fconvert%2Fparquet'

const load = async (name: string, files: Readonly<Record<string, Uint8Array | string>>) => {
  const mirror = temporaryFolder()
  for (const [url, content] of Object.entries(files)) {
    const path = join(mirror, mirrorPath(url))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  const benchmark = await findBenchmark(name, new Map(), benchmarkContext({ mirror }))
  return instancesOf(benchmark)
}

describe('a file that can not be used is an error with its place', () => {
  const item = { question: 'q', subject_name: 'Medicine', cop: 1, opa: 'a', opb: 'b', opc: 'c', opd: 'd' }
  const zip = (train: string | Uint8Array, dev = JSON.stringify(item)) =>
    zipSync({ 'train.json': typeof train === 'string' ? strToU8(train) : train, 'dev.json': strToU8(dev) })

  test('whole', async () => {
    expect(await load('medhelm_med_mcqa', { [DRIVE]: zip(JSON.stringify(item)) })).toHaveLength(2)
  })

  test.each([
    [
      'a line that is cut',
      zip('{"question": "q", "co'),
      { code: 'benchmarks/json', where: { line: 1, row: 1 } },
    ],
    [
      'a missing column',
      zip('{"question": "q"}'),
      { code: 'benchmarks/missing-column', where: { line: 1, field: 'opa' } },
    ],
    ['an empty file', zip(''), { code: 'benchmarks/empty-file' }],
    [
      'another encoding',
      zip(Uint8Array.of(0x7b, 0xe9, 0x7d)),
      { code: 'benchmarks/not-utf8', where: { line: 1, column: 2 } },
    ],
    ['a missing member', zipSync({ 'train.json': strToU8('{}') }), { code: 'benchmarks/missing-member' }],
    ['half an archive', zip(JSON.stringify(item)).subarray(0, 90), { code: 'benchmarks/damaged-download' }],
  ])('%s', async (_, archive, problem) => {
    expect(await problemOf(() => load('medhelm_med_mcqa', { [DRIVE]: archive }))).toMatchObject(problem)
  })

  test('two rows of one id', async () => {
    const columns = [
      'Row Number',
      'Note ID',
      'Calculator Name',
      'Output Type',
      'Relevant Entities',
      'Patient Note',
      'Question',
      'Ground Truth Answer',
      'Category',
      'Upper Limit',
      'Lower Limit',
    ]
    const row = Object.fromEntries(columns.map((column) => [column, '7']))
    const bytes = parquetFile(Object.fromEntries(columns.map((column) => [column, 'text'] as const)), [
      row,
      row,
    ])
    const dataset = 'ncbi/MedCalc-Bench'
    const path = 'default/test/0000.parquet'
    const files = {
      [`${HUB}/api/datasets/${dataset}/tree/${CONVERTED}?recursive=true`]: JSON.stringify([{ path }]),
      [`${HUB}/datasets/${dataset}/resolve/${CONVERTED}/${path}`]: bytes,
    }
    expect(await problemOf(() => load('medcalc_bench', files))).toMatchObject({
      code: 'benchmarks/duplicate-id',
      where: { row: 2, field: 'Row Number' },
    })
  })
})

test('ehr_sql shows the tables that end on a later line, as HELM does', () => {
  const schema =
    'CREATE TABLE a\n(\n x int\n) ;\nCREATE TABLE b (x int);\nCREATE TABLE c (\ny int);\nCREATE TABLE d (\n'
  const json = { train: [new Map(Object.entries({ question: 'q', query: '' }))], valid: [], test: [] }
  const data = scenarioData({ texts: { schema }, json })
  expect([...ehrSql(data, new Map(), { protocol: 'helm-0.5.16' })].map(({ input }) => input.text)).toEqual([
    `-- Database Schema:\nCREATE TABLE a\n(\nx int\n) ;\n\nCREATE TABLE c (\ny int);\n\n-- ${' '.repeat(20)}Question:\nq\n\n`,
  ])
})
