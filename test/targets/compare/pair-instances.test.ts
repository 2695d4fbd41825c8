import { defined } from '../../../cache/values/defined.ts'
import { describe, expect, it, test } from 'vitest'
import { pairedSides, pairInstances } from '../../../targets/compare/paired-sides.ts'
import { scenarioOf } from '../../../targets/runs/board-metric.ts'
import { listsOf, madeUpComparedRun, type SketchedInstance } from './made-up-compared-run.ts'

const instance = (id: string, digest: string, references = 'A'): SketchedInstance => ({
  id,
  digest,
  references,
})
/** @param data that each side's rows are of; where only one is given B's is not known */
const pairs = (
  a: readonly SketchedInstance[],
  b: readonly SketchedInstance[],
  [dataA, dataB]: readonly string[] = [],
): readonly string[] =>
  pairInstances(
    { ...listsOf(a), ...defined({ data: dataA }) },
    { ...listsOf(b), ...defined({ data: dataB }) },
  ).map((pair) => `${a[pair.a]?.id}=${b[pair.b]?.id}`)
/** Twenty rows under counted ids. */
const file = (words: string, answerOf: (row: number) => string): readonly SketchedInstance[] =>
  Array.from({ length: 20 }, (_, row) => instance(`id${row}`, `${words} ${row}`, answerOf(row)))

describe('instances', () => {
  it('are known again by what they ask, wherever they stand', () => {
    const before = [instance('id0', 'x'), instance('id1', 'y')]
    const after = [instance('id0', 'new'), instance('id1', 'x'), instance('id2', 'y')]
    expect(pairs(before, after)).toEqual(['id0=id1', 'id1=id2'])
  })

  it('that are alike pair one by one', () => {
    const twice = [instance('id0', 'x'), instance('id1', 'x')]
    expect(pairs(twice, twice)).toEqual(['id0=id0', 'id1=id1'])
    expect(pairs(twice, [instance('id5', 'x')])).toEqual(['id0=id5'])
  })

  it('in other words pair by id where the same answer is right', () => {
    const letter = (row: number): string => (row % 2 === 0 ? 'A' : 'B')
    const before = file('plain', letter)
    const after = file('longer', (row) => (row === 0 ? 'C' : letter(row)))
    expect(pairs(before, after, ['d', 'd'])).toEqual(before.slice(1).map(({ id }) => `${id}=${id}`))
  })

  it('under counted ids are other rows where nearly all are others, unless the data are the same', () => {
    const [before, after] = [file('of June', () => 'A'), file('of July', () => 'A')]
    expect(pairs(before, after, ['d', 'e'])).toEqual([])
    expect(pairs(before, after, ['d'])).toEqual([])
    expect(pairs(before, after)).toEqual([])
    expect(pairs(before, after, ['d', 'd'])).toHaveLength(20)
    // Half of the file as it was: its other half was edited.
    expect(pairs(before, [...before.slice(0, 10), ...after.slice(10)], ['d', 'e'])).toHaveLength(20)
    expect(pairs(before, [...before.slice(0, 9), ...after.slice(9)], ['d', 'e'])).toHaveLength(9)
  })

  it('of data that nobody tells are the same rows where their answers agree as no other rows’ would', () => {
    const letter = (row: number): string => 'ABCD'[row % 4] ?? ''
    expect(pairs(file('plain', letter), file('longer', letter))).toHaveLength(20)
    // Another order, of which a quarter agrees by chance; and other rows of a mapping over the same file.
    const shifted = file('longer', (row) => letter(row + Math.floor(row / 4)))
    expect(pairs(file('plain', letter), shifted)).toEqual([])
    expect(pairs(file('plain', letter), shifted, ['d', 'd'])).toEqual([])
  })

  it('in other words are not guessed at where one came and another went', () => {
    const before = [instance('id0', 'x'), instance('id1', 'y')]
    const after = [instance('id1', 'y2'), instance('id2', 'z2')]
    expect(pairs(before, after)).toEqual([])
  })

  it('in other words and of another number are not guessed at', () => {
    const before = [instance('id0', 'x'), instance('id1', 'y')]
    const after = [instance('id0', 'n2'), instance('id1', 'x2'), instance('id2', 'y2')]
    expect(pairs(before, after)).toEqual([])
  })
})

describe('the sources of pairs', () => {
  const run = (clusters: readonly (string | undefined)[], benchmark = 'ward') => ({
    ...madeUpComparedRun(
      { name: 'ward', scenario: 'ward', deployment: 'm' },
      clusters.map((cluster, at) => ({ id: `i${at}`, digest: `d${at}`, ...(cluster && { cluster }) })),
      () => 1,
    ),
    benchmark,
  })
  const sources = (a: ReturnType<typeof run>, b: ReturnType<typeof run>): readonly string[] | undefined =>
    pairedSides({ a, b }, 'em').sources

  it('are those that either side names, and a row’s own where none does', () => {
    const [named, bare] = [run(['p', 'p', undefined]), run([undefined, undefined, undefined])]
    expect(sources(bare, bare)).toBeUndefined()
    for (const found of [sources(named, bare), sources(bare, named)]) {
      expect(found?.slice(0, 2)).toEqual(['p', 'p'])
      expect(found?.[2]).toContain('i2')
    }
    // Rows of two benchmarks are two, whatever their ids.
    const other = run(['p', 'p', undefined], 'clinic')
    expect(sources(other, other)?.[2]).not.toBe(sources(named, named)?.[2])
  })
})

test('pairs whose reply is the very same are named, whether it could be read or not', () => {
  const run = (results: readonly (string | undefined)[], score: (at: number) => number) => {
    const made = madeUpComparedRun(
      { name: 'ward', scenario: 'ward', deployment: 'm' },
      results.map((_, at) => ({ id: `i${at}`, digest: `d${at}` })),
      score,
    )
    const instances = made.instances.map((each, at) => ({ ...each, ...defined({ results: results[at] }) }))
    return { ...made, instances }
  }
  const [a, b] = [run(['x', 'y', undefined], () => NaN), run(['x', 'z', undefined], () => NaN)]
  expect(pairedSides({ a, b }, 'em').alike).toEqual(new Set([0]))
  // What a whole run's digest says holds of values that are there.
  const [one, other] = [run([undefined, undefined], (at) => (at === 0 ? 1 : NaN)), run(['x', 'y'], () => 1)]
  const alike = (results: string) =>
    pairedSides({ a: { ...one, results: 'r' }, b: { ...one, results } }, 'em').alike
  expect([alike('r'), alike('s')]).toEqual([new Set([0]), undefined])
  expect(pairedSides({ a: one, b: other }, 'em')).not.toHaveProperty('alike')
  expect(pairedSides({ a: run([undefined], () => 1), b }, 'em')).not.toHaveProperty('alike')
})

describe('the name of what is asked', () => {
  it.each([
    ['pubmed_qa:model=a_b', 'pubmed_qa'],
    ['head_qa:language=en,model=a_b', 'head_qa:language=en'],
    ['head_qa:model_deployment=a_b,language=en', 'head_qa:language=en'],
    ['pubmed_qa,model=a_b', 'pubmed_qa'],
    ['pubmed_qa', 'pubmed_qa'],
  ])('of %s is %s', (run, scenario) => {
    expect(scenarioOf(run)).toBe(scenario)
  })
})
