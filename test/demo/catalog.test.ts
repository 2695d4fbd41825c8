import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'

const rowsOf = (benchmark: string): readonly Record<string, string>[] =>
  parse(
    readFileSync(fileURLToPath(new URL(`../../benchmarks/catalog/${benchmark}/data.csv`, import.meta.url))),
    {
      columns: true,
    },
  )

const unique = (values: readonly (string | undefined)[]) => new Set(values).size

describe('demo_multiple_choice', () => {
  const rows = rowsOf('demo_multiple_choice')
  const optionsOf = (row: Record<string, string>) =>
    ['a', 'b', 'c', 'd'].map((letter) => row[`option_${letter}`] ?? '')

  test('has 48 different questions with four different options each', () => {
    expect(rows.length).toBe(48)
    expect(unique(rows.map((row) => row['item']))).toBe(48)
    expect(unique(rows.map((row) => row['question']))).toBe(48)
    for (const row of rows) expect(unique(optionsOf(row).map((option) => option.toLowerCase()))).toBe(4)
  })

  test.each(['A', 'B', 'C', 'D'])('%s is right 12 times', (letter) => {
    expect(rows.filter((row) => row['answer'] === letter).length).toBe(12)
  })

  test('the longest option is right hardly more often than chance', () => {
    const right = rows.filter((row) => {
      const lengths = optionsOf(row).map((option) => option.length)
      return lengths.indexOf(Math.max(...lengths)) === 'ABCD'.indexOf(row['answer'] ?? '')
    })
    expect(right.length / rows.length).toBeLessThan(0.3)
  })

  test('every question has a topic and a rationale of one line', () => {
    expect(unique(rows.map((row) => row['topic']))).toBe(8)
    for (const row of rows) expect(row['rationale']).toMatch(/^[A-Z][^\n]{20,160}\.$/)
  })
})

describe('demo_patient_summaries', () => {
  const rows = rowsOf('demo_patient_summaries')

  test('has 12 notes, each longer than its reference', () => {
    expect(unique(rows.map((row) => row['item']))).toBe(12)
    const words = (text = '') => text.split(/\s+/).length
    for (const row of rows) {
      expect(words(row['note'])).toBeGreaterThan(150)
      expect(words(row['correct_answer'])).toBeGreaterThan(80)
      expect(words(row['correct_answer'])).toBeLessThanOrEqual(120)
    }
  })

  test('every number in a reference stands in its note', () => {
    for (const row of rows) {
      const noted = new Set(row['note']?.match(/\d+(?:\.\d+)?/g))
      const wrong =
        row['correct_answer']?.match(/\d+(?:\.\d+)?/g)?.filter((number) => !noted.has(number)) ?? []
      expect({ item: row['item'], wrong }).toEqual({ item: row['item'], wrong: [] })
    }
  })
})
