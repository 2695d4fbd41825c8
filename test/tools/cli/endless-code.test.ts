import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { spawnMedmake, type CliResult } from '../../rig/medmake.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

const metric = (evaluate: string): string =>
  `export const metric = { measures: [{ name: 'own' }], evaluate: ({ completion }) => { ${evaluate}; return { own: 1 } } }\n`
const annotator = (annotate: string): string =>
  `export const annotator = { fields: [{ name: 'said', type: 'text' }], annotate: async () => { ${annotate}; return { said: 'x' } } }\n`
const client = (complete: string): string =>
  `export const client = { complete: async ({ n }) => { ${complete}; return { choices: [{ text: 'one' }] } } }\n`

const files = (own: Files): Files => ({
  'medmake.yaml': 'code_timeout: 0.5\nattempts: 1\n',
  'models/own.yaml':
    'model_deployments: [{ name: own/plain, client_spec: { class_name: workspace.clients.plain, args: { base_url: "http://127.0.0.1:9/" } } }]\n',
  'models/clients/plain.js': client(''),
  'targets/metrics/own.js': metric(''),
  ...('targets/annotators/said.ts' in own ? {} : { 'targets/annotators/said.js': annotator('') }),
  'benchmarks/echo/benchmark.yaml': `name: echo
description: Says a line again.
access: public
category: Clinical Note Generation
protocols:
  - version: medmake-1
    data: { rows: { path: rows.csv, format: csv } }
    adapter: { method: generation, max_train_instances: 0, max_tokens: 5 }
    annotators: [said]
    metrics: [own, exact_match]
    main_metric: { name: own, split: test }
`,
  'benchmarks/echo/rows.csv': 'line\none\n',
  'benchmarks/echo/scenario.js': scenario(''),
  'targets/main.conf':
    'entries: [{description: "demo_multiple_choice:model=baseline/lead"}, {description: "echo:model=own/plain"}]',
  ...own,
})

const scenario = (body: string): string => `export function* instances() {
  for (const text of ['one', 'two']) {
    yield { input: { text }, references: [{ text: 'one', tags: ['correct'] }], split: 'test' }
    if (text === 'two') { ${body} }
  }
}
`

const LOOP = 'for (;;) {}'
const WAITED = `await new Promise((resolve) => setTimeout(resolve, 1)); ${LOOP}`

const run = async (own: Files): Promise<CliResult & { readonly cwd: string }> => {
  const cwd = createWorkspace(files(own))
  return { cwd, ...(await spawnMedmake(['run'], { cwd })) }
}

it.each([
  ['scenario', { 'benchmarks/echo/scenario.js': scenario(LOOP) }, 'benchmarks/echo/scenario.js', 2],
  ['metric', { 'targets/metrics/own.js': metric(`try { ${LOOP} } finally {}`) }, 'the metric own', 0],
  [
    'metric, in what it gives',
    { 'targets/metrics/own.js': metric(`return { get own() { ${LOOP} } }`) },
    'the metric own',
    0,
  ],
  ['annotator', { 'targets/annotators/said.js': annotator(LOOP) }, 'targets/annotators/said', 1],
  [
    'client',
    { 'models/clients/plain.js': client('/^(a+)+$/.test("a".repeat(60) + "!")') },
    'echo:model=own_plain',
    1,
  ],
])('a loop without end in a %s is a fault of its benchmark alone', async (_, own: Files, named, exit) => {
  const { cwd, code, stderr, stdout } = await run(own)
  expect([code, stderr]).toEqual([exit, expect.stringContaining(named)])
  expect(stderr).toContain('it computed for more than 0.5 s without a pause (code_timeout)')
  const built = 'benchmark_output/runs/main/demo_multiple_choice:model=baseline_lead/stats.json'
  expect(readFileSync(join(cwd, built), 'utf8'), stdout).toContain('exact_match')
})

it.each([
  ['annotator', { 'targets/annotators/said.ts': annotator(WAITED) }, 'annotate'],
  ['client', { 'models/clients/plain.js': client(WAITED) }, 'complete'],
  ['metric, while it is loaded', { 'targets/metrics/own.js': `${LOOP}\n${metric('')}` }, 'it'],
])('one behind a pause in a %s ends the run and names its file', async (_, own: Files, name) => {
  const { code, stderr } = await run(own)
  expect([code, stderr]).toEqual([1, expect.stringContaining(Object.keys(own)[0] ?? '')])
  expect(stderr).toContain(`${name} computed for more than 0.5 s without a pause`)
  // The second call's loop began while the process was to end.
  expect(stderr.match(/\[code\/endless\]/g)).toHaveLength(1)
})

it.each([
  ['timer', 'setInterval(() => {}, 10)'],
  ['round of its own', 'const round = () => setImmediate(round)\nround()'],
  ['server', 'createServer().listen(0)'],
  ['thread', "new Worker('setInterval(() => {}, 10)', { eval: true })"],
])('a %s that code leaves open keeps no run from ending', async (_, left) => {
  const { code, stdout, stderr } = await run({
    'targets/metrics/own.js': `import { createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
${left}
${metric('')}`,
  })
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('2 targets: 0 fresh, 2 built')
})
