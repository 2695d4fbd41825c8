import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { instances as healthQa } from '../../../benchmarks/catalog/healthqa_br/scenario.ts'
import { instances as professional } from '../../../benchmarks/catalog/health_bench_professional/scenario.ts'
import { instances as sctBench } from '../../../benchmarks/catalog/sct_bench/scenario.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import type { DraftInstance } from '../../../benchmarks/scenario/instance.ts'
import type { SkippedRow } from '../../../benchmarks/scenario/benchmark.ts'
import { mirrorPath } from '../../../benchmarks/sources/fetch/remote-file.ts'
import { rowGuard } from '../../../benchmarks/sources/table.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { scenarioData } from '../../rig/scenario-data.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const SCT =
  'https://raw.githubusercontent.com/SCT-Bench/sctpublic/c2843137b36218eac3f47e76eaa559c9fe7973e9/data/sct_cleaned_full.csv'
const CASES = 'question_id,sct_stem,question,additional_info,-2,-1,0,1,2'
const PROMPTS = 'prompt,context,label'

/** How many instances a file gives, the labels of the right ones, and the rows that the run is told to go without. */
const load = async (name: string, content: string) => {
  const folder = temporaryFolder()
  const path = join(folder, name === 'sct_bench' ? mirrorPath(SCT) : 'given.csv')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  const args = new Map(name === 'sct_bench' ? [] : [['data_path', path] as const])
  const context = benchmarkContext({ protocol: 'medhelm-0.8', mirror: folder })
  const told: SkippedRow[] = []
  const right: string[] = []
  for await (const { references } of (await findBenchmark(name, args, context)).instances((row) =>
    told.push(row),
  ))
    right.push(references.find(({ tags }) => tags.includes('correct'))?.text ?? '')
  return { right, told: told.map((row) => ({ ...row, file: undefined, line: undefined })) }
}

describe('what medhelm 0.8.0 drops without a word is dropped and told, each with its row', () => {
  test.each([
    [
      'synt_family_disclosure',
      `${PROMPTS}\nq,c,A\nother,c,A\nq,c,B\n`,
      { right: ['B', 'A'], told: [{ row: 1, reason: 'repeated-prompt' }] },
    ],
    [
      'sct_bench',
      `${CASES}\na,s,,i,1,0,0,0,0\nb,s,q,i,0,0,0,0,1\n`,
      { right: ['+2'], told: [{ row: 1, column: 'question', reason: 'empty-cell' }] },
    ],
    [
      'synt_right_of_access',
      `${PROMPTS}\nq,c,A,more\nr,c,B,\n`,
      { right: ['A', 'B'], told: [{ row: 1, reason: 'extra-cells', isPart: true }] },
    ],
    [
      'shc_gip_med',
      `${PROMPTS},label\nq,c,A,B\n`,
      { right: ['B'], told: [{ reason: 'repeated-column', isPart: true }] },
    ],
    [
      'sct_bench',
      `${CASES}\na,s,q,i,1,0,0,0,0,left, over\n`,
      { right: ['-2'], told: [{ row: 1, reason: 'extra-cells', isPart: true }] },
    ],
  ])('%s', async (name, content, found) => {
    expect(await load(name, content)).toEqual(found)
  })

  test('healthqa_br', () => {
    const question = "Q?\n'A': 'a',\n'B': 'b'"
    const data = scenarioData({
      tables: {
        questions: [
          { question, answer: 'E' },
          { question: 'Q?', answer: 'A' },
          { question: "Q?\n'A': 'a',\n'B': 'd'or'", answer: 'A' },
          { question: "Q?\n'A': 'a',\n'A': 'b'", answer: 'A' },
          { question, answer: ' b' },
        ],
      },
    })
    const told: SkippedRow[] = []
    const rows = rowGuard({ workspace: '/' }, (row) => told.push(row))
    const found = [...healthQa(data, new Map(), { protocol: 'helm-0.5.16', corrected: [], rows })]
    expect(found.map(({ references }) => references.map(({ tags }) => tags))).toEqual([
      [['correct'], []],
      [['correct']],
      [[], ['correct']],
    ])
    expect(told.map(({ row, column, reason }) => [row, column, reason])).toEqual([
      [1, 'answer', 'unknown-answer'],
      [2, 'answer', 'unknown-answer'],
      [3, 'question', 'lost-option'],
      [4, 'question', 'lost-option'],
    ])
  })
})

describe('what a publisher tells of each row is known of its instance, and may be missing', () => {
  const rows = rowGuard({ workspace: '/' }, () => {})
  const told = (drafts: Iterable<DraftInstance>): readonly unknown[] =>
    [...drafts].map(({ attributes }) => attributes)

  test('healthqa_br: profession and examination', () => {
    const row = { question: "Q?\n'A': 'a',\n'B': 'b'", answer: 'A' }
    const data = scenarioData({
      tables: {
        questions: [
          { ...row, group: 'Enfermagem', source: 'ENARE' },
          { ...row, group: null },
        ],
      },
    })
    const found = healthQa(data, new Map(), { protocol: 'helm-0.5.16', corrected: [], rows })
    expect(told(found)).toEqual([
      { group: 'Enfermagem', source: 'ENARE' },
      { group: '', source: '' },
    ])
  })

  test('sct_bench: where a case comes from', () => {
    const row = {
      sct_stem: 's',
      question: 'q',
      additional_info: 'i',
      '-2': '1',
      '-1': '0',
      '0': '0',
      '1': '0',
    }
    const data = scenarioData({
      tables: {
        cases: [
          { ...row, question_id: 'a', '2': '0', source: 'Adelaide' },
          { ...row, question_id: 'b', '2': '0' },
        ],
      },
      texts: { guideline: '', examples: '' },
    })
    const found = sctBench(data, new Map(), { protocol: 'medhelm-0.8', corrected: [], rows })
    expect(told(found)).toEqual([{ source: 'Adelaide' }, { source: '' }])
  })

  test('health_bench_professional: specialty, use, difficulty and kind', () => {
    const message = new Map([
      ['role', 'user'],
      ['content', 'hi'],
    ])
    const data = scenarioData({
      tables: {
        examples: [
          { conversation: new Map([['messages', [message]]]), specialty: 'Cardiology', type: 'good' },
        ],
      },
    })
    const found = professional(data, new Map(), { protocol: 'health-bench', corrected: [], rows })
    expect(told(found)).toEqual([{ specialty: 'Cardiology', use_case: '', difficulty: '', type: 'good' }])
  })
})
