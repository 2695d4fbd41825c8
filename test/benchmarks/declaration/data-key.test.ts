import { expect, test } from 'vitest'
import type { ErrataChoice } from '../../../benchmarks/context/context.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const DECLARATION = `name: sums
description: Sums.
errata:
  - { id: wrong-row, about: Row two is wrong., drop: [id1] }
protocols:
  - version: own
    data: { rows: { path: rows.csv, format: csv } }
    instances: [{ from: rows, split: test, input: '{q}', references: [{ text: '{a}', correct: true }] }]
    adapter: { method: generation }
    metrics: [basic]
    main_metric: { name: exact_match, split: test }
`

const keyOf = async (edit: readonly [string, string] = ['', ''], errata: ErrataChoice = 'reproduced') => {
  const workspace = createWorkspace({
    'benchmarks/sums/benchmark.yaml': DECLARATION.replace(...edit),
    'benchmarks/sums/rows.csv': 'q,a\none,1\ntwo,2\n',
  })
  return (await findBenchmark('sums', new Map(), benchmarkContext({ workspace, errata }))).identity()
}

test('Instances are others where a run that corrects errata drops other rows.', async () => {
  const edit = ['[id1]', '[id0]'] as const
  expect(await keyOf(edit)).toEqual(await keyOf())
  expect(await keyOf(edit, 'corrected')).not.toEqual(await keyOf(undefined, 'corrected'))
})

test('Instances are others where their file is read otherwise, and the same where only what is usual is said.', async () => {
  const readAs = (how: string) => keyOf(['format: csv', `format: csv, ${how}`])
  expect(await readAs('dialect: strict, na_texts: true')).toEqual(await keyOf())
  const unusual = [
    'dialect: pandas',
    'separator: "\\t"',
    'header: [q, a]',
    'drop_undecodable: true',
    'na_texts: false',
    'columns: [q]',
  ]
  const keys = await Promise.all(unusual.map(readAs))
  expect(new Set([await keyOf(), ...keys].map((key) => JSON.stringify(key))).size).toBe(unusual.length + 1)
})
