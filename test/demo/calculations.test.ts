import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { calculationsCsv, casesOf, ITEMS_EACH } from './calculations.ts'
import { CALCULATORS } from './calculators.ts'

const FILE = fileURLToPath(
  new URL('../../benchmarks/catalog/demo_clinical_calculations/data.csv', import.meta.url),
)
const rows = parse(calculationsCsv(), { columns: true }) as readonly Record<string, string>[]

describe('demo_clinical_calculations', () => {
  // `npx vitest run test/demo -u` writes the file anew.
  test('data.csv is what the generator makes, byte for byte', async () => {
    await expect(calculationsCsv()).toMatchFileSnapshot(FILE)
  })

  test('has three differently worded items of each of 24 calculators', () => {
    expect(CALCULATORS.length).toBe(24)
    expect(rows.length).toBe(72)
    expect(new Set(rows.map((row) => row['item'])).size).toBe(72)
    expect(new Set(rows.map((row) => row['note'])).size).toBe(72)
  })

  test('every row has all columns and a citation with a year', () => {
    for (const row of rows) {
      expect(Object.values(row).every((value) => value !== '')).toBe(true)
      expect(row['citation']).toMatch(/\b(?:19|20)\d\d\b/)
    }
  })

  test.each(CALCULATORS)('$id answers with as many decimals as its question asks for', (calculator) => {
    const asked = /Give (a whole number|one decimal|two decimals)/.exec(calculator.question)?.[1]
    expect(['a whole number', 'one decimal', 'two decimals'].indexOf(asked ?? '')).toBe(calculator.decimals)
    const answers = rows
      .filter((row) => row['calculator'] === calculator.name)
      .map((row) => row['correct_answer'])
    expect(answers.length).toBe(ITEMS_EACH)
    for (const answer of answers) {
      expect(answer).toMatch(
        calculator.decimals === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${calculator.decimals}}$`),
      )
    }
  })

  test.each(CALCULATORS)('no answer of $id turns on how a tie is rounded', (calculator) => {
    for (const { value } of casesOf(calculator)) {
      const scaled = value * 10 ** calculator.decimals
      expect(Math.round(scaled - 0.05)).toBe(Math.round(scaled + 0.05))
    }
  })
})
