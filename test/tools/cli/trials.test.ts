import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

it.each([
  ['', [], 3],
  ['', ['-t', '1'], 1],
  ['num_train_trials: 2\n', [], 2],
])(
  'trials are what an entry says unless medmake.yaml %j or flags %j say otherwise: %d',
  async (yaml, flags, trials) => {
    const entry = 'demo_multiple_choice:max_train_instances=2,num_train_trials=3,model=baseline/lead'
    const cwd = createWorkspace({ 'medmake.yaml': yaml })
    expect(await medmake(['run', '-r', entry, '-m', '2', ...flags], { cwd })).toMatchObject({ code: 0 })
    const run = join(cwd, 'benchmark_output/runs/default', entry.replace('baseline/', 'baseline_'))
    const spec = JSON.parse(readFileSync(join(run, 'run_spec.json'), 'utf8')) as {
      readonly adapter_spec: { readonly num_train_trials: number }
    }
    expect(spec.adapter_spec.num_train_trials).toBe(trials)
  },
)
