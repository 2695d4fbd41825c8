import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { createWorkspace } from '../../rig/workspace.ts'

it('the benchmark that the guide shows is a valid one', async () => {
  const guide = readFileSync(join(packageRoot(), 'tools/init/guide.md'), 'utf8')
  const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(guide) ?? []
  const workspace = createWorkspace({
    'benchmarks/discharge_letters/benchmark.yaml': yaml,
    'benchmarks/discharge_letters/judge.txt':
      'Judge {RESPONSE} to {QUESTION} by {GOLD_RESPONSE}.\nReply {"accuracy": {"score": 1, "explanation": "..."}}',
    'benchmarks/discharge_letters/letters-surgery.csv':
      'id,patient,letter,stopped,sex,age,link\nL1,p1,Stop aspirin.,aspirin,f,70,usmle/step1\nL2,p2,Go on.,,m,40,usmle/step2\nL7,p1,Stop aspirin.,aspirin,f,12,usmle/step1\n',
  })
  const args = new Map([['ward', 'surgery']])
  const benchmark = await findBenchmark('discharge_letters', args, benchmarkContext({ workspace }))
  const inputs: string[] = []
  for await (const { input } of benchmark.instances()) inputs.push(input.text)
  expect(inputs).toEqual(['Letter: Stop aspirin.\nWhich medicine is stopped?\n'])
})
