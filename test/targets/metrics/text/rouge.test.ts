import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { numberOf } from '../../../../benchmarks/python/numbers/number.ts'
import { rouge, type RougeScore } from '../../../../targets/metrics/text/rouge.ts'
import { summarization, summaryTexts } from '../../../../targets/metrics/summarization.ts'
import { shared } from '../../../rig/shared.ts'
import { goldenLines, textOf, type Row } from '../golden-lines.ts'
import { adapter, metricSpec, sampleState } from '../sample-state.ts'

const numbers = (row: Row, field: string): readonly number[] =>
  (row.get(field) as readonly number[]).map(numberOf)
const triple = ({ precision, recall, f1 }: RougeScore): readonly number[] => [precision, recall, f1]

const words = fc.array(fc.constantFrom('the', 'patient', 'takes', 'aspirin', 'daily', 'é', '5mg', 'stopped'))
const texts = words.map((list) => list.join(' '))

test('A summary, its references and its source lose one brace at either end, the answer its blanks before.', () => {
  const texts = (answer: string) =>
    summaryTexts(sampleState({ golds: ['{fever}', 'a}b'], answers: [answer] }))
  expect(texts(' {{pain} \n')).toEqual({ summary: '{pain', references: ['fever', 'a}b'] })
  expect(texts('{ pain }').summary).toBe(' pain ')
  const state = sampleState({ input: '{fever and pain}', golds: ['pain'], answers: ['fever and pain'] })
  const points = summarization.evaluate(state, metricSpec('summarization'), adapter())
  // Three tokens of three, one fragment of three.
  expect(points.slice(3).map(({ value }) => value)).toEqual([1, 3, 1])
})

describe('ROUGE', () => {
  it('counts an n-gram as often as both sides have it', () => {
    expect(triple(rouge('pain pain fever', 'pain pain pain').rouge1)).toEqual([2 / 3, 2 / 3, 2 / 3])
  })

  it('lets the longest common subsequence skip words, but not turn them round', () => {
    const scores = rouge('rest ice compression elevation', 'elevation rest and ice')
    expect(triple(scores.rougeL)).toEqual([0.5, 0.5, 0.5])
    expect(scores.rouge2.f1).toBe(0)
  })

  it('stems words of four letters, not of three', () => {
    const pairs = ['gas ga', 'was wa', 'cats cat', 'dogs dog'].map((pair) => pair.split(' '))
    expect(pairs.map(([gold = '', answer = '']) => rouge(gold, answer).rouge1.f1)).toEqual([0, 0, 1, 1])
  })

  it('forms its F-measure in the order of rouge_score, which the last bit shows', () => {
    expect(rouge('w0 w1 w2 w3', 'w0 x0 x1').rouge1.f1).toBe(0.28571428571428575)
  })

  it('scores 0 where a side has no ASCII letter or digit, and says so', () => {
    const { rougeL, empty } = rouge('…', 'fever')
    expect([rougeL.f1, empty]).toEqual([0, true])
  })

  it('gives a text with two words or more 1 against itself', () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre((text.match(/[a-z0-9]+/g) ?? []).length >= 2)
        const { rouge1, rouge2, rougeL } = rouge(text, text)
        expect([rouge1.f1, rouge2.f1, rougeL.f1]).toEqual([1, 1, 1])
      }),
    )
  })

  it('stays within 0 and 1, and precision one way is recall the other', () => {
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        const there = rouge(left, right)
        const back = rouge(right, left)
        for (const name of ['rouge1', 'rouge2', 'rougeL'] as const) {
          expect(there[name].f1).toBeGreaterThanOrEqual(0)
          expect(there[name].f1).toBeLessThanOrEqual(1)
          expect(there[name].precision).toBe(back[name].recall)
        }
      }),
    )
  })

  it('finds the common subsequence that the textbook table finds, beyond one machine word', () => {
    const long = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 150 })
    fc.assert(
      fc.property(long, long, (left, right) => {
        fc.pre(left.length > 0 && right.length > 0)
        const { rougeL } = rouge(left.join(' '), right.join(' '))
        expect(Math.round(rougeL.recall * left.length)).toBe(commonSubsequence(left, right))
      }),
    )
  })
})

/** The quadratic table, written for clearness. */
const commonSubsequence = (left: readonly string[], right: readonly string[]): number => {
  const table = left.map(() => right.map(() => 0))
  const at = (row: number, column: number): number => table[row]?.[column] ?? 0
  left.forEach((token, row) =>
    right.forEach((other, column) => {
      const length =
        token === other ? at(row - 1, column - 1) + 1 : Math.max(at(row - 1, column), at(row, column - 1))
      ;(table[row] as number[])[column] = length
    }),
  )
  return at(left.length - 1, right.length - 1)
}

describe.skipIf(shared('golden/metrics') === undefined)('ROUGE, against rouge_score 0.1.2', () => {
  it('has every double of all pairs', () => {
    const rows = goldenLines('rouge.jsonl')
    expect(rows).toHaveLength(3127)
    for (const row of rows) {
      const { rouge1, rouge2, rougeL } = rouge(textOf(row, 'r'), textOf(row, 'c'))
      expect(triple(rouge1)).toEqual(numbers(row, 'rouge1'))
      expect(triple(rouge2)).toEqual(numbers(row, 'rouge2'))
      expect(triple(rougeL)).toEqual(numbers(row, 'rougeL'))
    }
  })

  it('takes the best over all references in summaries', () => {
    for (const row of goldenLines('rouge-references.jsonl')) {
      const state = sampleState({
        golds: row.get('references') as readonly string[],
        answers: [textOf(row, 'completion')],
      })
      const points = summarization.evaluate(state, metricSpec('summarization'), adapter())
      expect(points.slice(0, 3).map(({ value }) => value)).toEqual(numbers(row, 'summ'))
    }
  })
})
