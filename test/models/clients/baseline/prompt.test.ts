import { describe, expect, test } from 'vitest'
import { readPrompt } from '../../../../models/clients/baseline/prompt.ts'

const JOINT = [
  'Answer with one letter.',
  '',
  'Question: Which is first?',
  'A. Alpha',
  'B. Beta',
  'Answer: A',
  '',
  'Question: Which gland makes insulin?',
  'A. Liver',
  'B. Pancreas',
  'C. Spleen',
  'Answer:',
].join('\n')

describe('reading a prompt', () => {
  test('takes the options of the last question, not of an example', () => {
    expect(readPrompt(JOINT)).toMatchObject({
      kind: 'choice',
      question: 'Which gland makes insulin?',
      options: [
        { letter: 'A', text: 'Liver' },
        { letter: 'B', text: 'Pancreas' },
        { letter: 'C', text: 'Spleen' },
      ],
    })
  })

  test('keeps a vignette that spans lines together with its question', () => {
    const prompt = 'Answer.\n\nQuestion: A man coughs.\nHe has fever.\nWhat now?\n(A) Rest\n'
    expect(readPrompt(prompt).kind).toBe('text')
    expect(readPrompt(prompt.replace('(A) Rest', 'A) Rest\nB) Run')).question).toBe(
      'A man coughs.\nHe has fever.\nWhat now?',
    )
  })

  test('does not take a lettered list inside a note for options', () => {
    const prompt =
      'Summarise.\n\nNote: Findings:\nA. Cough\nB. Fever\nHe went home.\nHe will call.\n\nSummary:'
    expect(readPrompt(prompt)).toMatchObject({ kind: 'text', options: [] })
  })

  test('finds note, question and numbers of a calculation', () => {
    const prompt =
      'Work out the value.\n\nPatient note: She weighs 70.5 kg and takes vitamin B12.\n\nQuestion: Give a whole number from 0 to 9.\n\nAnswer:\n'
    expect(readPrompt(prompt)).toEqual({
      kind: 'calculation',
      options: [],
      question: 'Give a whole number from 0 to 9.',
      source: 'She weighs 70.5 kg and takes vitamin B12.',
      numbers: ['70.5', '0', '9'],
      range: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
    })
  })

  test('leaves instructions and answer cue out of a text to summarise', () => {
    const prompt = 'Summarise this.\n\nVisit note: First part. Second.\n\nMore.\n\nSummary:'
    expect(readPrompt(prompt)).toMatchObject({
      kind: 'text',
      question: 'Summarise this.',
      source: 'First part. Second.\n\nMore.',
    })
  })

  test('reads an empty prompt as empty text', () => {
    expect(readPrompt('')).toEqual({
      kind: 'text',
      options: [],
      question: '',
      source: '',
      numbers: [],
      range: [],
    })
  })
})
