import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import { usdPerThousand } from '../../../../../targets/board/board-cost.ts'
import type { Board } from '../../../../../targets/board/board.ts'
import { compareModels, type ComparedModels } from '../../../../../targets/compare/compare-models.ts'
import type { Comparison } from '../../../../../targets/compare/compare-runs.ts'
import type { CompareData } from '../../../../../tools/site/pages/compare/compare-data.ts'
import { chooseModels } from '../../../../../tools/site/pages/compare/state.ts'
import { finish } from '../../../../../targets/statistics/scale.ts'
import { sharedBenchmarks } from '../../../../../tools/site/pages/compare/use-differences.ts'
import type { BoardData } from '../../../../../tools/site/pages/leaderboard/board/board-data.ts'
import { ownTask, testsOfColumn } from '../../../../../tools/site/pages/leaderboard/own-ranks.ts'
import { rankData } from '../../../../../tools/site/pages/leaderboard/rank-data.ts'
import type {
  BenchmarkValues,
  ModelValues,
  ScenarioSources,
} from '../../../../../tools/site/values/values-files.ts'
import { medmake } from '../../../../rig/medmake.ts'
import { createWorkspace } from '../../../../rig/workspace.ts'

const MODELS = ['first-choice', 'lexical-overlap', 'lead'].map((name) => `baseline/${name}`)
const BENCHMARKS = ['ward_questions', 'demo_clinical_calculations', 'demo_patient_summaries']
const QUESTION = 'Which finding is this?'

/** A reader's own set. */
const PART = BENCHMARKS.slice(0, 2)

const suiteOf = (names: readonly string[]): string =>
  `entries: [\n${names
    .flatMap((name) => MODELS.map((model) => `  {description: "${name}:model=${model}", priority: 1}`))
    .join('\n')}\n]\n`

const WORKSPACE = {
  'targets/part.conf': suiteOf(PART),
  'targets/small.conf': suiteOf(BENCHMARKS),
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
    expect((await medmake(['run', 'small', '-m', '20'], { cwd })).stderr).not.toContain('error')
    expect((await medmake(['report', 'small', '-m', '20'], { cwd })).code).toBe(0)
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
    const { stdout } = await medmake(['compare', a, b, '--format', 'json', '--suite', 'small', '-m', '20'], {
      cwd,
    })
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

  test('ranks a set of the reader’s own as `medmake report` ranks a suite of those benchmarks', async () => {
    const board = chunk(
      readdirSync(join(site, 'data')).find((name) => name.startsWith('small-')) ?? '',
    ) as BoardData
    const loaded = board.columns.flatMap(({ key, values = '' }, index) =>
      PART.includes(key) ? [{ index, values: chunk(`${values}.js`) as BenchmarkValues }] : [],
    )
    const own = finish(ownTask(board, loaded, (column) => testsOfColumn(board, column)))
    expect((await medmake(['run', 'part', '-m', '20'], { cwd })).code).toBe(0)
    const { stdout } = await medmake(['report', 'part', '-m', '20', '--json', '--site', 'other'], { cwd })
    const [part] = (JSON.parse(stdout) as { readonly boards: readonly Board[] }).boards
    expect(loaded).toHaveLength(2)
    for (const [at, { key }] of board.models.entries()) {
      const row = part?.rows.find(({ model }) => model.deployment === key)
      expect(row?.rank?.average?.first).toBeTypeOf('number')
      expect([key, own.ranks[at]]).toEqual([key, rankData(row?.rank ?? null)])
      const spent = row?.spent ?? null
      expect(own.spent[at]).toEqual(
        spent === null
          ? 0
          : [
              usdPerThousand(spent),
              spent.latency,
              spent.usd,
              spent.inputTokens,
              spent.outputTokens,
              spent.calls,
            ],
      )
    }
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
