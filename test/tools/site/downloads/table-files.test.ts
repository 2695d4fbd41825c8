import { describe, expect, test } from 'vitest'
import { distinct, shownCell } from '../../../../tools/site/downloads/shown-table.ts'
import { csvOf, jsonOf, latexOf } from '../../../../tools/site/downloads/table-files.ts'

const table = {
  name: 'Scores & more',
  head: ['Model', 'Mean'],
  rows: [
    ['=cmd("x"), 50 %', 0.5],
    ['a_b', null],
  ],
} as const

describe('a saved table', () => {
  test('takes page typography back and adds no digit', () => {
    expect(['−0.125', '12\u202F345', '–', '97.2 %', ' 1=', 'NaN', ' '].map(shownCell)).toEqual([
      -0.125,
      12345,
      null,
      '97.2 %',
      '1=',
      'NaN',
      null,
    ])
  })

  test('as CSV is quoted, and holds nothing that a spreadsheet would run', () => {
    expect(csvOf(table)).toBe('Model,Mean\r\n"\'=cmd(""x""), 50 %",0.5\r\na_b,\r\n')
    expect(csvOf({ ...table, head: [], rows: [['\n=1'], ['＝1']] })).toBe('\r\n"\'\n=1"\r\n\'＝1\r\n')
  })

  test('as JSON is a list of objects', () => {
    expect(JSON.parse(jsonOf(table))).toEqual([
      { Model: '=cmd("x"), 50 %', Mean: 0.5 },
      { Model: 'a_b', Mean: null },
    ])
  })

  test('as LaTeX is escaped, numbers to the right', () => {
    const text = latexOf(table)
    expect(text).toContain(String.raw`\begin{tabular}{lr}`)
    const mixed = latexOf({ ...table, rows: [...table.rows, ['b', 'not ranked']] })
    expect(mixed).toContain(String.raw`\begin{tabular}{ll}`)
    expect(text).toContain(String.raw`a\_b & -- \\`)
    expect(text).toContain(String.raw`\caption{Scores \& more}`)
    const names = [['* a'], ['[1] b'], ['c\n\nd'], [String.raw`_&%#$~^\{}`]]
    expect(
      latexOf({ ...table, rows: names })
        .split('\n')
        .slice(7, 11),
    ).toEqual([
      String.raw`{*} a \\`,
      String.raw`{[}1] b \\`,
      String.raw`c d \\`,
      String.raw`\_\&\%\#\$\textasciitilde{}\textasciicircum{}\textbackslash{}\{\} \\`,
    ])
  })

  test.each([
    ['a', '', 'a'],
    ['β-blocker \u{3BC}g ≤ 5\t', '', String.raw`$\beta$-blocker $\mu$g $\le$ 5 `],
    ['Gro\u0308ße ą', String.raw`% \usepackage[T1]{fontenc}`, 'Größe ą'],
    ['Μοντέλο', '% XeLaTeX or LuaLaTeX, and by fontspec a font that has Μ (U+039C), ο (U+03BF), ', 'Μοντέλο'],
    ['中\u200B', '% XeLaTeX or LuaLaTeX, and by fontspec a font that has 中 (U+4E2D), U+200B: ', '中\u200B'],
  ])('as LaTeX says above itself what the letters of %j want', (name, need, cell) => {
    const lines = latexOf({ ...table, rows: [[name]] }).split('\n')
    expect([lines[1], lines.at(-5)]).toEqual([
      need === '' ? String.raw`\begin{table}` : (expect.stringContaining(need) as string),
      String.raw`${cell} \\`,
    ])
  })

  test('has no two columns of one name', () => {
    expect(distinct(['a', 'b', 'a'])).toEqual(['a', 'b', 'a (2)'])
    expect(distinct(['a', 'a', 'a (2)', 'a'])).toEqual(['a', 'a (3)', 'a (2)', 'a (4)'])
  })
})
