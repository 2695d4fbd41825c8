import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compareStats, type StatsRow } from './stats/compare-stats.ts'
import { statsSummary, statsTable } from './stats/stats-table.ts'
import { shared } from '../rig/shared.ts'
import { temporaryFolder } from '../rig/temporary-folder.ts'

const source = shared('golden/seed-walkthroughs/llm_jury_score_demo/benchmark_output/runs/DEMO')

/** A copy of a run that HELM wrote, with one of its files edited. */
const compareEdited = (file: string, edit: (text: string) => string): Promise<StatsRow> => {
  const directory = temporaryFolder()
  cpSync(
    join(
      source ?? '',
      'LLM-JURY-SCORE-DEMO:model=qwen_qwen2.5-7b-instruct,model_deployment=huggingface_qwen2.5-7b-instruct',
    ),
    directory,
    { recursive: true },
  )
  const path = join(directory, file)
  writeFileSync(path, edit(readFileSync(path, 'utf8')))
  return compareStats({ directory, source: 'here', label: 'edited', profile: 'helm-0.5.16' })
}

describe.skipIf(source === undefined)('stats held against a run of HELM’s', () => {
  test('are counted and equal', async () => {
    const row = await compareEdited('stats.json', (text) => text)
    expect(row).toEqual({
      label: 'edited',
      source: 'here',
      files: { stats: { equal: 54, compared: 54 }, perInstance: { equal: 4, compared: 4 } },
      notComputed: [],
    })
  })

  test.each([
    ['a number', 'stats.json', (text: string) => text.replace('"sum": 1.0', '"sum": 1.5')],
    ['the type of a number', 'stats.json', (text: string) => text.replace('"sum": 1.0', '"sum": 1')],
    ['a name', 'per_instance_stats.json', (text: string) => text.replace('"batch_size"', '"size"')],
    ['the layout', 'stats.json', (text: string) => `${text}\n`],
    ['a judgement', 'scenario_state.json', (text: string) => text.replace(/"score": \d/, '"score": 77')],
  ])('differ in %s', async (_, file, edit) => {
    expect((await compareEdited(file, edit)).difference).toMatch(/stats\.json: (?:element \d+ is|the layout)/)
  })

  test('without an element have one less in common', async () => {
    const row = await compareEdited('stats.json', (text) =>
      JSON.stringify((JSON.parse(text) as unknown[]).slice(0, -1)),
    )
    expect(row.files?.stats).toMatchObject({ compared: 54 })
    expect(row.difference).toBeDefined()
  })

  test('that need a model which is not at hand are named, not hidden', async () => {
    const summac = '{"name": {"name": "summac", "split": "test"}, "count": 1, "sum": 0.5}'
    const row = await compareEdited('stats.json', (text) => text.replace('[', `[${summac},`))
    expect(row).toMatchObject({
      files: { stats: { equal: 54, compared: 54 } },
      notComputed: ['SummaC: its models are not run here'],
    })
  })

  test('of a metric that is not ours leave the run out, and the summary says so', async () => {
    const row = await compareEdited('run_spec.json', (text) => text.replace('.LLMJuryMetric', '.OtherMetric'))
    expect(row).toEqual({ label: 'edited', source: 'here', notComputed: ['OtherMetric: no metric of ours'] })
    expect(statsTable([row])).toContain('–')
    expect(statsSummary([row])).toContain('Runs that could not be recomputed: 1.')
  })
})
