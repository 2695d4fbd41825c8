import { expect, test } from 'vitest'
import { givenData } from '../../../tools/benchmark/sample-data.ts'

const given = (...columns: readonly string[]) =>
  givenData({ columns, text: 'rows', notes: ['as it was'] } as never)

test('An author’s table gets a prompt of what can be named in one, without the columns that answer it', () => {
  expect(given('note', 'age', 'correct_answer', 'incorrect_answers')).toEqual({
    text: 'rows',
    prompt: 'note: {note}\nage: {age}\n\nSay here what is asked.',
    notes: ['as it was'],
  })
})

test('A table without right answers, or with columns that no prompt can name, says what to rename', () => {
  const { prompt, notes = [] } = given('lab.value', 'note', 'Correct Answer', '{x')
  expect(prompt).toBe('note: {note}\nCorrect Answer: {Correct Answer}\n\nSay here what is asked.')
  expect(notes).toEqual([
    'as it was',
    expect.stringContaining('("Correct Answer" is another name)'),
    expect.stringContaining('cannot name them: "lab.value", "{x".'),
  ])
  expect(given('note').notes?.[1]).toContain('no column correct_answer, which')
})
