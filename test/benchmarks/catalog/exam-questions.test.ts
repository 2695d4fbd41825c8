import { expect, test } from 'vitest'
import { instances as headQa } from '../../../benchmarks/catalog/head_qa/scenario.ts'
import { instances as healthQa } from '../../../benchmarks/catalog/healthqa_br/scenario.ts'
import { instances as medHallu } from '../../../benchmarks/catalog/medhallu/scenario.ts'
import { instances as medQa } from '../../../benchmarks/catalog/medhelm_med_qa/scenario.ts'
import { instances as medXpert } from '../../../benchmarks/catalog/medxpert_qa_text/scenario.ts'
import { instances as mmlu } from '../../../benchmarks/catalog/mmlu_clinical_afr/scenario.ts'
import { instances as pubMedQa } from '../../../benchmarks/catalog/pubmed_qa/scenario.ts'
import { instances as sctBench } from '../../../benchmarks/catalog/sct_bench/scenario.ts'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { DraftInstance } from '../../../benchmarks/scenario/instance.ts'
import { STRICT_ROWS } from '../../../benchmarks/sources/table.ts'
import { scenarioData } from '../../rig/scenario-data.ts'

const VERSION = { protocol: 'helm-0.5.16', corrected: [], rows: STRICT_ROWS } as const
const map = (values: Readonly<Record<string, PyValue>>): PyValue => new Map(Object.entries(values))

/** Split, question and options, the right ones with a star. */
const shown = (drafts: Iterable<DraftInstance>): readonly string[] =>
  [...drafts].map(({ split, input, references }) =>
    [
      `${split} ${input.text}:`,
      ...references.map(({ text, tags }) => `${tags.includes('correct') ? '*' : ''}${text}`),
    ].join(' '),
  )

test('HeadQA asks what needs no image, of one category or all, the answer by its number.', () => {
  const row = (qid: number, category: string, ra: PyValue, image: PyValue = null) => ({
    qid,
    category,
    ra,
    image,
    qtext: `q${qid}`,
    name: 'exam',
    year: '2016',
    answers: [map({ aid: 1, atext: 'one' }), map({ aid: 2, atext: 'two' })],
  })
  const data = scenarioData({
    tables: { questions: [row(1, 'nursing', 2), row(2, 'nursing', 1, 'x.png'), row(3, 'biology', '1')] },
  })
  expect(shown(headQa(data, new Map()))).toEqual(['test q1: one *two', 'test q3: *one two'])
  const [biology, ...more] = headQa(data, new Map([['category', 'biology']]))
  expect(more).toEqual([])
  expect(biology?.extraData).toEqual(
    new Map<string, PyValue>([
      ['id', 3],
      ['name', 'exam'],
      ['category', 'biology'],
      ['year', '2016'],
    ]),
  )
})

test('HealthQA-BR has its options behind the question, and an option that is lost is told.', () => {
  const told: string[] = []
  const rows = {
    ...STRICT_ROWS,
    leaveOut: (_: unknown, reason: string) => void told.push(reason),
    readInPart: (_: unknown, reason: string) => void told.push(reason),
  }
  const row = (answer: string, options: string) => ({
    question: ` Qual?\n${options}`,
    answer,
    group: 'g',
    source: 's',
  })
  const data = scenarioData({
    tables: {
      questions: [
        row(' b ', `'A': 'sim', 'B': 'não'`),
        row('C', `'A': 'sim', 'B': 'não'`),
        row('A', `'A': 'sim', 'B': 'não', 'B': 'talvez'`),
      ],
    },
  })
  const drafts = [...healthQa(data, new Map(), { ...VERSION, rows })]
  expect(shown(drafts)).toEqual(['test Qual?: sim *não', 'test Qual?: *sim talvez'])
  expect(drafts[0]?.attributes).toEqual({ group: 'g', source: 's' })
  expect(told).toEqual(['unknown-answer', 'lost-option'])
})

test('MedHallu asks of each row the true answer, which is 0, then the hallucinated one, 1, alone of a category.', () => {
  const row = {
    Knowledge: ['a fact'],
    Question: 'q',
    'Ground Truth': 'true',
    'Hallucinated Answer': 'made up',
    'Difficulty Level': 'hard',
    'Category of Hallucination': 'mechanism',
  }
  const asked = (answer: string) => `World Knowledge: ['a fact']\n\nQuestion: q\n\nAnswer: ${answer}\n`
  const drafts = [...medHallu(scenarioData({ tables: { rows: [row] } }))]
  expect(shown(drafts)).toEqual([`test ${asked('true')}: *0`, `test ${asked('made up')}: *1`])
  expect(drafts.map(({ attributes }) => attributes)).toEqual([
    { 'Difficulty Level': 'hard', 'Category of Hallucination': '' },
    { 'Difficulty Level': 'hard', 'Category of Hallucination': 'mechanism' },
  ])
})

test('MedQA has three splits, and quotes at an option’s end are no part of it.', () => {
  const row = (question: string, answer: string) => ({
    question,
    options: map({ A: 'a', B: 'b ""', C: 'c', D: 'd' }),
    answer_idx: answer,
    meta_info: 'step1',
  })
  const data = scenarioData({
    tables: { train: [row('p', 'A')], dev: [row('q', 'B')], test: [row('r', 'D')] },
  })
  expect(shown(medQa(data))).toEqual(['train p: *a b c d', 'valid q: a *b c d', 'test r: a b c *d'])
})

test('MedXpertQA has the letters that a row has.', () => {
  const facts = { id: '7', medical_task: 'Diagnosis', body_system: 'Skin', question_type: 'Reasoning' }
  const questions = [{ ...facts, question: 'q', label: 'B', options: map({ A: 'a', B: 'b', C: null }) }]
  const drafts = [...medXpert(scenarioData({ tables: { questions } }), new Map(), VERSION)]
  expect(shown(drafts)).toEqual(['test q: a *b'])
  expect(drafts[0]?.extraData).toEqual(new Map(Object.entries(facts)))
})

test('MMLU in African languages takes every option of the right one’s text for right.', () => {
  const row = (question: string, answer: string, D = 'd') => ({ question, A: 'a', B: 'b', C: 'c', D, answer })
  const data = scenarioData({
    tables: { dev: [row('p', 'A')], val: [row('q', 'D')], test: [row('r', 'B', 'b')] },
  })
  expect(shown(mmlu(data, new Map(), VERSION))).toEqual([
    'train p: *a b c d',
    'valid q: a b c *d',
    'test r: a *b c *b',
  ])
})

test('PubMedQA shows the abstract by its parts, and offers yes, no and maybe.', () => {
  const article = map({
    QUESTION: 'q?',
    LABELS: ['BACKGROUND', 'PATIENTS AND METHODS'],
    CONTEXTS: ['one', 'two'],
    final_decision: 'no',
  })
  expect(shown(pubMedQa(scenarioData({ json: { questions: map({ '12': article }) } })))).toEqual([
    'test Context: Background. one\nPatients And Methods. two\n\nQuestion: q?\n: yes *no maybe',
  ])
})

test('SCT-Bench’s right rating is the first that most experts chose; reasons and examples are asked for by arguments.', () => {
  const row = (id: string, experts: readonly string[]) => ({
    question_id: id,
    sct_stem: 's',
    question: 'q',
    additional_info: 'i',
    source: 'clinic',
    ...Object.fromEntries(['-2', '-1', '0', '1', '2'].map((rating, at) => [rating, experts[at] ?? '0'])),
  })
  const data = scenarioData({
    tables: { cases: [row('a', ['0', '3', '1', '3']), row('b', ['0', '0', '0', '1', '4'])] },
    texts: { guideline: 'Give a rating and a brief explanation for your choice.\n', examples: 'E\n' },
  })
  const asked = '## Scenario\n\ns\n\n## Hypothesis\n\nq\n\n## Additional Information\n\ni\n\n## Response'
  const load = (args: Readonly<Record<string, boolean>> = {}) => [
    ...sctBench(data, new Map(Object.entries(args)), VERSION),
  ]
  const [first, second] = load()
  expect(shown(load())).toEqual([`test Give a rating.\n${asked}: *-1`, `test Give a rating.\n${asked}: *+2`])
  expect(second).toMatchObject({ id: 'b', attributes: { source: 'clinic' } })
  expect(first?.extraData).toEqual(new Map([['expert_distribution', [0, 3, 1, 3, 0].map(float)]]))
  const [told] = load({ reason: true, few_shot: true })
  expect(told?.input.text).toBe(
    `Give a rating and a brief explanation for your choice.\n## Examples with Response LabelsE\n${asked}`,
  )
})
