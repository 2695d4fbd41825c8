import { describe, expect, test } from 'vitest'
import { problemsOf } from '../../rig/problem-of.ts'
import { FILES, JURY, load, problemOf, RUBRIC, yaml } from './demo.ts'

describe('a mistake is reported with its place and what to write:', () => {
  test.each([
    [
      'a misspelt key',
      yaml((text) => text.replace('prompt_file', 'promt_file')),
      'unknown-key',
      { file: 'b.yaml', line: 3, column: 1, field: 'promt_file' },
      'Did you mean "prompt_file"?',
    ],
    [
      'an unknown metric',
      yaml((text) => text.replace('exact_match', 'exact_macth')),
      'unknown-metric',
      { file: 'b.yaml', line: 6, column: 5, field: 'metrics[0].name' },
      'Did you mean "exact_match"?',
    ],
    [
      'a metric listed twice',
      yaml((text) => `${text}  - name: exact_match\n`),
      'duplicate-metric',
      { file: 'b.yaml', line: 7, column: 5, field: 'metrics[1].name' },
      'Keep one',
    ],
    [
      'no metric',
      yaml((text) => text.replace(/metrics:[^]*/, 'metrics: []\n')),
      'bad-value',
      { file: 'b.yaml', line: 5, column: 1, field: 'metrics' },
      'at least one metric',
    ],
    [
      'a jury without judges',
      yaml((text) => `${text}  - name: jury_score\n    prompt_file: judge.txt\n`),
      'missing-key',
      { file: 'b.yaml', line: 7, column: 5, field: 'metrics[1].name' },
      'judges:',
    ],
    [
      'judges of another metric',
      yaml((text) => `${text}    judges: [{name: a, model_name: a}]\n`),
      'unknown-key',
      { file: 'b.yaml', line: 7, column: 5, field: 'metrics[0].judges' },
      'jury_score',
    ],
    [
      'a word for max_tokens',
      yaml((text) => `${text}max_tokens: many\n`),
      'bad-value',
      { file: 'b.yaml', line: 7, column: 1, field: 'max_tokens' },
      'number',
    ],
    [
      'a key given twice',
      yaml((text) => `${text}name: again\n`),
      'yaml',
      { file: 'b.yaml', line: 7, column: 1 },
      'Keep one of the two.',
    ],
    [
      'a missing prompt file',
      yaml((text) => text.replace('p.txt', 'q.txt')),
      'missing-file',
      { file: 'b.yaml', line: 3, column: 1, field: 'prompt_file' },
      'Put it at',
    ],
    [
      'a missing judge prompt',
      yaml((text) => text.replace(/metrics:[^]*/, JURY.replace('judge.txt', 'j.txt'))),
      'missing-file',
      { file: 'b.yaml', line: 7, column: 5, field: 'metrics[0].prompt_file' },
      'Put it at',
    ],
    ['an empty prompt', { 'p.txt': ' \n' }, 'empty-file', { file: 'p.txt' }, 'Write the prompt'],
    [
      'a byte order mark in the prompt',
      { 'p.txt': '\ufeffx' },
      'byte-order-mark',
      { file: 'p.txt', line: 1, column: 1 },
      'without BOM',
    ],
    [
      'an unknown placeholder',
      { 'p.txt': 'x\n  {noet}' },
      'missing-column',
      { file: 'p.txt', line: 2, column: 3, field: 'noet' },
      'Did you mean "note"?',
    ],
    [
      'an unbalanced brace',
      { 'p.txt': 'x {id}\n{"a": 1' },
      'template',
      { file: 'p.txt', line: 2, column: 1 },
      '{{ and }}',
    ],
    [
      'an empty placeholder',
      { 'p.txt': 'x {}' },
      'template',
      { file: 'p.txt', line: 1, column: 3 },
      'column name',
    ],
    [
      'a missing column of answers',
      { 'd.csv': 'id,note,answer\n1,x,y\n' },
      'missing-column',
      { file: 'd.csv', line: 1, field: 'correct_answer' },
      '"answer"',
    ],
    [
      'a missing column of clusters',
      yaml((text) => `${text}cluster: notes\n`),
      'missing-column',
      { file: 'd.csv', line: 1, field: 'notes' },
      '"note"',
    ],
    [
      'a row without an answer',
      { 'd.csv': 'id,note,correct_answer\n1,x,y\n2,x,\n' },
      'answer',
      { file: 'd.csv', line: 3, row: 2, field: 'correct_answer' },
      'Fill in',
    ],
    [
      'a row without an answer, where empty cells are read as pandas reads them',
      {
        ...yaml((text) => `${text}csv_types: pandas\n`),
        'd.csv': 'id,note,correct_answer\n1,x,y\n2,x,\n',
      },
      'answer',
      { file: 'd.csv', line: 3, row: 2, field: 'correct_answer' },
      'Fill in',
    ],
    [
      'a row of wrong answers alone, of which a judge would take the first for the right one',
      {
        ...yaml((text) => text.replace(/metrics:[^]*/, JURY)),
        'd.csv': FILES['d.csv'].replace('Yes', ''),
      },
      'answer',
      { file: 'd.csv', line: 2, row: 1, field: 'correct_answer' },
      'Fill in',
    ],
    [
      'JSON that is none',
      { 'd.csv': FILES['d.csv'].replace('[]', "['a']") },
      'incorrect-answers',
      { file: 'd.csv', line: 3, row: 2, field: 'incorrect_answers' },
      '[]',
    ],
    [
      'JSON that is no list',
      { 'd.csv': FILES['d.csv'].replace('[]', '"""No"""') },
      'incorrect-answers',
      { file: 'd.csv', line: 3, row: 2, field: 'incorrect_answers' },
      '[]',
    ],
    ['an empty data file', { 'd.csv': '' }, 'empty-file', { file: 'd.csv' }, 'columns'],
    [
      'a data file without rows',
      { 'd.csv': 'id,note,correct_answer\n' },
      'empty-file',
      { file: 'd.csv', line: 2 },
      'row',
    ],
    [
      'a data file in Latin-1',
      { 'd.csv': Buffer.from('id,note,correct_answer\n1,caf\xe9,y\n', 'latin1') },
      'not-utf8',
      { file: 'd.csv', line: 2, column: 6 },
      'UTF-8',
    ],
    [
      'a row with too many cells',
      { 'd.csv': 'id,note,correct_answer\n1,x,y,z\n' },
      'ragged-row',
      { file: 'd.csv', line: 2, row: 1 },
      'quotes',
    ],
    [
      'an open quote',
      { 'd.csv': 'id,note,correct_answer\n1,"x,y\n' },
      'csv',
      { file: 'd.csv', line: 2, column: 3 },
      'quote',
    ],
    [
      'a judge prompt without criteria',
      { ...yaml((text) => text.replace(/metrics:[^]*/, JURY)), 'judge.txt': '{RESPONSE}' },
      'rubric-criteria',
      { file: 'judge.txt' },
      '<rubric_criteria>',
    ],
    [
      'criteria that are no JSON',
      {
        ...yaml((text) => text.replace(/metrics:[^]*/, JURY)),
        'judge.txt': '{RESPONSE}\n<rubric_criteria>\n{"a": {"score": 0,}}\n</rubric_criteria>',
      },
      'rubric-criteria',
      { file: 'judge.txt', line: 3 },
      '<rubric_criteria>',
    ],
    [
      'a judge prompt that shows no answer',
      {
        ...yaml((text) => text.replace(/metrics:[^]*/, JURY)),
        'judge.txt': RUBRIC.replace('{RESPONSE}', 'it'),
      },
      'judge-prompt',
      { file: 'judge.txt' },
      '{RESPONSE}',
    ],
    [
      'a dollar sign that a judge prompt can not hold',
      { ...yaml((text) => text.replace(/metrics:[^]*/, JURY)), 'judge.txt': `costs\n $ 5 ${RUBRIC}` },
      'judge-prompt',
      { file: 'judge.txt', line: 2, column: 2 },
      '$$',
    ],
    [
      'an answer that pandas reads as a number',
      { ...yaml((text) => `${text}csv_types: pandas\n`), 'd.csv': 'id,note,correct_answer\n1,x,5\n' },
      'answer',
      { file: 'd.csv', row: 1, field: 'correct_answer' },
      'csv_types',
    ],
  ])('%s', async (_, files, code, where, remedy) => {
    const problem = await problemOf(files)
    expect(problem).toMatchObject({ code: `benchmarks/${code}`, where })
    expect(problem.remedy).toContain(remedy)
  })

  test('all faults of the YAML come at once', async () => {
    const problems = await problemsOf(load({ 'b.yaml': 'nam: x\nmetrics: [{name: nope}]\n' }))
    expect(problems.map(({ code }) => code).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'benchmarks/missing-key'),
      'benchmarks/unknown-key',
    ])
  })

  test('the position in a JSON cell is told', async () => {
    const problem = await problemOf({ 'd.csv': FILES['d.csv'].replace('[]', '[x]') })
    expect(problem.message).toContain('at character 2 of the cell')
  })
})
