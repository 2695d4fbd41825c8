import { describe, expect, test } from 'vitest'
import { hardInstances } from '../../../targets/board/hard-instances.ts'

const run = (name: string, values: readonly number[]) => ({
  run: `bench:model=${name}`,
  benchmark: 'bench',
  deployment: name,
  vector: { ids: values.map((_, at) => `id${at}`), values: Float64Array.from(values) },
})

describe('the hardest instances', () => {
  test('are those of the lowest mean over models, what was not read left out', () => {
    const values = [run('a', [1, 0, 0, NaN]), run('b', [1, 1, 0, NaN]), run('c', [0, 0, NaN, NaN])]
    const { instances, unsolved, hardest } = hardInstances(values, { isBinary: true }, 2)
    expect([instances, unsolved]).toEqual([3, 1])
    expect(hardest).toEqual([
      { run: 'bench:model=a', id: 'id2', mean: 0, best: 0, models: 2 },
      { run: 'bench:model=a', id: 'id1', mean: 1 / 3, best: 1, models: 3 },
    ])
    for (const [lowerIsBetter, values] of [
      [false, [0, 1, 0, 0]],
      [true, [1, 0, 1, 1]],
    ] as const) {
      const alike = hardInstances([run('a', values)], { isBinary: true, lowerIsBetter }, 4)
      expect(alike.hardest.map(({ id }) => id)).toEqual(['id0', 'id2', 'id3', 'id1'])
    }
  })

  test('are the greatest where lower is better, and nobody is right or wrong on a scale', () => {
    const { unsolved, hardest } = hardInstances(
      [run('a', [3, 9]), run('b', [5, 7])],
      { isBinary: false, lowerIsBetter: true },
      1,
    )
    expect(unsolved).toBeNull()
    expect(hardest).toEqual([{ run: 'bench:model=a', id: 'id1', mean: 8, best: 7, models: 2 }])
    // Errors, 1 where an answer is wrong: of the first all are.
    const wrong = [run('a', [1, 0]), run('b', [1, 1])]
    expect(hardInstances(wrong, { isBinary: true, lowerIsBetter: true }, 1).unsolved).toBe(1)
    const right = [run('a', [0, 0, 1]), run('b', [1, 0, 1])]
    expect(hardInstances(right, { isBinary: true, lowerIsBetter: true }, 1).unsolved).toBe(1)
    expect(hardInstances([run('a', [1, 1, 1])], { isBinary: true, lowerIsBetter: true }, 1).unsolved).toBe(3)
  })

  test('of two scenarios are two, though they have one id', () => {
    const scenario = (ward: string, name: string, values: readonly number[]) => ({
      ...run(name, values),
      run: `bench:ward=${ward},model=${name}`,
    })
    const values = [scenario('east', 'a', [0]), scenario('west', 'a', [1]), scenario('west', 'b', [1])]
    const { instances, unsolved, hardest } = hardInstances(values, { isBinary: true }, 5)
    expect([instances, unsolved]).toEqual([2, 1])
    expect(hardest.map(({ run: name, models }) => [name, models])).toEqual([
      ['bench:ward=east,model=a', 1],
      ['bench:ward=west,model=a', 2],
    ])
  })
})
