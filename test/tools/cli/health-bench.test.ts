import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mirrorPath } from '../../../benchmarks/sources/fetch/mirror-path.ts'
import type { FakeAnswer, FakeCall } from '../../bench/fake-answer.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shared } from '../../rig/shared.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const golden = shared('golden/health-bench-authors')

interface Message {
  readonly role: string
  readonly content: string
}

interface Example {
  readonly prompt_id: string
  readonly example_tags: readonly string[]
  readonly prompt: readonly Message[]
  readonly rubrics: readonly {
    readonly criterion: string
    readonly points: number
    readonly tags?: unknown
  }[]
  readonly completion: string
  readonly replies: readonly (readonly string[])[]
}

interface Stat {
  readonly name: { readonly name: string; readonly split?: string; readonly perturbation?: object }
  readonly mean: number
}

const DATA =
  'https://openaipublic.blob.core.windows.net/simple-evals/healthbench/2025-05-07-06-14-12_oss_eval.jsonl'
const SYSTEM = { role: 'system', content: 'You are a helpful assistant.' }

/** The grader's prompt by the published rules, from the template in the catalog. */
const graderPrompt = ({ prompt, completion, rubrics }: Example, item: number, system: boolean): string => {
  const chat = [...(system ? [SYSTEM] : []), ...prompt, { role: 'assistant', content: completion }]
  const { points, criterion } = rubrics[item] ?? { points: 0, criterion: '' }
  return readFileSync('benchmarks/catalog/health_bench/grader.txt', 'utf8')
    .replaceAll('<<conversation>>', () => chat.map(({ role, content }) => `${role}: ${content}`).join('\n\n'))
    .replaceAll('<<rubric_item>>', () => `[${points}] ${criterion}`)
}

/** A server that plays model and grader as the examples tell, and a workspace whose mirror holds these. */
const workspaceOf = async (examples: readonly Example[], { system = true } = {}) => {
  const replies = new Map<string, readonly string[]>()
  const completions = new Map<string, string>()
  for (const example of examples) {
    const sent = system ? [SYSTEM, ...example.prompt] : example.prompt
    completions.set(JSON.stringify(sent.map(({ role, content }) => [role, content])), example.completion)
    for (const [item, own] of example.replies.entries()) replies.set(graderPrompt(example, item, system), own)
  }
  const answer = ({ model, body, attempt }: FakeCall): FakeAnswer => {
    const messages = body['messages'] as readonly Message[]
    const asked = messages.at(-1)?.content ?? ''
    const known =
      model === 'fake/grader'
        ? replies.get(asked)?.[attempt - 1]
        : completions.get(JSON.stringify(messages.map(({ role, content }) => [role, content])))
    return known ?? { status: 400, body: { error: { message: `nothing is known of ${asked}` } } }
  }
  const server = await fakeServer({ answer })
  const cwd = createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/one', 'fake/grader']),
    'grader.yaml': 'judges: [{name: g, model: fake/grader, model_deployment: fake/grader}]\n',
  })
  putData(cwd, DATA, examples)
  return { cwd, server }
}

const putData = (cwd: string, url: string, examples: readonly Example[]): void => {
  const file = join(cwd, 'mirror', mirrorPath(url))
  mkdirSync(dirname(file), { recursive: true })
  const rows = examples.map((example) =>
    JSON.stringify({ ...example, completion: undefined, replies: undefined }),
  )
  writeFileSync(file, rows.map((row) => `${row}\n`).join(''))
}

const ENTRY = 'health_bench:jury_config_path=grader.yaml,model=fake/one'

const run = (cwd: string, entry = ENTRY, ...flags: readonly string[]) =>
  medmake(['run', '-r', entry, '--suite', 's', '--mirror', 'mirror', ...flags], { cwd })

/** A run's file, parsed. */
const read = (cwd: string, file: string): unknown => {
  const runs = join(cwd, 'benchmark_output/runs/s')
  const name = readdirSync(runs).find((each) => each.startsWith('health_bench'))
  return JSON.parse(readFileSync(join(runs, name ?? '', file), 'utf8')) as unknown
}

/** Of each instance its values by name; nothing for one without. */
const valuesOf = (cwd: string): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const rows = read(cwd, 'per_instance_stats.json') as readonly {
    readonly instance_id: string
    readonly stats: readonly Stat[]
  }[]
  const values = new Map<string, Map<string, number>>()
  for (const { instance_id: id, stats } of rows)
    for (const { name, mean } of stats) {
      const own = values.get(id) ?? new Map<string, number>()
      values.set(id, own.set(name.name, mean))
    }
  return values
}

const close = (value: number | undefined, wanted: number): void =>
  expect(Math.abs((value ?? NaN) - wanted)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(wanted)))

describe.skipIf(golden === undefined)('HealthBench as its authors score it, through the real program', () => {
  const folder = golden ?? ''
  const lines = (): readonly Example[] =>
    readFileSync(join(folder, 'examples.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Example)

  test('verdicts, askings, scores, themes, axes and errors', async () => {
    const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
      readonly examples: readonly {
        readonly asked: readonly number[]
        readonly metrics: Readonly<Record<string, number>>
      }[]
      readonly aggregate: Readonly<
        Record<
          string,
          { readonly mean: number; readonly unclipped_mean: number; readonly bootstrap_std_limit: number }
        >
      >
    }
    // Equal requests share one reply, so no two chats may be equal here.
    const examples = lines().map((example, index) => ({
      ...example,
      prompt: [...example.prompt, { role: 'user', content: `${index}` }],
    }))
    const { cwd, server } = await workspaceOf(examples)
    const { code, stderr } = await run(cwd)
    expect(code, stderr).toBe(0)
    const values = valuesOf(cwd)
    for (const [index, { metrics }] of expected.examples.entries()) {
      const own = values.get(String(index))
      for (const [name, score] of Object.entries(metrics)) close(own?.get(name), score)
      close(own?.get('health_bench_score'), metrics['overall_score'] ?? NaN)
    }
    const means = new Map(
      (read(cwd, 'stats.json') as readonly Stat[]).map(({ name, mean }) => [name.name, mean] as const),
    )
    for (const [name, { mean, bootstrap_std_limit: error }] of Object.entries(expected.aggregate)) {
      if (name === 'score') continue
      close(means.get(name), mean)
      const ours = means.get(`${name}:bootstrap_std`) ?? NaN
      if (error > 1e-6) expect(Math.abs(ours / error - 1), name).toBeLessThan(0.1)
      else expect(ours, name).toBeLessThan(1e-6)
    }
    close(means.get('health_bench_score'), expected.aggregate['overall_score']?.unclipped_mean ?? NaN)
    const asked = expected.examples.reduce(
      (sum, example) => sum + example.asked.reduce((all, times) => all + times, 0),
      0,
    )
    expect(server.journal().requests).toBe(examples.length + asked)
    const grading = server.journal().calls.find(({ model }) => model === 'fake/grader')?.body
    expect(grading).toMatchObject({ temperature: 0.5, max_tokens: 2048 })
  })

  test.each([
    ['with_system_message', ''],
    ['without', 'system=none,'],
  ] as const)('prompts of the grader, %s', async (kind, argument) => {
    const expected = JSON.parse(
      readFileSync(join(folder, 'grader-prompts.json'), 'utf8'),
    ) as readonly Readonly<Record<typeof kind, readonly string[]> & { readonly prompt_id: string }>[]
    const firsts = new Map(lines().map((example) => [JSON.stringify(example.prompt), example])).values()
    const examples = [...firsts]
    const ids = new Set(examples.map((example) => example.prompt_id))
    const { cwd, server } = await workspaceOf(examples, { system: kind !== 'without' })
    const { code, stderr } = await run(cwd, ENTRY.replace(':', `:${argument}`))
    expect(code, stderr).toBe(0)
    const prompts = server
      .journal()
      .calls.filter(({ model }) => model === 'fake/grader')
      .map(({ body }) => (body['messages'] as readonly Message[]).at(-1)?.content ?? '')
      .map((prompt) => createHash('sha256').update(prompt).digest('hex'))
    const wanted = expected
      .filter((example) => ids.has(example.prompt_id))
      .flatMap((example) => example[kind])
    expect(new Set(prompts)).toEqual(new Set(wanted))
  })
})
