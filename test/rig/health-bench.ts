import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { mirrorPath } from '../../benchmarks/sources/fetch/remote-file.ts'
import type { FakeAnswer, FakeCall } from '../bench/fake-answer.ts'
import { fakeServer, modelsYaml } from './fake-server.ts'
import { medmake } from './medmake.ts'
import { createWorkspace } from './workspace.ts'

export interface Message {
  readonly role: string
  readonly content: string
}

export interface Example {
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

export interface Stat {
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
export const workspaceOf = async (examples: readonly Example[], { system = true } = {}) => {
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

export const ENTRY = 'health_bench:jury_config_path=grader.yaml,model=fake/one'

export const run = (cwd: string, entry = ENTRY, ...flags: readonly string[]) =>
  medmake(['run', '-r', entry, '--suite', 's', '--mirror', 'mirror', ...flags], { cwd })

/** A run's file, parsed. */
export const read = (cwd: string, file: string): unknown => {
  const runs = join(cwd, 'benchmark_output/runs/s')
  const name = readdirSync(runs).find((each) => each.startsWith('health_bench'))
  return JSON.parse(readFileSync(join(runs, name ?? '', file), 'utf8')) as unknown
}

/** Of each instance its values by name; nothing for one without. */
export const valuesOf = (cwd: string): ReadonlyMap<string, ReadonlyMap<string, number>> => {
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

export const close = (value: number | undefined, wanted: number): void =>
  expect(Math.abs((value ?? NaN) - wanted)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(wanted)))
