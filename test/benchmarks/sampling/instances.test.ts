import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { downSample, sampleTrain } from '../../../benchmarks/sampling/choose-instances.ts'
import type { Split } from '../../../benchmarks/scenario/instance.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { shared } from '../../rig/shared.ts'

interface Digest {
  readonly rows: readonly string[]
  readonly sampled_ids: Readonly<Record<string, readonly string[]>>
}

const digests = shared('golden/public-benchmarks/digests')

describe.skipIf(digests === undefined)("HELM's samples of the public benchmarks", () => {
  const files = digests === undefined ? [] : readdirSync(digests)
  it.each(files)('come out the same: %s', (file) => {
    const digest = JSON.parse(readFileSync(join(digests ?? '', file), 'utf8')) as Digest
    const instances = digest.rows.map((row) => {
      const [id = '', split = ''] = row.split('\t')
      return { id, split }
    })
    for (const [max, ids] of Object.entries(digest.sampled_ids)) {
      expect(downSample(instances, Number(max)).map(({ id }) => id)).toEqual(ids)
    }
  })
})

describe('down-sampling', () => {
  const instances = ['test', 'train', 'valid', 'other', 'test', 'train'].map((split, id) => ({ id, split }))
  const ids = (max: number | undefined, splits?: readonly string[]): number[] =>
    downSample(instances, max, splits).map(({ id }) => id)

  it('keeps all instances where there is no maximum', () => {
    expect(ids(undefined)).toEqual([0, 1, 2, 3, 4, 5])
  })
  it('keeps train instances and the order of evaluated ones that fit', () => {
    expect(ids(3)).toEqual([1, 5, 0, 2, 4])
    expect(ids(3, ['test'])).toEqual([1, 5, 0, 4])
  })
  it('takes those chosen in the order chosen', () => {
    expect(ids(2)).toEqual([1, 5, 4, 2])
    expect(ids(0)).toEqual([1, 5])
  })
})

test('Down-sampling draws as numpy does from seed 0.', () => {
  const instances = Array.from({ length: 20 }, (_, id) => ({ id, split: 'test' }))
  expect(downSample(instances, 5).map(({ id }) => id)).toEqual([18, 1, 19, 8, 10])
})

/** An instance as sampling sees it; no label, no correct reference. */
const instance = (id: number, label?: string, split: Split = 'train') => ({
  id,
  split,
  references: [
    { text: 'wrong', tags: [] },
    ...(label === undefined ? [] : [{ text: label, tags: ['correct'] }]),
  ],
})

/** HELM's example scenario: the numbers from 10 on, to be called even or odd. */
const parities = Array.from({ length: 91 }, (_, id) =>
  instance(id + 10, id % 2 === 0 ? 'Even' : 'Odd', id < 11 ? 'train' : 'test'),
)

describe('in-context examples', () => {
  it('of both trials are those in prompts that HELM wrote', () => {
    const numbers = [0, 1].map((trial) => sampleTrain(parities, 5, trial, true).map(({ id }) => id))
    expect(numbers).toEqual([
      [16, 17, 10, 15, 20],
      [12, 19, 10, 15, 14],
    ])
  })
  it('of equally frequent labels are those that HELM takes, whatever the order of the labels', () => {
    const labels = ['b', 'a', '\uff5e', '😀', 'c', 'B']
    const twelve = Array.from({ length: 12 }, (_, id) => instance(id, labels[id % 6]))
    const chosen = [0, 1].map((trial) => sampleTrain(twelve, 8, trial, true).map(({ id }) => id))
    expect(chosen).toEqual([
      [8, 6, 7, 11, 3, 4, 2, 0],
      [6, 10, 9, 11, 2, 1, 0, 4],
    ])
  })
  it('come from the most frequent label first, as in HELM, and last from whichever is left', () => {
    const labels = ['a', 'b', 'b', 'c', 'b', 'c', 'a2', 'c', 'c']
    const train = labels.map((label, id) => instance(id, label))
    const chosen = [0, 1].map((trial) => sampleTrain(train, 9, trial, true).map(({ id }) => id))
    expect(chosen).toEqual([
      [8, 1, 0, 6, 5, 4, 7, 2, 3],
      [3, 2, 6, 0, 7, 4, 8, 1, 5],
    ])
  })
  it('without sampling are the slice of their trial', () => {
    const ids = [0, 1, 3].map((trial) => sampleTrain(parities, 4, trial, false).map(({ id }) => id))
    expect(ids).toEqual([[10, 11, 12, 13], [14, 15, 16, 17], []])
  })
  it('are all train instances where these are few', () => {
    const few = [instance(0, 'a'), instance(1, 'b'), instance(2, 'a')]
    expect(new Set(sampleTrain(few, 9, 0, true))).toEqual(new Set(few))
    expect(sampleTrain(few, 0, 0, true)).toEqual([])
    expect(sampleTrain([instance(0, 'a', 'test')], 5, 0, true)).toEqual([])
  })
  it('come from unlabelled instances where no label is left to take turns', () => {
    const unlabelled = [0, 1, 2, 3].map((id) => instance(id))
    expect(sampleTrain(unlabelled, 3, 0, true)).toHaveLength(3)
    // HELM takes an empty label for none and stops taking turns.
    const empty = [instance(0, ''), ...unlabelled.slice(1)]
    expect(sampleTrain(empty, 2, 0, true).every(({ id }) => id > 0)).toBe(true)
  })
  it('beyond those an empty label leaves are a problem', () => {
    expect(() => sampleTrain([instance(0, ''), instance(1)], 2, 0, true)).toThrow(ProblemError)
  })
  it('that HELM would look for for ever are a problem with a remedy', () => {
    const mixed = [instance(0, 'a'), instance(1), instance(2, 'b')]
    expect(sampleTrain(mixed, 2, 0, true)).toHaveLength(2)
    expect(() => sampleTrain(mixed, 3, 0, true)).toThrow(ProblemError)
    expect(() => sampleTrain(mixed, 3, 0, true)).toThrow(/benchmarks\/in-context-unlabelled/)
  })
})
