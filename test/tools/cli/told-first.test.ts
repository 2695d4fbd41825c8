import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gradedFiles } from '../../edits/graded-base.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const QUERIES = `name: q\ndescription: Q.\naccess: public\nprotocols:\n  - version: '1'\n    data: { rows: { path: q.csv, format: csv } }\n    instances: [{ from: rows, split: test, input: '{a}', references: [{ text: '{b}', correct: true }] }]\n    adapter: { method: generation, max_train_instances: 0, max_tokens: 10 }\n    metrics: [ehr_sql]\n    main_metric: { name: ehr_sql_execution_accuracy, split: test }\n`

describe('told before anything is paid for', () => {
  it('a judge without a key, and only where somebody would be asked', async () => {
    const server = await fakeServer({ answer: () => '{"explanation": "", "criteria_met": true}' })
    const files = gradedFiles(server)
    const away = `${files['models/fake.yaml']}  - name: away/judge\n    client_spec: {class_name: helm.clients.openai_client.OpenAIClient, args: {base_url: 'https://judge.invalid/v1', openai_model_name: j}}\n`
    const cwd = createWorkspace({
      ...files,
      'models/fake.yaml': away,
      'grader.yaml': 'judges: [{name: j, model: away/judge, model_deployment: away/judge}]\n',
    })
    const { code, stderr } = await medmake(['run', 'main'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('there is no API key for away/judge [models/no-key]')
    expect(server.journal().requests).toBe(0)
  })

  it('a metric that runs queries, without a database', async () => {
    const cwd = createWorkspace({
      'benchmarks/q/benchmark.yaml': QUERIES,
      'benchmarks/q/q.csv': 'a,b\n1,2\n',
    })
    const { code, stderr } = await medmake(['run', '-r', 'q:model=baseline/lead'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain(
      'has the metric ehr_sql, which runs queries, and no database [targets/no-database]',
    )
  })

  it('several answers at once, of which judges would see the first', async () => {
    const cwd = createWorkspace({})
    const entry = 'demo_patient_summaries:model=baseline/lead,num_outputs=2'
    const { code, stderr } = await medmake(['run', '-r', entry], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('judges would see the first alone [targets/several-outputs]')
  })

  it('a deployment whose long prompts HELM cuts by other rules', async () => {
    const cwd = createWorkspace({
      'models/x.yaml':
        'model_deployments:\n  - name: local/x\n    window_service_spec: {class_name: helm.x.EncoderDecoderWindowService}\n    client_spec: {class_name: medmake.chat, args: {base_url: "http://127.0.0.1:9/v1", model: x}}\n',
    })
    const { code, stderr } = await medmake(['run', '-r', 'demo_multiple_choice:model=local/x'], { cwd })
    expect([code, stderr]).toEqual([2, expect.stringContaining('models/x.yaml:3:5 window_service_spec: ')])
  })

  it('a deployment that is taken for a model', async () => {
    const cwd = createWorkspace({
      'models/x.yaml':
        'model_deployments:\n  - name: local/x\n    model_name: other/name\n    client_spec: {class_name: medmake.chat, args: {base_url: "http://127.0.0.1:9/v1", model: x}}\n',
    })
    const { code, stderr } = await medmake(['run', '-r', 'demo_multiple_choice:model=local/x'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('local/x is a deployment, and no model: it serves other/name')
    expect(stderr).toContain('model=other/name,model_deployment=local/x')
    expect(stderr).not.toContain('Did you mean')
  })

  it.each<readonly [args: readonly string[], why: string, remedy: string]>([
    [['run', 'main', '--suite', 'other'], 'main has its own', 'Leave it out'],
    ...['run', 'report', 'costs', 'estimate', 'affected', 'analyze', 'doctor'].map(
      (verb) => [[verb, '--suite', 'main'], 'there are none', 'without the flag: main'] as const,
    ),
  ])('a --suite that would be read over: %j', async (args, why, remedy) => {
    const cwd = createWorkspace({
      'targets/main.conf': 'entries: [{description: "demo_multiple_choice:model=baseline/first-choice"}]\n',
    })
    const { code, stderr } = await medmake([...args], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain(why)
    expect(stderr).toContain(remedy)
  })
})

it('an estimate and a dry run of a suite read the data of a benchmark once each, however many models are asked', async () => {
  const models = ['a', 'b', 'c'].map((name) => `fake/${name}`)
  const server = await fakeServer()
  const cwd = createWorkspace({
    'models/fake.yaml': modelsYaml(server, models),
    'benchmarks/q/benchmark.yaml':
      'name: q\ndescription: Q.\naccess: public\nprotocols:\n  - version: "1"\n    data: { rows: { path: q.csv, format: csv } }\n    adapter: { method: generation, max_train_instances: 0, max_tokens: 10 }\n    metrics: [exact_match]\n    main_metric: { name: exact_match, split: test }\n',
    'benchmarks/q/q.csv': 'a\n1\n2\n',
    // Leaves a mark each time that the data is read.
    'benchmarks/q/scenario.js':
      "import { appendFileSync } from 'node:fs'\nexport function* instances() {\n  appendFileSync('reads', 'x')\n  for (const text of ['one', 'two']) yield { input: { text }, references: [], split: 'test' }\n}\n",
    'targets/main.conf': `entries: [${models.map((model) => `{description: "q:model=${model}"}`).join('\n')}]\n`,
  })
  const { code, stdout, stderr } = await medmake(['estimate', 'main', '--json'], { cwd })
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ targets: 3, calls: 6 })
  expect(readFileSync(join(cwd, 'reads'), 'utf8')).toBe('x')
  const planned = await medmake(['run', 'main', '--dry-run'], { cwd })
  expect(planned.stdout.match(/instances 2\/2, prompts 2\/2/g)).toHaveLength(3)
  expect(readFileSync(join(cwd, 'reads'), 'utf8')).toBe('xx')
  expect(server.journal().requests).toBe(0)
})
