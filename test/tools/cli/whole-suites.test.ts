import { expect, test } from 'vitest'
import { fakeAnswer } from '../../bench/fake-answer.ts'
import { everyBenchmark, everyBenchmarkIsHere } from '../../rig/every-benchmark.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shared } from '../../rig/shared.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const OFFICIAL = shared('golden/official-inputs/run_entries_medhelm_public.conf') ?? ''
const GPT = 'stanfordhealthcare/gpt-4o-2024-05-13'
/** Stanford's judges and HealthBench's grader, with the models that they are. */
const DEPLOYMENTS: readonly (readonly [string, string])[] = [
  [GPT, 'openai/gpt-4o-2024-05-13'],
  ['stanfordhealthcare/llama-3.3-70b-instruct', 'meta/llama-3.3-70b-instruct'],
  ['stanfordhealthcare/claude-3-7-sonnet-20250219', 'anthropic/claude-3-7-sonnet-20250219'],
  ['openai/gpt-4.1-2025-04-14', 'openai/gpt-4.1-2025-04-14'],
]
/** Of the file's 222 entries. */
const RUNNABLE = 221
const REFUSED =
  /Left out: health_admin_bench:.*\n.*health_admin_bench can't be run here: it needs the harness/

const workspace = async (): Promise<string> => {
  const { url } = await fakeServer({
    answer: (asked) =>
      asked.prompt.includes('# Rubric item')
        ? '{"explanation": "", "criteria_met": true}'
        : fakeAnswer(asked),
  })
  const served = DEPLOYMENTS.map(
    ([name, model]) =>
      `  - {name: ${name}, model_name: ${model}, tokenizer_name: openai/cl100k_base, max_sequence_length: 128000, client_spec: {class_name: helm.clients.vllm_client.VLLMChatClient, args: {base_url: "${url}", vllm_model_name: m}}}\n`,
  )
  return createWorkspace({
    'medmake.yaml': 'mirror: mirror\n',
    'prod_env/model_deployments.yaml': `model_deployments:\n${served.join('')}`,
  })
}

interface Estimated {
  readonly targets: number
  readonly unread: readonly unknown[]
}

/** The parts of `--json`, and the exit code with what was said. */
const call = async (cwd: string, words: readonly string[]) => {
  const { code, stdout, stderr } = await medmake([...words, '--json'], { cwd })
  return { code, stderr, json: (stdout === '' ? undefined : JSON.parse(stdout)) as unknown }
}

test.skipIf(OFFICIAL === '')(
  'the official file of the public benchmarks resolves but for the one that cannot run here, which is named',
  async () => {
    const cwd = await workspace()
    writeFiles(cwd, { 'mirror/.keep': '' })
    const words = ['-c', OFFICIAL, '--profile', 'medhelm-0.8', '-m', '2', '--suite', 'official']
    const { code, stderr, json } = await call(cwd, ['estimate', ...words])
    expect(code, stderr).toBe(1)
    const { targets, unread } = json as Estimated
    // No data is here.
    expect([targets, unread.length]).toEqual([RUNNABLE, RUNNABLE])
    expect(stderr).toMatch(REFUSED)
  },
)

test.skipIf(OFFICIAL === '' || !everyBenchmarkIsHere)(
  'all that MedHELM asks in any line finds its data, the live line is built and shown, and of its own file all but one',
  { timeout: 240_000 },
  async () => {
    const cwd = await workspace()
    everyBenchmark(cwd)
    for (const [suite, count, isRun] of [
      ['medhelm-0.8', 62, true],
      ['health-bench', 2, true],
      ['medhelm-paper', 52, false],
      ['medhelm-0.5.16', 54, false],
    ] as const) {
      const words = [suite, '--models-to-run', GPT, '-m', '1']
      if (!isRun) {
        const estimated = await call(cwd, ['estimate', ...words])
        expect([suite, estimated.code], estimated.stderr).toEqual([suite, 0])
        expect(estimated.json).toMatchObject({ targets: count, unread: [] })
        continue
      }
      const run = await call(cwd, ['run', ...words])
      expect([suite, run.code], run.stderr).toEqual([suite, 0])
      expect(run.json).toMatchObject({ targets: { total: count, incomplete: 0, failed: 0 } })
      const report = await call(cwd, ['report', ...words])
      expect([suite, report.code], report.stderr).toEqual([suite, 0])
      expect(report.json).toMatchObject({ missing: [] })
    }
    const words = ['-c', OFFICIAL, '--profile', 'medhelm-0.8', '-m', '1', '--suite', 'official']
    for (const verb of ['run', 'report']) {
      const { code, stderr, json } = await call(cwd, [
        verb,
        ...words,
        '--models-to-run',
        GPT.replace(/^.*\//, 'openai/'),
      ])
      expect([verb, code], stderr).toEqual([verb, 1])
      expect(stderr).toMatch(REFUSED)
      if (verb === 'run') expect(json).toMatchObject({ targets: { total: 17, failed: 0 } })
      else expect(json).toMatchObject({ missing: [] })
    }
  },
)

test('a model that nobody serves is told once, and a deployment stands for its model', async () => {
  const cwd = await workspace()
  const { code, stderr } = await call(cwd, ['estimate', 'medhelm-0.8', '--models-to-run', 'openai/gpt-4oh'])
  expect(code).toBe(2)
  expect(stderr.match(/no deployment serves openai\/gpt-4oh/g)).toHaveLength(1)
})
