import { expect, test } from 'vitest'
import {
  closestDiff,
  MOST_EDITS,
  wordDiff,
  type DiffPart,
} from '../../../../../tools/site/components/text/word-diff.ts'

const marked = (parts: readonly DiffPart[]): string =>
  parts.map(({ text, isShared }) => (isShared ? text : `[${text}]`)).join('')

const sides = (a: string, b: string): unknown => {
  const diff = wordDiff(a, b)
  return typeof diff === 'string' ? diff : [marked(diff.a), marked(diff.b)]
}

test('Words are marked whole, in scripts that join their letters, too', () => {
  expect(sides('no fever today', 'some fever today')).toEqual(['[no] fever today', '[some] fever today'])
  expect(sides('يشكو من ألم', 'يشكو من صداع')).toEqual(['يشكو من [ألم]', 'يشكو من [صداع]'])
})

test('Texts without spaces are marked by characters where their script has no words, else as one', () => {
  expect(sides('起胸痛，无发热。', '起胸痛，有发热。')).toEqual(['起胸痛，[无]发热。', '起胸痛，[有]发热。'])
  expect(sides('x'.repeat(90), 'y'.repeat(90))).toBe('too little shared')
})

test('A long answer is marked, and one that differs in too many words is told from one that shares too little', () => {
  const words = Array.from({ length: 16_000 }, (_, at) => `word${at % 977}`)
  const edited = words.map((word, at) => (at % 100 === 7 ? 'other' : word))
  expect(wordDiff(words.join(' '), edited.join(' '))).toMatchObject({
    shared: expect.closeTo(0.99, 2) as number,
  })
  const half = words.map((word, at) => (at % 2 === 0 ? word : `changed${at}`))
  expect(half.length / 2).toBeGreaterThan(MOST_EDITS)
  expect(wordDiff(words.join(' '), half.join(' '))).toBe('too many edits')
})

test('Of several texts the one that holds most of the answer is taken', () => {
  expect(closestDiff('stop metformin now', ['go home', 'stop metformin', 'stop'])).toMatchObject({ at: 1 })
  expect(closestDiff('stop metformin now', ['home', 'rest'])).toBeUndefined()
})
