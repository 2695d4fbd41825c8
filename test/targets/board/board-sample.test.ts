import { describe, expect, test } from 'vitest'
import { SampleCollector, summarized, sampleOf } from '../../../targets/runs/board-sample.ts'
import { perInstance } from '../aggregate/board-runs.ts'

describe('a sample', () => {
  const metric = { name: 'exact_match', split: 'test' }
  const scale = { range: { low: 0, high: 1 }, isBinary: true }
  const asked = (unread: readonly string[] = []) => ({
    ids: ['id0', 'id1', 'id2'],
    trials: 2,
    unread: new Set(unread),
  })
  const trials = [...perInstance('exact_match', [1, 0, 1], 0), ...perInstance('exact_match', [1, 0, 0], 1)]

  test('averages the trials of an instance before it counts', () => {
    const sampled = sampleOf(trials, metric, asked())
    expect(sampled.requests).toBe(6)
    expect([...sampled.vector.values]).toEqual([1, 0, 0.5])
    // A mean of trials is not 0 or 1.
    const { sample, vector } = summarized(sampled, scale, 2)
    expect(sample.found).toMatchObject({ n: 3, mean: 0.5, method: 'Gaffke' })
    expect(vector.areMeans).toBe(true)
  })

  test('lacks an instance of which a trial, or a judge’s score, could not be read, and bounds the mean', () => {
    const sampled = sampleOf(trials.slice(0, -1), metric, asked(['id1']))
    expect([...sampled.vector.values]).toEqual([1, NaN, NaN])
    const { found } = summarized(sampled, scale, 2).sample
    expect(found).toMatchObject({ n: 3, measured: 1, mean: 1, bounds: { low: 1 / 3, high: 1 } })
    expect(found.interval?.low).toBeLessThan(1 / 3)
    // And one of which there is no value at all.
    const { ids, values } = sampleOf(perInstance('exact_match', [1, 0]), metric, {
      ...asked(),
      trials: 1,
    }).vector
    expect([ids, [...values]]).toEqual([asked().ids, [1, 0, NaN]])
  })

  test('takes values that passed an end of the scale by rounding for the end, and refuses what is farther off', () => {
    const cosines = { range: { low: -1, high: 1 }, isBinary: false }
    const of = (values: readonly number[]) =>
      summarized(sampleOf(perInstance('exact_match', values), metric), cosines, 1)
    const near = of([1.000_000_1, 1.000_001_9, -1.000_001_9, 0.3])
    expect([...near.vector.values]).toEqual([1, 1, -1, 0.3])
    expect(near.sample.found).toEqual(of([1, 1, -1, 0.3]).sample.found)
    const off = of([1.000_002_1, 0.3])
    expect([...off.vector.values]).toEqual([1.000_002_1, 0.3])
    expect(off.sample.found).toMatchObject({ interval: null, reason: 'values lie off the scale' })
  })

  test('tells requests of other splits apart', () => {
    const collector = new SampleCollector({ name: 'exact_match', split: 'valid' })
    for (const each of perInstance('exact_match', [1, 1])) collector.add(each)
    expect(collector.result()).toMatchObject({ elsewhere: 2, requests: 0, vector: { ids: [] } })
  })

  test('without values has no interval', () => {
    expect(summarized(sampleOf([], metric), scale, 1).sample.found.interval).toBeNull()
  })
})
