import { cpSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { medmake, type CliResult } from '../../rig/medmake.ts'
import { shared } from '../../rig/shared.ts'
import { writeTinyLlama } from '../../rig/tiny-llama.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const benchmark = (maxTokens: number): string => `name: questions
display_name: Questions
description: Questions as they are.
access: public
protocols:
  - version: medmake-1
    data:
      rows: { path: data.csv, format: csv }
    instances:
      - from: rows
        split: test
        input: '{question}'
        references: [{ text: '{correct_answer}', correct: true }]
    adapter:
      method: generation
      instructions: ''
      input_prefix: ''
      input_suffix: ''
      output_prefix: ''
      max_train_instances: 0
      max_tokens: ${maxTokens}
      stop_sequences: []
    metrics: [exact_match]
    main_metric: { name: exact_match, split: test }
`

const deployment = (args: string, className = 'medmake.local'): string => `model_deployments:
  - name: here/tiny
    client_spec: { class_name: ${className}, args: ${args} }
`

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`

const questions = (texts: readonly string[], args: string, maxTokens = 8): string =>
  createWorkspace({
    'models/here.yaml': deployment(args),
    'benchmarks/questions/benchmark.yaml': benchmark(maxTokens),
    'benchmarks/questions/data.csv': `question,correct_answer\n${texts.map((text) => `${cell(text)},yes\n`).join('')}`,
    'targets/main.conf': 'entries: [{description: "questions:model=here/tiny"}]',
  })

const run = (cwd: string, ...flags: readonly string[]): Promise<CliResult> =>
  medmake(['run', '--json', ...flags], { cwd })

interface State {
  readonly request_states: readonly {
    readonly request: { readonly prompt: string }
    readonly prompt_truncated?: boolean
    readonly result: {
      readonly completions: readonly { readonly text: string; readonly finish_reason?: object }[]
    }
  }[]
}

const answers = (cwd: string): ReadonlyMap<string, string> => {
  const file = join(cwd, 'benchmark_output/runs/main/questions:model=here_tiny/scenario_state.json')
  const { request_states: states } = JSON.parse(readFileSync(file, 'utf8')) as State
  return new Map(states.map(({ request, result }) => [request.prompt, result.completions[0]?.text ?? '']))
}

const executed = ({
  code,
  stdout,
  stderr,
}: CliResult): { readonly built: number; readonly calls: number } => {
  expect(code, stderr).toBe(0)
  const { targets, providerCalls } = JSON.parse(stdout) as {
    readonly targets: { readonly built: number }
    readonly providerCalls: number
  }
  return { built: targets.built, calls: providerCalls }
}

describe('a workspace with a local model', () => {
  const texts = ['Is it flu?', 'And now?', 'A longer one, about fever and cough.']

  it('asks it without a provider call, and no more where nothing changed', async () => {
    const root = questions(texts, '{ model: ./tiny }')
    writeTinyLlama(join(root, 'tiny'))
    expect(executed(await run(root))).toEqual({ built: 1, calls: 0 })
    const first = answers(root)
    expect(first.size).toBe(3)
    expect(executed(await run(root))).toEqual({ built: 0, calls: 0 })
    rmSync(join(root, 'benchmark_output'), { recursive: true })
    executed(await run(root))
    expect(answers(root)).toEqual(first)
    // A file of the same size and time that no program could open as a model.
    const model = join(root, 'tiny/onnx/model.onnx')
    const { size, atime, mtime } = statSync(model)
    writeFileSync(model, Buffer.alloc(size))
    utimesSync(model, atime, mtime)
    const failed = await run(root)
    expect(failed.code).toBe(2)
    expect(failed.stderr + failed.stdout).toContain('models/local-graph')
  })

  it('takes other weights for another model', async () => {
    const root = questions(texts, '{ model: ./tiny }')
    writeTinyLlama(join(root, 'tiny'))
    executed(await run(root))
    const first = answers(root)
    writeTinyLlama(join(root, 'tiny'), { seed: 2 })
    expect(executed(await run(root)).built).toBe(1)
    expect(answers(root)).not.toEqual(first)
    const explained = await medmake(['explain', 'questions:model=here_tiny'], { cwd: root })
    expect(explained.code, explained.stderr).toBe(0)
    writeTinyLlama(join(root, 'tiny'))
    executed(await run(root))
    expect(answers(root)).toEqual(first)
  })

  it('asks a folder that HELM’s flag names, under HELM’s name for it', async () => {
    const root = questions(texts, '{ model: ./elsewhere }')
    writeTinyLlama(join(root, 'tiny-2'))
    const { code, stderr } = await medmake(
      [
        '--run-entries',
        'questions:model=huggingface/tiny-2',
        '--enable-local-huggingface-models',
        './tiny-2',
        '--suite',
        'try',
        '-m',
        '10',
      ],
      { cwd: root },
      'helm-run',
    )
    expect(code, stderr).toBe(0)
    const file = join(root, 'benchmark_output/runs/try/questions:model=huggingface_tiny-2/run_spec.json')
    const spec = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly adapter_spec: { readonly model_deployment: string }
    }
    expect(spec.adapter_spec.model_deployment).toBe('huggingface/tiny-2')
  })

  it('names the file that its folder lacks', async () => {
    const root = questions(texts, '{ model: ./tiny }')
    writeTinyLlama(join(root, 'tiny'))
    rmSync(join(root, 'tiny/tokenizer.json'))
    const { code, stderr } = await run(root)
    expect(code).toBe(2)
    expect(stderr).toContain("the model's folder lacks tokenizer.json")
    expect(stderr).toContain(join(root, 'tiny'))
  })

  it('cuts a prompt to the model’s own window, as HELM does with its own tokenizer', async () => {
    const root = questions(['word '.repeat(80), 'short'], '{ model: ./tiny }')
    writeTinyLlama(join(root, 'tiny'), { tokenizerConfig: { model_max_length: 200 } })
    executed(await run(root))
    const prompts = [...answers(root).keys()]
    expect(prompts.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([5, 192])
  })

  it('fetches nothing from behind a mirror: HELM’s class by repository, held to datasets.lock', async () => {
    const root = questions(texts, '{}')
    writeFiles(root, {
      'models/here.yaml': deployment(
        '{ pretrained_model_name_or_path: Org/Tiny, revision: abc }',
        'helm.clients.huggingface_client.HuggingFaceClient',
      ),
    })
    const mirror = join(root, 'mirror')
    writeFiles(root, { 'mirror/data.example/rows.csv': 'a' })
    const missing = await run(root, '--mirror', mirror)
    expect(missing.code).toBe(2)
    const folder = join(mirror, 'huggingface.co/Org/Tiny/resolve/abc')
    expect(missing.stderr).toContain('models/no-weights')
    expect(missing.stderr).toContain(folder)
    expect(missing.stderr).toMatch(
      /Or serve it .*prod_env\/model_deployments\.yaml: `- { name: \S+, model_name: /,
    )
    expect(missing.stderr).toContain('model: Org/Tiny } } }`')
    writeTinyLlama(folder)
    expect(executed(await run(root, '--mirror', mirror)).built).toBe(1)
    const lock = readFileSync(join(root, 'benchmarks/datasets.lock'), 'utf8')
    expect(lock).toContain('https://huggingface.co/Org/Tiny/resolve/abc/onnx/model.onnx')
    writeTinyLlama(folder, { seed: 3 })
    const changed = await run(root, '--mirror', mirror)
    expect(changed.code).toBe(2)
    expect(changed.stderr).toContain('benchmarks/changed-data')
  })
})

interface Prompt {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly output_ids: readonly number[]
  readonly output_text: string
}

const smollm = shared('models/smollm2-135m-instruct')

// The model lies beside the repository.
describe.skipIf(smollm === undefined)('a suite on a real model', () => {
  it('gives the short answers of its reference', { timeout: 180_000 }, async () => {
    const { prompts } = JSON.parse(readFileSync(join(smollm ?? '', 'expected.json'), 'utf8')) as {
      readonly prompts: readonly Prompt[]
    }
    // Long ones take nothing but more steps (test/models/local).
    const plain = prompts.filter(({ messages, output_ids: ids }) => messages.length === 1 && ids.length < 10)
    expect(plain).toHaveLength(4)
    const texts = plain.map(({ messages }) => messages[0]?.content ?? '')
    const root = questions(texts, '{ model: ./smollm2 }', 10)
    cpSync(smollm ?? '', join(root, 'smollm2'), { recursive: true })
    expect(executed(await run(root))).toEqual({ built: 1, calls: 0 })
    expect(answers(root)).toEqual(new Map(plain.map(({ output_text: text }, index) => [texts[index], text])))
  })
})
