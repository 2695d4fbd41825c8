import { expect, test } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { writeFiles } from '../../rig/workspace.ts'

const RUBRIC = `Score {RESPONSE}.
<rubric_criteria>{"accuracy": {"score": 0, "why": ""}}</rubric_criteria>
`

const simple = `name: simple
description: Three rows.
errata: [{ id: typo, about: Row two asks nothing., drop: [id1] }]
metrics: [{ name: exact_match }]
`

const full = `name: full
description: Three rows, judged.
protocols:
  - version: first
    data: { rows: { path: data.csv, format: csv } }
    instances: [{ from: rows, split: test, input: '{note}' }]
    adapter: { method: generation }
    metrics: [llm_jury]
    main_metric: { name: full_accuracy, split: test }
    jury: { rubric: rubric.txt }
`

const DATA = 'note,correct_answer\na,1\nb,2\nc,3\n'

const workspace = (): string => {
  const root = temporaryFolder()
  writeFiles(root, {
    'benchmarks/simple/benchmark.yaml': simple,
    'benchmarks/simple/prompt.txt': 'Read {note}',
    'benchmarks/simple/data.csv': DATA,
    'benchmarks/full/benchmark.yaml': full,
    'benchmarks/full/rubric.txt': RUBRIC,
    'benchmarks/full/data.csv': DATA,
  })
  return root
}

const find = (name: string, args: readonly (readonly [string, PyValue])[] = []) =>
  findBenchmark(name, new Map(args), benchmarkContext({ workspace: workspace() }))

const idsOf = async (benchmark: Awaited<ReturnType<typeof find>>) => {
  const ids = []
  for await (const { id } of benchmark.instances()) ids.push(id)
  return ids
}

test('The simple form’s errata are corrected as a full declaration’s are, by a run entry too.', async () => {
  const asIs = await find('simple')
  const corrected = await find('simple', [['errata', 'typo']])
  expect(await idsOf(asIs)).toEqual(['id0', 'id1', 'id2'])
  expect(await idsOf(corrected)).toEqual(['id0', 'id2'])
  expect(await asIs.identity()).not.toHaveProperty('errata')
  expect(await corrected.identity()).toMatchObject({ errata: ['typo'] })
})

test('The simple form takes no other argument.', async () => {
  await expect(find('simple', [['jury_config_path', 'x.yaml']])).rejects.toThrow('jury_config_path')
})

test('A full declaration may leave its criteria to the rubric, as the simple form does.', async () => {
  const { jury } = await find('full')
  expect(jury?.criteria).toEqual(new Map([['accuracy', ['score', 'why']]]))
})
