import { expect, test } from 'vitest'
import { didYouMean, suggestion } from '../../cache/problems/did-you-mean.ts'

const names = ['prompt_file', 'dataset_file', 'metrics', 'max_tokens']

test.each([
  ['promt_file', 'prompt_file'],
  ['max_tokesn', 'max_tokens'],
  ['METRICS', 'metrics'],
  ['metric', 'metrics'],
  ['datasetfile', 'dataset_file'],
  ['a', undefined],
  ['temperature', undefined],
  ['', undefined],
])('%j means %j', (word, meant) => {
  expect(didYouMean(word, names)).toBe(meant)
})

test('A suggestion starts a remedy, or is empty.', () => {
  expect(suggestion('metrcs', names)).toBe('Did you mean "metrics"? ')
  expect(suggestion('temperature', names)).toBe('')
})

test('Of equally near candidates the first is taken.', () => {
  expect(didYouMean('rouge_3', ['rouge_1', 'rouge_2'])).toBe('rouge_1')
})

test('A name that the word begins comes before a shorter one that is spelt otherwise.', () => {
  expect(didYouMean('baseline/random', ['baseline/lead', 'baseline/random-choice'])).toBe(
    'baseline/random-choice',
  )
  expect(didYouMean('metric', ['metric_specs', 'metrics'])).toBe('metrics')
})

test('A name whose beginning is misspelt is found, unless what was typed is too short to tell.', () => {
  expect(didYouMean('pubmd', ['pubmed_qa', 'med_qa'])).toBe('pubmed_qa')
  expect(didYouMean('rogue', ['bleu_1', 'rouge_1', 'rouge_2'])).toBe('rouge_1')
  expect(didYouMean('pud', ['pubmed_qa'])).toBeUndefined()
})

test('A candidate may be as long as a note that stands where a name should.', () => {
  expect(didYouMean('note', ['x'.repeat(200_000), 'notes'])).toBe('notes')
})
