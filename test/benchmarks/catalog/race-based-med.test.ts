import { expect, test } from 'vitest'
import { instances } from '../../../benchmarks/catalog/race_based_med/scenario.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { scenarioData } from '../../rig/scenario-data.ts'

const plain = (text: string) => ({ text, colours: [] })
const red = (text: string) => ({ text, colours: ['000000', 'FF0000'] })
const load = (...paragraphs: readonly ReturnType<typeof red>[]) => [
  ...instances(scenarioData({ documents: { transcripts: paragraphs } })),
]
const shown = (...paragraphs: readonly ReturnType<typeof red>[]) =>
  load(...paragraphs).map(({ input, references }) => [
    input.text.slice(input.text.indexOf('Question: ')),
    references.find(({ tags }) => tags.includes('correct'))?.text,
  ])

test('A transcript is a question and all paragraphs up to the next, red if any of them is.', () => {
  expect(
    shown(
      red('Title'),
      plain(' Run 1: How: so? '),
      plain(' a '),
      plain(''),
      red('b'),
      plain('Run 2: Next?'),
      plain('Running water: c'),
    ),
  ).toEqual([
    ['Question: How: so?\nResponse: a\n\nb\n', 'yes'],
    ['Question: Next?\nResponse: Running water: c\n', 'no'],
  ])
})

test('The colour of the question itself counts for nothing, nor does a heading without a question.', () => {
  expect(shown(red('Run 1: Q?'), plain('a'), plain('Run 2:'), red('b'))).toEqual([
    ['Question: Q?\nResponse: a\n', 'no'],
  ])
})

test('Equal transcripts are one instance with the last label.', () => {
  expect(shown(plain('Run 1: Q?'), plain('a'), plain('Run 2: Q?'), red('a'))).toEqual([
    ['Question: Q?\nResponse: a\n', 'yes'],
  ])
})

test('A document without transcripts is an error.', async () => {
  expect(await problemOf(() => load(plain('Title')))).toMatchObject({
    code: 'benchmarks/race-based-med',
    where: { file: 'transcripts.data' },
  })
})
