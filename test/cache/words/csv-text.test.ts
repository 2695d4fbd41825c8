import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { csvText } from '../../../cache/words/csv-text.ts'

const cellsOf = (text: string): unknown => (parse(text) as unknown[]).slice(1).flat()

test('no text is a formula to a spreadsheet, and numbers stay what they are', () => {
  const formulas = [
    '=1+1',
    '+SUM(A1)',
    '-cmd|x',
    '@x',
    '\t=1',
    '＝1',
    '-5-3',
    '+',
    '=HYPERLINK("http://x","y")',
  ]
  expect(
    cellsOf(
      csvText(
        ['name'],
        formulas.map((text) => [text]),
      ),
    ),
  ).toEqual(formulas.map((text) => `'${text}`))
  const plain = ['-5', '+1.5e-3', '-.5', '−5', 'a=b', "it's", 'two\nlines', 'a,"b"', '', '1.']
  expect(
    cellsOf(
      csvText(
        ['name', 'x'],
        plain.map((text) => [text, 'x']),
      ),
    ),
  ).toEqual(plain.flatMap((text) => [text, 'x']))
  expect(csvText(['a', 'b'], [[-0.25, null]])).toBe('a,b\n-0.25,')
})
