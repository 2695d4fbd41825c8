import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import { compareModels, type ComparedModels } from '../../../../../targets/compare/compare-models.ts'
import type { Comparison } from '../../../../../targets/compare/compare-runs.ts'
import type { CompareData } from '../../../../../tools/site/pages/compare/compare-data.ts'
import { chooseModels } from '../../../../../tools/site/pages/compare/state.ts'
import { sharedBenchmarks } from '../../../../../tools/site/pages/compare/use-differences.ts'
import type { ModelValues, ScenarioSources } from '../../../../../tools/site/values/values-files.ts'
import { medmake } from '../../../../rig/medmake.ts'
import { createWorkspace } from '../../../../rig/workspace.ts'

const MODELS = ['first-choice', 'lexical-overlap', 'lead'].map((name) => `baseline/${name}`)
const BENCHMARKS = ['ward_questions', 'demo_clinical_calculations', 'demo_patient_summaries']
const QUESTION = 'Which finding is this?'

const WORKSPACE = {
  'targets/small.conf': `entries: [\n${BENCHMARKS.flatMap((name) =>
    MODELS.map((model) => `  {description: "${name}:model=${model}", priority: 1}`),
  ).join('\n')}\n]\n`,
  'benchmarks/ward_questions/benchmark.yaml': `name: ward_questions
description: Questions of a ward.
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 5
metrics:
  - name: exact_match
`,
  'benchmarks/ward_questions/prompt.txt': '{question} A {a} or B {b}?\n',
  'benchmarks/ward_questions/data.csv': `correct_answer,question,a,b\n${Array.from(
    { length: 30 },
    (_, at) => `${at % 3 === 0 ? 'A' : 'B'},${QUESTION} ${at},alpha,beta`,
  ).join('\n')}\n`,
}

describe('what the page of comparisons says of two models', () => {
  let site = ''
  let cwd = ''
  let data: CompareData
  beforeAll(async () => {
    cwd = createWorkspace(WORKSPACE)
    site = join(cwd, 'benchmark_output/site')
    expect((await medmake(['run', '-m', '20'], { cwd })).stderr).not.toContain('error')
    expect((await medmake(['report', '-m', '20'], { cwd })).code).toBe(0)
    data = chunk(
      readdirSync(join(site, 'data')).find((name) => name.startsWith('compare-')) ?? '',
    ) as CompareData
  })

  const chunk = (file: string): unknown => {
    const held: { value?: unknown } = {}
    runInNewContext(readFileSync(join(site, 'data', file), 'utf8'), {
      __chunk: (_: string, value: unknown) => {
        held.value = value
      },
    })
    return JSON.parse(JSON.stringify(held.value))
  }

  const onPage = (a: string, b: string): ComparedModels => {
    const chosen = chooseModels(data, { a, b })
    if (chosen === undefined) throw new RangeError('two models are there')
    const valuesOf = (place: number): ModelValues =>
      chunk(`${data.models[place]?.values ?? ''}.js`) as ModelValues
    return compareModels(
      sharedBenchmarks(
        data,
        chosen,
        valuesOf(chosen.a),
        valuesOf(chosen.b),
        chunk(`${data.sources ?? ''}.js`) as ScenarioSources,
      ),
    )
  }

  test.each([
    [MODELS[0], MODELS[1]],
    [MODELS[2], MODELS[0]],
  ])('is what `medmake compare --json` says of %s and %s', async (a = '', b = '') => {
    const { stdout } = await medmake(['compare', a, b, '--format', 'json', '-m', '20'], { cwd })
    const wanted = JSON.parse(stdout) as {
      readonly comparisons: readonly Comparison[]
      readonly winRate: ComparedModels['wins']
    }
    const found = onPage(a, b)
    expect(found.scenarios).toHaveLength(BENCHMARKS.length)
    for (const { scenario, result } of wanted.comparisons) {
      const own = found.scenarios.find((each) => each.scenario === scenario)?.result
      for (const [name, value] of Object.entries(result ?? {}))
        if (name !== 'mde' && name !== 'medhelmMde')
          expect([scenario, name, numbers(own?.[name as keyof typeof own])]).toEqual([
            scenario,
            name,
            numbers(value),
          ])
    }
    expect(numbers(found.wins)).toEqual(numbers(wanted.winRate))
  })

  test('holds no text and no id of a private benchmark', () => {
    const held = readdirSync(join(site, 'data')).map((name) => readFileSync(join(site, 'data', name), 'utf8'))
    expect(held.join('\n')).not.toContain(QUESTION)
    expect(data.benchmarks.map(({ access }) => access).toSorted()).toEqual(['private', 'public', 'public'])
    expect(data.tasks).toHaveLength(2)
  })
})

/** Sums of floats depend on the order in the last digit. */
const numbers = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_, each: unknown) =>
      typeof each === 'number' ? Number(each.toPrecision(11)) : each,
    ),
  )
