import { expect, it } from 'vitest'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import { latex } from '../../../targets/tables/latex.ts'
import { quote, runsUrl } from '../../../targets/tables/group-table.ts'
import { bareText, merge } from '../../../targets/tables/cells/trial-stat.ts'

const cell = (value?: string | number) =>
  value === undefined
    ? { markdown: false }
    : { value: typeof value === 'number' ? float(value) : value, markdown: false }
const head = (value: string) => ({ value, markdown: false, metadata: new Map() })

it('prints a table without its empty columns, zeros blank, per cent escaped', () => {
  const table = {
    title: 'T',
    name: 'acc 100%',
    header: [head('Model'), head('EM'), head('F1'), head('%')],
    rows: [
      [cell('m'), cell(0), cell(), cell(1)],
      [cell('n'), cell(1e-5), cell(), cell(1e16)],
    ],
    links: [],
  }
  expect(latex(table, 'g').split('\n')).toEqual([
    '\\begin{table*}[htp]',
    '\\resizebox{\\textwidth}{!}{',
    '\\begin{tabular}{lrr}',
    '\\toprule',
    'Model & EM & \\% \\\\',
    '\\midrule',
    'm &  & 1.0 \\\\',
    'n & 1e-05 & 1e+16 \\\\',
    '\\bottomrule',
    '\\end{tabular}}',
    '\\caption{Results for acc 100\\% (g)}',
    '\\label{fig:acc 100\\% (g)}',
    '\\end{table*}',
  ])
})

it('quotes like Python: only letters, digits and _.-~ stay', () => {
  expect(quote("aZ9_.-~ /!'()*é😀")).toBe('aZ9_.-~%20%2F%21%27%28%29%2A%C3%A9%F0%9F%98%80')
  expect(runsUrl(['a', 'é'], 'g', 's')).toBe('?group=g&subgroup=s&runSpecs=%5B%22a%22%2C%20%22%5Cu00e9%22%5D')
})

it('shows merged stats shortly, rounded half to even', () => {
  expect(bareText(merge([]))).toBe('(0)')
  expect(
    bareText(
      merge([
        { count: 1, sum: 0.0625, min: 0.0625, max: 0.0625 },
        { count: 1, sum: 2, min: 2, max: 2 },
      ]),
    ),
  ).toBe('min=0.062, mean=1.031, max=2, sum=2.062 (2)')
})
