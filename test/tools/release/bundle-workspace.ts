import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'
import { judgedYaml } from '../../rig/judged-yaml.ts'
import type { FakeServer } from '../../bench/fake-server.ts'

export const ROWS = 12

/** Each benchmark's own: over another's data it would have the other's access. */
const csv = (name: string, rows: number): string =>
  `note,correct_answer\n${Array.from({ length: rows }, (_, row) => `secret note ${row} of ${name},answer ${row}\n`).join('')}`

const exact = (name: string, access: string): string => `name: ${name}
description: Exact answers.
access: ${access}
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 5
metrics:
  - name: exact_match
`

const judged = (name: string, access: string): string => judgedYaml({ name, access, judges: ['fake/judge'] })

const RUBRIC = `Judge {RESPONSE} to {QUESTION}.
<rubric_criteria>
{"accuracy": {"score": 0, "explanation": "why"}}
</rubric_criteria>
`

const files = (name: string, yaml: string, rows: number): Files => ({
  [`benchmarks/${name}/benchmark.yaml`]: yaml,
  [`benchmarks/${name}/prompt.txt`]: 'Read: {note}',
  [`benchmarks/${name}/rubric.txt`]: RUBRIC,
  [`benchmarks/${name}/data.csv`]: csv(name, rows),
})

export interface BundleWorkspace {
  readonly root: string
  readonly server: FakeServer
}

/** Two public benchmarks, one of them judged; a private one; a gated one of a few rows. Two models each. */
export const bundleWorkspace = async (): Promise<BundleWorkspace> => {
  const server = await fakeServer()
  const root = createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/b', 'fake/c', 'fake/judge']),
    'models/prices.yaml':
      'prices: [{ deployment: fake/a, input: 3, output: 15, date: 2026-04-05, source: contract }]\n',
    ...files('exact', exact('exact', 'public'), ROWS),
    ...files('summaries', judged('summaries', 'public'), ROWS),
    ...files('wards', judged('wards', 'private'), ROWS),
    ...files('rare', exact('rare', 'gated'), 5),
    'targets/open.conf':
      'entries: [{description: "exact:model=fake/a"}, {description: "summaries:model=fake/a"}]',
    'targets/closed.conf':
      'entries: [{description: "wards:model=fake/a"}, {description: "rare:model=fake/b"}]',
  })
  return { root, server }
}
