import { expect, test } from 'vitest'
import type { Digest } from '../../../../cache/values/digest.ts'
import type { Price } from '../../../../models/prices/price.ts'
import { leaderboardProject, pairProject } from '../../../../tools/nx/pairs/pair-project.ts'
import type { Pair } from '../../../../tools/nx/pairs/pair.ts'
import { madeUpTarget } from '../../../rig/made-up-run.ts'

const NAMES = { generate: 'ask', score: 'judge', report: 'show' }
const SHARED = { executors: 'medmake', names: NAMES, store: 'store-1', suites: [] }
const NO_PACKAGES = { externalDependencies: [] }
const RESULTS = { dependentTasksOutputFiles: '**/*.json' }

const PAIR: Pair = {
  model: 'm_a',
  scenario: 'letters',
  project: 'm_a--letters',
  target: madeUpTarget({ instances: [] }),
  suites: ['one', 'my suite'],
  key: 'k' as Digest<'target'>,
}

const projectOf = (outside = 'o', suites: readonly string[] = [], pair: Partial<Pair> = {}) =>
  pairProject(
    { ...PAIR, ...pair },
    { ...SHARED, suites, files: { inside: ['benchmarks/b/data.csv'], outside: outside as Digest } },
  )

const boardOf = (prices: readonly Partial<Price>[], given: object = {}) => {
  const usual: Price = { deployment: 'a', input: 1, output: 3, date: '', source: '', file: '' }
  return leaderboardProject({
    ...SHARED,
    site: 'site-1',
    localPath: 'deployments',
    prices: new Map(prices.map((price, at) => [String(at), { ...usual, ...price }])),
    ...given,
  })
}

test('A pair’s questions hang on its files, ignored ones too, its judgements on its answers, and neither on npm’s packages.', () => {
  const { targets = {}, tags } = projectOf()
  expect(Object.keys(targets)).toEqual(['ask', 'judge'])
  expect(targets['ask']).toMatchObject({
    cache: true,
    executor: 'medmake:generate',
    inputs: [{ fileset: '{workspaceRoot}/benchmarks/b/data.csv', includeIgnored: true }, NO_PACKAGES],
    outputs: ['{workspaceRoot}/cache/results/m_a--letters/generate.json'],
    options: { run: PAIR.target.spec.name, store: 'store-1' },
  })
  expect(targets['judge']).toMatchObject({
    cache: true,
    executor: 'medmake:score',
    dependsOn: ['ask'],
    inputs: [RESULTS, NO_PACKAGES],
    outputs: ['{workspaceRoot}/cache/results/m_a--letters/score.json'],
    options: { store: 'store-1' },
  })
  expect(tags).toEqual([
    'pair',
    'model:m_a',
    'bench:letters',
    'suite:one',
    expect.stringMatching(/^suite:my_suite-/),
  ])
})

test('A pair is asked anew where its declarations or files outside of the workspace differ.', () => {
  const keyOf = (...given: Parameters<typeof projectOf>): unknown =>
    (projectOf(...given).targets?.['ask']?.options as { readonly key: unknown } | undefined)?.key
  const keys = [keyOf(), keyOf('p'), keyOf('o', [], { key: 'l' as Digest<'target'> })]
  expect(new Set(keys).size).toBe(3)
  expect(keyOf('o', ['one'])).toBe(keys[0])
})

test('Both targets of a pair name the suites that were chosen, and none where all are.', () => {
  const chosen = (suites: readonly string[]): readonly unknown[] =>
    Object.values(projectOf('o', suites).targets ?? {}).map(
      ({ options }) => (options as { readonly suites?: unknown }).suites,
    )
  expect([chosen([]), chosen(['one'])]).toEqual([
    [undefined, undefined],
    [['one'], ['one']],
  ])
})

test('A report hangs on the scores of all pairs, on what its board shows beside them, on prices and on its site.', () => {
  const { show } = boardOf([{}]).targets as Record<string, object>
  const declared = [
    'medmake.yaml',
    'targets/*.conf',
    'models/*.yaml',
    'benchmarks/*.yaml',
    'benchmarks/*/benchmark.yaml',
    'deployments/*.yaml',
  ]
  expect(show).toMatchObject({
    cache: true,
    executor: 'medmake:report',
    dependsOn: [{ projects: 'tag:pair', target: 'judge' }],
    inputs: [
      RESULTS,
      ...declared.map((file) => ({ fileset: `{workspaceRoot}/${file}`, includeIgnored: true })),
      NO_PACKAGES,
    ],
    outputs: ['{workspaceRoot}/cache/results/leaderboard/report.json'],
    options: { site: 'site-1', store: 'store-1' },
  })
  const modelsOf = (localPath: string): string => JSON.stringify(boardOf([{}], { localPath }).targets)
  expect(modelsOf('')).toContain('"{workspaceRoot}/*.yaml"')
  expect(modelsOf('../models')).not.toContain('{workspaceRoot}/../')
  const optionsOf = (...given: Parameters<typeof boardOf>): string =>
    JSON.stringify(boardOf(...given).targets?.['show']?.options)
  const plain = optionsOf([{}])
  // What is not declared costs as much as other input.
  expect(optionsOf([{ cachedInput: 1 }])).toBe(plain)
  const others = [{ deployment: 'b' }, { input: 2 }, { cachedInput: 0.5 }, { output: 4 }].map((price) =>
    optionsOf([price]),
  )
  expect(new Set([plain, ...others, optionsOf([{}], { site: 'site-2' })]).size).toBe(6)
})
