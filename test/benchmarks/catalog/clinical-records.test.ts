import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteBuffer, type ColumnSource } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { instances as dischargeMe } from '../../../benchmarks/catalog/dischargeme/scenario.ts'
import { instances as ehrShot } from '../../../benchmarks/catalog/ehrshot/scenario.ts'
import { instances as ehrSql } from '../../../benchmarks/catalog/ehr_sql/scenario.ts'
import { instances as medAlign } from '../../../benchmarks/catalog/medalign/scenario.ts'
import { instances as medec } from '../../../benchmarks/catalog/medec/scenario.ts'
import { instances as mediQa } from '../../../benchmarks/catalog/medi_qa/scenario.ts'
import { instances as mimicRrs } from '../../../benchmarks/catalog/mimic_rrs/scenario.ts'
import { instances as billingCodes } from '../../../benchmarks/catalog/mimiciv_billing_code/scenario.ts'
import { instances as trials } from '../../../benchmarks/catalog/n2c2_ct_matching/scenario.ts'
import type { SourceData } from '../../../benchmarks/declaration/data/scenario-data.ts'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { isCorrect, type DraftInstance } from '../../../benchmarks/scenario/instance.ts'
import { tiktoken } from '../../../cache/tokens/tiktoken.ts'
import { scenarioData } from '../../rig/scenario-data.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const map = (values: Readonly<Record<string, PyValue>>): PyValue => new Map(Object.entries(values))
const rightOf = ({ references }: DraftInstance): string | undefined => references.find(isCorrect)?.text
/** Questions with their right answers. */
const shown = (drafts: Iterable<DraftInstance>) =>
  [...drafts].map((draft) => [draft.input.text, rightOf(draft)])

const all = async (drafts: AsyncIterable<DraftInstance>): Promise<readonly DraftInstance[]> => {
  const found: DraftInstance[] = []
  for await (const draft of drafts) found.push(draft)
  return found
}

test('DischargeMe asks of each stay that all files have for both sections, which its note then lacks.', () => {
  const data = scenarioData({
    tables: {
      diagnosis: [{ subject_id: 1 }, { subject_id: 1 }, { subject_id: 2 }, { subject_id: 3 }],
      triage: [{ subject_id: 2 }, { subject_id: 1 }],
      discharge: [
        { subject_id: 2, hadm_id: 20, text: 'Note. Go home.' },
        { subject_id: 1, hadm_id: 10, text: 'A: course. Rest.' },
        { subject_id: 1, hadm_id: 10, text: 'again' },
        { subject_id: 1, hadm_id: 11, text: 'without a report' },
        { subject_id: 1, hadm_id: 12, text: 'without an arrival' },
        { subject_id: 3, hadm_id: 30, text: 'without a triage' },
      ],
      radiology: [
        { hadm_id: 10, text: 'first' },
        { hadm_id: 10, text: 'second' },
        { hadm_id: 12, text: 'x' },
        { hadm_id: 20, text: 'r' },
        { hadm_id: 30, text: 'x' },
      ],
      edstays: [10, 11, 20, 30].map((hadm_id) => ({ hadm_id, gender: 'F', race: 'WHITE' })),
      discharge_target: [
        { hadm_id: 10, brief_hospital_course: 'course.', discharge_instructions: '' },
        { hadm_id: 12, brief_hospital_course: 'x', discharge_instructions: 'x' },
        { hadm_id: 20, brief_hospital_course: 'stay', discharge_instructions: 'Go home.' },
        { hadm_id: 30, brief_hospital_course: 'x', discharge_instructions: 'x' },
      ],
    },
  })
  const asked = (name: string, note: string, report: string) =>
    `Generate the ${name} from the following patient discharge text and radiology report text.    \n\n` +
    `Discharge Text:\n${note}\n\nRadiology Report:\n${report}\n\n${name}:\n`
  const [course, instructions] = ['Brief Hospital Course', 'Discharge Instructions']
  expect(shown(dischargeMe(data))).toEqual([
    [asked(course, 'A:  Rest.', 'first'), 'course.'],
    [asked(instructions, 'A: course. Rest.', 'first'), ''],
    [asked(course, 'Note. Go home.', 'r'), 'stay'],
    [asked(instructions, 'Note. ', 'r'), 'Go home.'],
  ])
  expect([...dischargeMe(data)][1]?.attributes).toEqual({
    document: instructions,
    gender: 'F',
    race: 'WHITE',
  })
})

test('EHRSQL’s validation questions are asked as its test questions are; those without an answer by one line alone.', () => {
  const row = (query: string, more: Readonly<Record<string, PyValue>> = {}): PyValue =>
    map({ question: `q of ${query}`, query, ...more })
  const value = map({ patient: 7 })
  const data = scenarioData({
    texts: { schema: '' },
    json: {
      train: [row('a'), map({ question: 'no query' })],
      valid: [row('b', { value, department: ['b', '-', 'a'], is_impossible: false })],
      test: [row('null', { is_impossible: true })],
    },
  })
  const load = (protocol: string) => [...ehrSql(data, new Map(), { protocol })]
  const drafts = load('helm-0.5.16')
  expect(drafts.map((draft) => [draft.split, rightOf(draft), draft.attributes])).toEqual([
    ['train', 'a', { question_type: 'answerable', department: '' }],
    ['test', 'b', { question_type: 'answerable', department: 'a, b' }],
    ['test', 'null', { question_type: 'unanswerable', department: '' }],
  ])
  const extra = (own: PyValue, isImpossible: boolean) =>
    new Map<string, PyValue>([
      ['db_path', 'eicu.sqlite'],
      ['value', own],
      ['is_impossible', isImpossible],
    ])
  expect(drafts.map(({ extraData }) => extraData)).toEqual([
    extra(new Map(), false),
    extra(value, false),
    extra(new Map(), true),
  ])
  expect(load('medhelm-0.8').map(rightOf)).toEqual(['a', 'b'])
})

test('MedAlign asks the first annotator’s instructions, of the end of a record that leaves room for question and answer.', async () => {
  const folder = temporaryFolder()
  const record = Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n')
  writeFileSync(join(folder, '7.xml'), record)
  const data: SourceData = {
    ...scenarioData({
      tables: {
        instructions: [
          { instruction_id: 1, person_id: 8, question: 'of another row' },
          { instruction_id: 1, person_id: 7, question: 'Which drug?' },
        ],
        responses: [
          { instruction_id: 1, annotator_num: 'Annotator_1', clinician_response: 'aspirin' },
          { instruction_id: 1, annotator_num: 'Annotator_2', clinician_response: 'none' },
          { instruction_id: 2, annotator_num: 'Annotator_1', clinician_response: 'of no instruction' },
        ],
      },
    }),
    files: new Map([['records', { path: folder, parts: [{ name: '7.xml', path: join(folder, '7.xml') }] }]]),
  } as unknown as SourceData
  const tokens = tiktoken('cl100k_base')
  const frame = (ehr: string, question: string) =>
    `Instruction: Answer the following question based on the EHR:\n\nEHR: ${ehr}\n\nQuestion: ${question}\n\nAnswer:`
  const room = 50
  // HELM counts its template with the names of its places in it, and leaves 256 tokens for the answer.
  const length = room + 256 + tokens.count(frame('{ehr}', '{question}')) + tokens.count('Which drug?')
  const [draft, ...more] = await all(medAlign(data, new Map([['max_length', length]])))
  expect(more).toEqual([])
  const shownRecord = /EHR: (line[^]*|[^]*?line[^]*?)\n\nQuestion/.exec(draft?.input.text ?? '')?.[1] ?? ''
  expect(draft).toMatchObject({
    input: { text: `\nQuestion: ${frame(shownRecord, 'Which drug?')}` },
    references: [{ text: 'aspirin' }],
    cluster: '7',
  })
  expect(record.endsWith(shownRecord)).toBe(true)
  expect(tokens.count(shownRecord)).toBe(room)
})

test('MedAlign’s answers find instructions whose ids are floats, as a blank one in a column makes them.', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, '7.xml'), 'record')
  const data = {
    ...scenarioData({
      tables: {
        instructions: [
          { instruction_id: float(1), person_id: 7, question: 'Which drug?' },
          { instruction_id: null, person_id: 7, question: 'of no id' },
        ],
        responses: [
          { instruction_id: 1, annotator_num: 'Annotator_1', clinician_response: 'aspirin' },
          { instruction_id: 2, annotator_num: 'Annotator_1', clinician_response: 'of no instruction' },
        ],
      },
    }),
    files: new Map([['records', { path: folder, parts: [{ name: '7.xml', path: join(folder, '7.xml') }] }]]),
  } as unknown as SourceData
  const drafts = await all(medAlign(data, new Map([['max_length', 1000]])))
  expect(drafts.map(rightOf)).toEqual(['aspirin'])
})

test('MEDEC’s answer is the wrong sentence’s number with its correction, else CORRECT.', () => {
  const note = (flag: string, sentence: string, correction: string, type = 'NA') => ({
    Sentences: ' 0 a ',
    'Error Flag': flag,
    'Error Sentence ID': sentence,
    'Corrected Sentence': correction,
    'Error Type': type,
  })
  const notes = [
    note('1', ' 2 ', ' b ', 'diagnosis'),
    note('0', '2', 'b'),
    note('1', '-1', 'b', ''),
    note('1', '2', 'NA'),
    { ...note('1', '2', 'b'), Sentences: '' },
  ]
  const drafts = [...medec(scenarioData({ tables: { notes } }))]
  expect(shown(drafts)).toEqual([
    ['0 a', '2 b'],
    ['0 a', 'CORRECT'],
    ['0 a', 'CORRECT'],
    ['0 a', 'CORRECT'],
  ])
  expect(drafts.map(({ attributes }) => attributes?.['error_type'])).toEqual([
    'diagnosis',
    'no error',
    'no error',
    'no error',
  ])
})

test('MEDIQA’s right answer is that of the first rank, wherever it stands, and no text where there is none.', () => {
  const answer = (rank: number, text: string) =>
    `<Answer ReferenceRank="${rank}"><AnswerText>${text}</AnswerText></Answer>`
  const question = (id: string, answers: string) =>
    `<Question QID="${id}"><QuestionText>${id}?</QuestionText><AnswerList>${answers}</AnswerList></Question>`
  const questions = `<x>${question('a', answer(2, 'second') + answer(1, 'first'))}${question('b', answer(2, 'second'))}</x>`
  const drafts = [...mediQa(scenarioData({ xml: { questions } }))]
  expect(drafts.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(shown(drafts)).toEqual([
    ['a?', 'first'],
    ['b?', ''],
  ])
})

test('MIMIC-RRS pairs lines, and leaves out a report that lacks one of both parts.', () => {
  const texts = { findings: ' f1 \r\n\nf3\nf4\n', impressions: 'i1\ni2\n \ni4\n' }
  expect(shown(mimicRrs(scenarioData({ texts })))).toEqual([
    ['f1', 'i1'],
    ['f4', 'i4'],
  ])
})

test('Billing codes are the list with commas between, one code by itself.', () => {
  const notes = [{ text: 'n', target: ['I10', 'E11.9'] }, { text: 'm', target: 'J45' }, { target: [] }]
  expect(shown(billingCodes(scenarioData({ tables: { notes } })))).toEqual([
    ['n', 'I10,E11.9'],
    ['m', 'J45'],
    ['', ''],
  ])
})

test('A patient meets a criterion where the record’s tag says so, as of the last note that has a date.', () => {
  const stars = '*'.repeat(100)
  const record = (met: string) =>
    `<PatientMatching><TEXT><![CDATA[Record date: 2099-01-02\none\n\n\nmore\n${stars}\nRecord date: 2099-03-04\ntwo\n${stars}\nthree\n${stars}\n]]></TEXT>` +
    `<TAGS><ABDOMINAL met="not met"/><ASPIRIN met="${met}"/></TAGS></PatientMatching>`
  const data = scenarioData({ xmlFolders: { records: [record('met'), record('not met')] } })
  const args = new Map([
    ['subject', 'ASPIRIN'],
    ['definition', 'takes aspirin'],
  ])
  const drafts = [...trials(data, args)]
  expect(drafts.map(({ references }) => references.map(({ tags }) => tags.length))).toEqual([
    [1, 0],
    [0, 1],
  ])
  const text = drafts[0]?.input.text ?? ''
  const between = `\n${'*'.repeat(50)}\n\n`
  expect(text).toContain(
    [
      '## Note #1\nDate: 2099-01-02\nRecord date: 2099-01-02\none\nmore',
      '## Note #2\nDate: 2099-03-04\nRecord date: 2099-03-04\ntwo',
      '## Note #3\nDate: \nthree\n',
    ].join(between),
  )
  expect(text).toContain('Below is a set of 3 clinical notes')
  expect(text).toContain('Assume that the current date is: 2099-03-04\n')
  expect(text).toContain('The inclusion criterion being assessed is: "ASPIRIN".\n')
  expect(text).toContain('The definition of the inclusion criterion is: "takes aspirin".\n')
})

test('EHRSHOT’s prompts go by patient and time, its answers by the file as in HELM, or both alike where that is put right.', async () => {
  const folder = temporaryFolder()
  const file = (name: string, columnData: ColumnSource[]) => {
    const path = join(folder, name)
    writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData })))
    return path
  }
  const at = (day: number) => new Date(Date.UTC(2020, 0, day))
  const labels = file('labels.parquet', [
    { name: 'subject_id', data: [2n, 1n, 1n] },
    { name: 'prediction_time', data: [at(3), at(5), at(2)] },
    { name: 'boolean_value', data: [true, false, false] },
  ])
  const events = file('events.parquet', [
    { name: 'subject_id', data: [1n, 1n, 2n, 2n] },
    { name: 'time', data: [at(4), at(1), at(3), at(4)] },
    { name: 'code', data: ['later', 'early', 'own', 'after'] },
  ])
  const tasks = map({ guo_los: map({ full_name: 'Stay', persona: 'Doctor', question: 'Long?' }) })
  const data = {
    ...scenarioData({ json: { tasks } }),
    files: new Map(Object.entries({ labels, events }).map(([name, path]) => [name, { path }] as const)),
  } as unknown as SourceData
  const load = (corrected: readonly string[], maxLength = 1000) => {
    const args = new Map<string, PyValue>([
      ['subject', 'guo_los'],
      ['max_length', maxLength],
    ])
    return all(ehrShot(data, args, { corrected }))
  }
  const codesOf = ({ input }: DraftInstance) =>
    [...input.text.matchAll(/^- (.*)$/gm)].map(([, code]) => code).join(' ')
  const [asHelm, corrected] = [await load([]), await load(['shifted-prompts'])]
  expect(asHelm.map((draft) => [draft.cluster, codesOf(draft), rightOf(draft)])).toEqual([
    ['1', 'early', 'yes'],
    ['1', 'early later', 'no'],
    ['2', 'own', 'no'],
  ])
  expect(corrected.map((draft) => [draft.cluster, codesOf(draft), rightOf(draft)])).toEqual([
    ['1', 'early', 'no'],
    ['1', 'early later', 'no'],
    ['2', 'own', 'yes'],
  ])
  // What is longer than the limit is left out, and takes its answer along.
  const lengths = asHelm.map(({ input }) => tiktoken('cl100k_base').count(input.text))
  const kept = await load([], lengths[0])
  expect(kept.map(codesOf)).toEqual(
    lengths.flatMap((length, each) =>
      length <= (lengths[0] ?? 0) ? [codesOf(asHelm[each] as DraftInstance)] : [],
    ),
  )
  expect(kept.length).toBeLessThan(3)
})
