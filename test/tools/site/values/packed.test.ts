import { array, assert, constantFrom, double, oneof, option, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scenarioValues } from '../../../../targets/board/scenario-values.ts'
import { makeBoard } from '../../../../targets/board/board.ts'
import { asciiJson } from '../../../../tools/site/emit/chunk-script.ts'
import { packed, unpacked, type PackedValues } from '../../../../tools/site/values/packed.ts'
import { boardRunOf } from '../../../targets/aggregate/board-runs.ts'

const value = option(
  oneof(
    constantFrom(0, 1, 2.5, NaN),
    double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
  ),
  { nil: undefined },
)

describe('packed values', () => {
  test('are the same again after a script carried them', () => {
    assert(
      property(array(value, { maxLength: 300 }), (values) => {
        const carried = JSON.parse(asciiJson(packed(values))) as PackedValues
        expect(unpacked(carried)).toEqual(values)
      }),
    )
  })

  test('take a character each where few differ', () => {
    const values = Array.from({ length: 1000 }, (_, at) => (at % 7) / 3)
    expect(asciiJson(packed(values)).length).toBeLessThan(1200)
  })
})

describe('values of a suite', () => {
  const runs = ['public', 'private'].flatMap((access) =>
    ['m/a', 'm/b'].map((model, at) =>
      boardRunOf({
        model,
        benchmark: access,
        access: access as 'public' | 'private',
        values: at === 0 ? [1, 0, 1, 0, 1] : [0, 0, 1, 1],
      }),
    ),
  )
  const values = runs.flatMap(({ name, benchmark, model: { deployment }, vector }) =>
    vector === undefined ? [] : [{ run: name, benchmark: benchmark.name, deployment, vector }],
  )
  const found = scenarioValues(makeBoard('suite', runs), values)

  test('stand instance by instance in the order of a public benchmark', () => {
    expect(found[0]?.values).toEqual([
      [1, 0, 1, 0, 1],
      [0, 0, 1, 1, undefined],
    ])
  })

  test('keep their pairs but not the order of a private one', () => {
    const [a = [], b = []] = found[1]?.values ?? []
    const pairs = a.map((each, at) => `${String(each)} ${String(b[at])}`)
    expect(pairs).toEqual(pairs.toSorted())
    expect(pairs.toSorted()).toEqual(['0 0', '0 1', '1 0', '1 1', '1 undefined'].toSorted())
  })

  test('of a private one are the same in whatever order its rows and their sources stand in the data', () => {
    const shown = (order: readonly number[]): unknown => {
      const all = ['part=1', 'part=2'].flatMap((part, place) =>
        ['m/a', 'm/b'].map((model, at) => {
          const run = boardRunOf({
            model,
            benchmark: 'notes',
            name: `notes:${part},model=${model}`,
            access: 'private',
            values: order.map((row) => Number((row * (at + 3) + place) % 5 < 2)),
          })
          const ids = order.map((row) => `id${row}`)
          const clusters = order.map((row) => `patient ${row % 9}`)
          return { ...run, vector: { ids, clusters, values: run.vector?.values ?? new Float64Array() } }
        }),
      )
      const told = all.map(({ name, benchmark, model: { deployment }, vector }) => ({
        run: name,
        benchmark: benchmark.name,
        deployment,
        vector,
      }))
      return scenarioValues(makeBoard('suite', all), told)
    }
    const rows = Array.from({ length: 40 }, (_, row) => row)
    expect(shown(rows.toReversed())).toEqual(shown(rows))
    expect(shown(rows.toSorted((a, b) => ((a * 17) % 40) - ((b * 17) % 40)))).toEqual(shown(rows))
  })
})
