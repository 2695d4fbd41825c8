import { expect, test } from 'vitest'
import { findBenchmark } from '../../../../benchmarks/lookup/find.ts'
import { ownCode } from '../../../../tools/release/replay/own-code.ts'
import { benchmarkContext } from '../../../rig/benchmark-context.ts'
import { shortBenchmark } from '../../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles } from '../../../rig/workspace.ts'
import { madeUpCard } from '../made-up-card.ts'

const metric = (value: number) => ({
  'targets/metrics/own.js': `export const metric = { measures: [{ name: 'own' }], evaluate: () => ({ own: ${value} }) }\n`,
})

test('A release’s run is scored by code of this workspace where it is the very same, and by no other.', async () => {
  const workspace = createWorkspace({
    ...metric(0),
    ...shortBenchmark(
      { name: 'notes', access: 'public', metrics: ['own'] },
      { data: 'note,correct_answer\none,A\n' },
    ),
  })
  const context = () => benchmarkContext({ workspace })
  const { metrics } = await findBenchmark('notes', new Map(), context())
  const code = metrics.map((spec) => ({ code: spec.code?.digest ?? null }))
  const card = madeUpCard({
    name: 'notes:model=a_b',
    metrics: [{ metric: 'own' }],
    target: { digest: 't1', key: { metrics: code } },
  })
  expect((await ownCode([card, madeUpCard()], context())).get(card)?.metrics).toHaveLength(metrics.length)
  writeFiles(workspace, metric(1))
  expect(await ownCode([card], context())).toEqual(new Map())
})
