import { expect, test } from 'vitest'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { familyOf } from '../../../models/registry/family.ts'
import { createRegistry } from '../../../models/registry/registry.ts'
import { compareFamilies, scoreByOthers, type FamilyRun } from '../../../targets/jury/family.ts'
import type { JuryScoring } from '../../../targets/jury/jury-scoring.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'

const state = (scores: Readonly<Record<string, number | null>> | undefined): RequestState => {
  const annotations =
    scores && new Map<string, PyValue>([['demo', new Map<string, PyValue>(Object.entries(scores))]])
  return { annotations } as unknown as RequestState
}

/** The mean over the judges; 1 without any. */
const score: JuryScoring['score'] = ({ annotations }) => {
  const annotation = annotations?.get('demo')
  const scores = annotation instanceof Map ? [...annotation.values()].filter((each) => each !== null) : []
  return scores.length === 0 ? 1 : scores.reduce((sum: number, each) => sum + Number(each), 0) / scores.length
}

const options = {
  benchmark: 'b',
  model: 'm',
  family: 'OpenAI',
  jury: { score, annotator: 'demo', judges: ['gpt', 'claude', 'llama'] },
  familyOf: (judge: string) => (judge === 'gpt' ? 'OpenAI' : judge),
  isScored: (judgement: PyValue) => judgement !== null,
}

test('a model is scored anew by the judges of other families, from the stored judgements alone', () => {
  const states = [
    state({ gpt: 5, claude: 3, llama: 4 }),
    state({ gpt: 4, claude: null }),
    state(undefined),
    state({ claude: null }),
  ]
  expect(scoreByOthers(states, options)).toEqual({
    benchmark: 'b',
    model: 'm',
    family: 'OpenAI',
    own: ['gpt'],
    requests: 3,
    all: (4 + 4 + 1) / 3,
    // The second answer was scored by the own family alone, the last by nobody: the default counts in both.
    others: (3.5 + 1 + 1) / 3,
    ownOnly: 1,
  })
})

test('a model without kin on the jury keeps its score; one whose judges are all kin has none', () => {
  const states = [state({ gpt: 5, claude: 2, llama: 1 })]
  const stranger = scoreByOthers(states, { ...options, family: 'Google' })
  expect([stranger.own, stranger.others]).toEqual([[], stranger.all])
  const kin = scoreByOthers(states, { ...options, familyOf: () => 'OpenAI' })
  expect(kin.own).toEqual(['gpt', 'claude', 'llama'])
  expect(kin).not.toHaveProperty('others')
})

const run = (model: string, all: number, others?: number): FamilyRun => ({
  benchmark: 'b',
  model,
  family: model,
  own: [],
  requests: 1,
  ownOnly: 0,
  all,
  ...(others === undefined ? {} : { others }),
})

test('ranks, gains and swapped pairs are of the models that others scored', () => {
  const [found] = compareFamilies([run('x', 3, 3), run('y', 4, 2.5), run('z', 5), run('w', 3.5, 3)])
  expect(found?.rows.map(({ model, all, others, gain }) => [model, all.rank, others?.rank, gain])).toEqual([
    ['z', 1, undefined, undefined],
    ['y', 2, 3, 1.5],
    ['w', 3, 1.5, 0.5],
    ['x', 4, 1.5, 0],
  ])
  // w and x are level without their families, which is no swap.
  expect(found?.swaps).toEqual([
    ['y', 'x'],
    ['y', 'w'],
  ])
  // Of three pairs two turn round, and one becomes a tie.
  expect(found?.tau).toBeCloseTo(-2 / Math.sqrt(3 * 2), 12)
})

test('benchmarks are compared each on its own', () => {
  const found = compareFamilies([run('x', 3, 3), { ...run('x', 1, 1), benchmark: 'c' }])
  expect(found.map(({ benchmark, rows }) => [benchmark, rows.length])).toEqual([
    ['b', 1],
    ['c', 1],
  ])
})

test('a family is the maker that the registry names; models of unknown makers are no kin', () => {
  const model = { displayName: '', description: '', access: 'open', tags: [] } as const
  const registry = createRegistry(
    [
      { ...model, name: 'a/one', creatorOrganization: 'A' },
      { ...model, name: 'b/two', creatorOrganization: 'A' },
      { ...model, name: 'c/three', creatorOrganization: 'Unknown' },
    ],
    [],
  )
  expect(['a/one', 'b/two', 'c/three', 'd/four'].map((name) => familyOf(name, registry))).toEqual([
    { name: 'A', known: true },
    { name: 'A', known: true },
    { name: 'c/three', known: false },
    { name: 'd/four', known: false },
  ])
})
