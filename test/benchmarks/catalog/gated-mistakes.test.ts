import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { benchmarkContext, instancesOf } from '../../rig/benchmark-context.ts'
import { problemsOf } from '../../rig/problem-of.ts'

type Files = Readonly<Record<string, string | Uint8Array>>
type Args = Readonly<Record<string, PyValue>>

/** Instances of a benchmark over files in its folder among the workspace's data. */
const load = async (name: string, files: Files, args: Args = {}): Promise<readonly Instance[]> => {
  const context = benchmarkContext()
  for (const [path, content] of Object.entries(files)) {
    const file = join(context.dataPath, name, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const benchmark = await findBenchmark(name, new Map(Object.entries(args)), context)
  return instancesOf(benchmark)
}

const GIP = 'medhelm-GIP-dataset_filtered.csv'
const STARR =
  'QC,Diagnosis,ActualProcedure,HistoryPhysicalNoteText,OperativeNoteText,DischargeInstructionNoteText\n'
const RECORD = '<P><TEXT>note</TEXT><TAGS><ABDOMINAL met="met"/></TAGS></P>'

/** What is wrong, the benchmark, its files, its arguments, the problem's code and where it is. */
const MISTAKES: readonly (readonly [string, string, Files, Args, string, object])[] = [
  [
    'a label that is no option',
    'shc_gip_med',
    { [GIP]: 'prompt,context,label\nq,c,a\n' },
    {},
    'unknown-answer',
    { row: 1, line: 2, field: 'label' },
  ],
  [
    'a row without a label',
    'shc_gip_med',
    { [GIP]: 'prompt,context,label\nq,c\n' },
    {},
    'unknown-answer',
    { row: 1 },
  ],
  [
    'a byte order mark',
    'shc_gip_med',
    { [GIP]: '\ufeffprompt,context,label\nq,c,A\n' },
    {},
    'missing-column',
    { field: 'prompt' },
  ],
  [
    'bytes that are no UTF-8',
    'shc_gip_med',
    { [GIP]: Uint8Array.of(0x70, 0xe9) },
    {},
    'not-utf8',
    { line: 1, column: 2 },
  ],
  [
    'a reviewed case that ends early',
    'starr_patient_instructions',
    { 'dataset_cases_qc.csv': `${STARR}TRUE,d,p\n` },
    {},
    'short-row',
    { row: 1, field: 'HistoryPhysicalNoteText' },
  ],
  [
    'a dialogue without an answer',
    'mental_health',
    { 'processed_dialogues.csv': 'topic,dialogue_type,context,gold_counselor_response\na,1,c,NA\n' },
    {},
    'missing-answer',
    { row: 1, field: 'gold_counselor_response' },
  ],
  [
    'a line that is no JSON',
    'mimic_bhc',
    { 'mimic_iv_bhc.json': '{"input": "i", "target": "t"}\n\n' },
    {},
    'json',
    { line: 2 },
  ],
  [
    'a report without its second half',
    'mimic_rrs',
    { 'test.findings.tok': 'a\nb\n', 'test.impression.tok': 'a\n' },
    {},
    'unequal-lines',
    {},
  ],
  [
    'a record without the criterion',
    'n2c2_ct_matching',
    { 'test/1.xml': RECORD },
    { subject: 'HBA1C' },
    'no-tag',
    { field: 'HBA1C' },
  ],
  [
    'a record that is no XML',
    'n2c2_ct_matching',
    { 'test/1.xml': '<P><TEXT>a & b</TEXT></P>' },
    { subject: 'ABDOMINAL' },
    'xml',
    { line: 1 },
  ],
  [
    'a file that is no Arrow file',
    'mimiciv_billing_code',
    { 'mimiciv_icd10.feather': 'text,target\n' },
    {},
    'arrow',
    {},
  ],
  [
    'a file that is no Parquet file',
    'ehrshot',
    { 'data/data.parquet': 'x', 'labels/guo_los/labels.parquet': 'x' },
    { subject: 'guo_los' },
    'parquet',
    {},
  ],
]

describe('data at fault is named with its place', () => {
  test.each(MISTAKES)('%s', async (_, name, files, args, code, where) => {
    const [problem] = await problemsOf(load(name, files, args))
    expect(problem?.code).toBe(`benchmarks/${code}`)
    expect(problem?.where).toMatchObject(where)
    expect(problem?.remedy).not.toBe('')
  })

  test('a lab task with fewer labels than it draws', async () => {
    const table = (rows: number): Uint8Array =>
      new Uint8Array(
        parquetWriteBuffer({
          columnData: [
            { name: 'subject_id', data: Array.from({ length: rows }, () => 1n), type: 'INT64' },
            {
              name: 'prediction_time',
              data: Array.from({ length: rows }, () => new Date(0)),
              type: 'TIMESTAMP',
            },
            { name: 'boolean_value', data: Array.from({ length: rows }, () => true), type: 'BOOLEAN' },
          ],
        }),
      )
    const files = { 'data/data.parquet': table(1), 'labels/lab_anemia/labels.parquet': table(3) }
    const [problem] = await problemsOf(load('ehrshot', files, { subject: 'lab_anemia' }))
    expect(problem?.code).toBe('benchmarks/too-few-rows')
  })

  test('a stay without a number, which joins nothing', async () => {
    const file = (text: string): Uint8Array => gzipSync(text)
    const folder = 'files/discharge-me/1.3/test_phase_1'
    const [problem] = await problemsOf(
      load('dischargeme', {
        [`${folder}/diagnosis.csv.gz`]: file('subject_id\n1\n'),
        [`${folder}/triage.csv.gz`]: file('subject_id\n1\n'),
        [`${folder}/discharge.csv.gz`]: file('subject_id,hadm_id,text\n1,2,note\n1,,other\n'),
        [`${folder}/radiology.csv.gz`]: file('hadm_id,text\n2,report\n'),
        [`${folder}/edstays.csv.gz`]: file('hadm_id\n2\n'),
        [`${folder}/discharge_target.csv.gz`]: file(
          'hadm_id,brief_hospital_course,discharge_instructions\n2,b,d\n',
        ),
      }),
    )
    expect(problem?.code).toBe('benchmarks/id-types')
    expect(problem?.where).toMatchObject({ row: 2, field: 'hadm_id' })
  })

  test('two records of one patient', async () => {
    const [problem] = await problemsOf(
      load('medalign', {
        'clinician-reviewed-model-responses.tsv': 'instruction_id\tquestion\tperson_id\n1\tq\t7\n',
        'clinician-instruction-responses.tsv':
          'instruction_id\tannotator_num\tclinician_response\n1\tAnnotator_1\tr\n',
        'medalign_ehr_xml/7.xml': 'a',
        'medalign_ehr_xml/007.xml': 'b',
      }),
    )
    expect(problem?.code).toBe('benchmarks/record-name')
  })
})

describe('data that is not here', () => {
  test('is asked for file by file, with whom to ask', async () => {
    const problems = await problemsOf(load('mimic_rrs', {}))
    expect(problems.map(({ code }) => code)).toEqual(['benchmarks/missing-data', 'benchmarks/missing-data'])
    expect(problems.map(({ where }) => where?.file?.split('/').at(-1))).toEqual([
      'test.findings.tok',
      'test.impression.tok',
    ])
    expect(problems[0]?.remedy).toContain('PhysioNet (https://physionet.org/content/mimiciii/1.4/)')
  })
})

describe('where data lies', () => {
  const csv = 'prompt,context,label\nq,c,A\nq,c,B\n'

  test('is the folder of the benchmark, named in run_spec.json relative to the workspace', async () => {
    const context = benchmarkContext()
    const benchmark = await findBenchmark('shc_gip_med', new Map(), context)
    expect(benchmark.scenario.spec.args).toEqual(new Map([['data_path', `data/shc_gip_med/${GIP}`]]))
  })

  test('is what the run entry says, relative to the working folder, and is in no key', async () => {
    const context = benchmarkContext()
    writeFileSync(join(context.cwd, 'mine.csv'), csv)
    writeFileSync(join(context.cwd, 'same.csv'), csv)
    const at = async (path: string) => findBenchmark('shc_gip_med', new Map([['data_path', path]]), context)
    const mine = await at('mine.csv')
    expect(mine.scenario.spec.args).toEqual(new Map([['data_path', 'mine.csv']]))
    expect(await mine.identity()).toEqual(await (await at('same.csv')).identity())
  })

  test('of one prompt twice, the last label counts', async () => {
    const instances = await load('shc_gip_med', { [GIP]: csv })
    expect(instances.map(({ references }) => references.map(({ tags }) => tags.length))).toEqual([[0, 1]])
  })
})
