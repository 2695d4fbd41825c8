import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shared } from '../../rig/shared.ts'
import { shortBenchmark, shortYaml } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const encoder = shared('golden/metrics/bert-score')

const config = (layer: number): string => `bert_score:
  model: {path: encoder/model.onnx}
  tokenizer: {path: encoder/tokenizer.json}
  tokenizer_config: {path: encoder/tokenizer_config.json}
  layer: ${layer}
`

interface Stat {
  readonly name: { readonly name: string; readonly split?: string }
  readonly mean?: number
}

const setUp = async (): Promise<string> => {
  const root = createWorkspace({
    'models/fake.yaml': modelsYaml(await fakeServer(), ['fake/a']),
    ...shortBenchmark(
      { name: 'notes', maxTokens: 30, metrics: ['rouge_l'] },
      {
        prompt: 'Shorten: {note}',
        data: 'note,correct_answer\nthe patient has a fever,fever\nno pain today,no pain\n',
      },
    ),
    'targets/main.conf': 'entries: [{description: "notes:model=fake/a"}]',
  })
  mkdirSync(join(root, 'encoder'))
  for (const file of ['model.onnx', 'tokenizer.json', 'tokenizer_config.json'])
    copyFileSync(join(encoder ?? '', file), join(root, 'encoder', file))
  return root
}

const run = async (root: string): Promise<{ readonly calls: number; readonly stats: readonly Stat[] }> => {
  const { code, stdout, stderr } = await medmake(['run', '--json'], { cwd: root })
  expect(code, stderr).toBe(0)
  const stats = readFileSync(join(root, 'benchmark_output/runs/main/notes:model=fake_a/stats.json'), 'utf8')
  return {
    calls: (JSON.parse(stdout) as { providerCalls: number }).providerCalls,
    stats: JSON.parse(stats) as Stat[],
  }
}

const meanOf = (stats: readonly Stat[], name: string): number | undefined =>
  stats.find((stat) => stat.name.name === name)?.mean

describe.skipIf(encoder === undefined)('a workspace', () => {
  it('without an encoder has no BERTScore, with one has it and asks no model anew', async () => {
    const root = await setUp()
    const without = await run(root)
    expect(meanOf(without.stats, 'BERTScore-F')).toBeUndefined()
    writeFiles(root, { 'medmake.yaml': config(1) })
    const first = await run(root)
    expect(first.calls).toBe(0)
    expect(meanOf(first.stats, 'BERTScore-F')).toBeGreaterThan(0)
    expect(meanOf(first.stats, 'rouge_l')).toBe(meanOf(without.stats, 'rouge_l'))
    writeFiles(root, { 'medmake.yaml': config(3) })
    const third = await run(root)
    expect(third.calls).toBe(0)
    expect(meanOf(third.stats, 'BERTScore-F')).not.toBe(meanOf(first.stats, 'BERTScore-F'))
    writeFiles(root, { 'medmake.yaml': '' })
    expect(await run(root)).toEqual({ ...without, calls: 0 })
  })

  it('may score a benchmark by BERTScore, but not without an encoder', async () => {
    const root = await setUp()
    writeFiles(root, {
      'benchmarks/notes/benchmark.yaml': shortYaml({ name: 'notes', metrics: ['BERTScore-F'] }),
    })
    const { code, stderr } = await medmake(['run'], { cwd: root })
    expect(code).toBe(2)
    expect(stderr).toContain('targets/no-encoder')
    expect(stderr).toContain('benchmarks/notes/benchmark.yaml')
    writeFiles(root, { 'medmake.yaml': config(1) })
    expect(meanOf((await run(root)).stats, 'BERTScore-F')).toBeGreaterThan(0)
    expect((await medmake(['report'], { cwd: root })).stdout).toMatch(/fake\/a +0\.\d/)
  })

  it('whose encoder is missing is told which file, before anything runs', async () => {
    const root = await setUp()
    writeFiles(root, { 'medmake.yaml': config(1).replace('model.onnx', 'other.onnx') })
    const { code, stderr } = await medmake(['run'], { cwd: root })
    expect(code).toBe(2)
    expect(stderr).toContain('config/encoder')
    expect(stderr).toContain('other.onnx')
  })
})
