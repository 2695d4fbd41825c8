import { expect, test } from 'vitest'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import { metricCell } from '../../../targets/tables/cells/metric-cell.ts'
import { bareText, merge } from '../../../targets/tables/cells/trial-stat.ts'
import { comparableRate } from '../../../targets/tables/cells/win-rate.ts'
import { costs } from '../../../targets/tables/costs.ts'
import { meanScores } from '../../../targets/tables/group-table.ts'
import { problemsAtOnce } from '../../rig/problem-of.ts'

test('A stat is told as HELM tells it: whole numbers without a point, three digits, NaN by its own name.', () => {
  expect(bareText({ count: 8, sum: 3, min: 0, max: 1 })).toBe('min=0, mean=0.375, max=1, sum=3 (8)')
  expect(bareText({ count: 3, sum: 0.1, min: -0.25, max: 0.0305 })).toBe(
    'min=-0.25, mean=0.033, max=0.03, sum=0.1 (3)',
  )
  expect(bareText({ count: 2, sum: NaN, min: 0, max: 1 })).toBe('min=0, mean=NaN, max=1, sum=NaN (2)')
  expect(bareText({ count: 1, sum: 2 ** 69 + 2 ** 20, max: 2 ** 70 })).toBe(
    'min=None, mean=590295810358706700288, max=1180591620717411303424, sum=590295810358706700288 (1)',
  )
  // Python rounds a tie to the even digit.
  expect(bareText({ count: 1, sum: 0.0625, min: 0.0625, max: 0.1875 })).toBe(
    'min=0.062, mean=0.062, max=0.188, sum=0.062 (1)',
  )
  expect(bareText({ count: 0, sum: 0 })).toBe('(0)')
})

test('Trials together have the least and the greatest of any, whichever comes first, and none of what counts nothing.', () => {
  const [low, high] = [
    { count: 1, sum: 0.25, min: 0.25, max: 0.25 },
    { count: 1, sum: 0.75, min: 0.75, max: 0.75 },
  ]
  const nothing = { count: 0, sum: 0 }
  for (const trials of [
    [low, nothing, high],
    [nothing, high, low],
  ])
    expect(merge(trials)).toEqual({ count: 2, sum: 1, min: 0.25, max: 0.75 })
  expect(merge([nothing])).toEqual(nothing)
})

test('Costs count what has no split, by deployment; tokens that nobody counted are 0, as in HELM’s dictionary.', () => {
  const stat = (name: string, sum: number, split?: string) => ({
    name: { name, ...(split === undefined ? {} : { split }) },
    count: 1,
    sum,
  })
  const run = (modelDeployment: string, ...stats: readonly ReturnType<typeof stat>[]) => ({
    adapter: { modelDeployment },
    stats,
  })
  const found = costs([
    run('a/one', stat('num_completions', 4), stat('num_prompt_tokens', 1540), stat('num_requests', 4)),
    run('a/one', stat('num_prompt_tokens', 60), stat('num_prompt_tokens', 7, 'test')),
    run('a/two', stat('num_completion_tokens', 9, 'test')),
    run('a/three', stat('num_completion_tokens', 9), { ...stat('num_requests', 0), count: 0 }),
  ])
  expect([...found].map(([name, cost]) => [name, [...cost]])).toEqual([
    [
      'a/one',
      [
        ['num_completions', float(4)],
        ['num_prompt_tokens', float(1600)],
        ['num_requests', float(4)],
        ['num_completion_tokens', 0],
        ['total_tokens', float(1600)],
      ],
    ],
    [
      'a/three',
      [
        ['num_completion_tokens', float(9)],
        ['num_requests', float(0)],
        ['num_prompt_tokens', 0],
        ['total_tokens', float(9)],
      ],
    ],
  ])
})

test('A cell names the runs whose metric it tells, and no run that lacks it.', () => {
  const run = (name: string, ...stats: readonly number[]) => ({
    name,
    stats: stats.map((sum) => ({ name: { name: 'exact_match', split: 'test' }, count: 2, sum })),
  })
  const cell = metricCell(
    [run('a', 1), run('b'), run('c', 2), run('a', 0)],
    { name: 'exact_match', split: 'test' },
    { runSpecNames: true, debug: true },
  )
  expect(cell).toMatchObject({
    value: float(0.5),
    runSpecNames: ['a', 'c'],
    description: expect.stringMatching(/sum=3 \(6\)\nRun specs:\n-- a\n-- c\n-- a$/) as string,
  })
})

test('A cell is of one split, and of one sub-split where that is asked for.', () => {
  const stat = (sum: number, more: { readonly split?: string; readonly subSplit?: string }) => ({
    name: { name: 'exact_match', ...more },
    count: 1,
    sum,
  })
  const detail = { runSpecNames: false, debug: false }
  const run = {
    name: 'a',
    stats: [stat(1, { split: 'test', subSplit: 'x' }), stat(0, { split: 'test', subSplit: 'y' })],
  }
  const valueOf = (more: { readonly subSplit?: string }) =>
    metricCell([run], { name: 'exact_match', split: 'test', ...more }, detail).value
  expect([valueOf({}), valueOf({ subSplit: 'x' })]).toEqual([float(0.5), float(1)])
  const mixed = { name: 'b', stats: [...run.stats, stat(1, { split: 'valid' })] }
  expect(
    problemsAtOnce(() => metricCell([mixed], { name: 'exact_match', split: '__all__' }, detail)),
  ).toMatchObject([
    { code: 'targets/ambiguous-metric', message: expect.stringContaining('Run b has exact_match') as string },
  ])
})

test('A run without quasi-exact matches shows exact ones, but not as the best of several answers.', () => {
  const run = { name: 'a', stats: [{ name: { name: 'exact_match', split: 'test' }, count: 2, sum: 1 }] }
  const detail = { runSpecNames: false, debug: false }
  const valueOf = (name: string) => metricCell([run], { name, split: 'test' }, detail).value
  expect(valueOf('quasi_exact_match')).toEqual(float(0.5))
  expect(valueOf('quasi_exact_match@5')).toBeUndefined()
})

test('A mean score is over the columns in which its row has a value, and none without any.', () => {
  const columns = [
    [1, 1, undefined],
    [3, undefined, undefined],
  ].map((values) => ({ values }))
  expect(meanScores(columns, 3)).toEqual([2, 1, undefined])
})

test('Win rates that differ in the last digit alone are one place.', () => {
  expect(comparableRate(0.1 + 0.2)).toBe(comparableRate(0.3))
  expect(comparableRate(2 / 3)).toBeGreaterThan(comparableRate(0.666_666))
})
