import { describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const RATINGS = `rater,instance_id,benchmark,model,accuracy,jury_accuracy
r1,1,notes,m,1,2
r2,1,notes,m,2,2
r1,2,notes,m,4,4
r2,3,notes,m,5,3
`

describe('medmake agreement', () => {
  it('prints per benchmark how the jury agrees with clinicians and these with each other', async () => {
    const cwd = createWorkspace({ 'ratings.csv': RATINGS })
    const { code, stdout } = await medmake(['agreement', 'ratings.csv'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('notes: 4 ratings by 2 clinicians')
    expect(stdout).toMatch(/clinicians and jury +ICC\(3,k\) 0\.\d{3} \(/)
    const json = await medmake(['agreement', 'ratings.csv', '--json'], { cwd })
    expect(JSON.parse(json.stdout)).toMatchObject({ agreement: [{ name: 'notes', jury: { items: 3 } }] })
  })

  it('names file, row and column of what it cannot use', async () => {
    const cwd = createWorkspace({ 'ratings.csv': RATINGS.replace('m,4,4', 'm,four,4') })
    const { code, stderr } = await medmake(['agreement', 'ratings.csv'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('targets/rating-not-a-number')
    expect(stderr).toContain('ratings.csv')
    expect((await medmake(['agreement', 'none.csv'], { cwd })).code).toBe(2)
  })
})

const BENCHMARK = `name: summaries
description: Short answers that a jury reads.
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 20
metrics:
  - name: jury_score
    prompt_file: rubric.txt
    judges:
      - {name: fake/one, model_name: fake/one}
      - {name: fake/two, model_name: fake/two}
`

describe('medmake jury dropout', () => {
  it('scores the stored judgements without each judge, and asks nobody', async () => {
    const server = await fakeServer()
    const cwd = createWorkspace({
      'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/b', 'fake/one', 'fake/two']),
      'benchmarks/summaries/benchmark.yaml': BENCHMARK,
      'benchmarks/summaries/prompt.txt': 'Summarise: {note}',
      'benchmarks/summaries/rubric.txt':
        'Judge {RESPONSE}.\n<rubric_criteria>\n{"accuracy": {"score": 0, "explanation": "why"}}\n</rubric_criteria>\n',
      'benchmarks/summaries/data.csv': 'note\nfever\ncough\nrash\n',
      'targets/main.conf':
        'entries: [{description: "summaries:model=fake/a"}, {description: "summaries:model=fake/b"}]',
    })
    const early = await medmake(['jury', 'dropout'], { cwd })
    expect(early.code).toBe(2)
    expect(early.stderr).toContain('jury/not-built')
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    const { requests } = server.journal()
    const { code, stdout, stderr } = await medmake(['jury', 'dropout', '--json'], { cwd })
    expect(code, stderr).toBe(0)
    const { dropout } = JSON.parse(stdout) as {
      dropout: {
        benchmark: string
        models: { all: { score: number }; without: Record<string, { score: number }> }[]
      }[]
    }
    expect(dropout.map(({ benchmark, models }) => [benchmark, models.length])).toEqual([['summaries', 2]])
    // Two judges with one criterion each: with both an answer scores the mean of what each alone would give.
    for (const { all, without } of dropout[0]?.models ?? [])
      expect(all.score).toBeCloseTo(
        ((without['fake/one']?.score ?? 0) + (without['fake/two']?.score ?? 0)) / 2,
        12,
      )
    expect(server.journal().requests).toBe(requests)
    expect((await medmake(['jury', 'dropout'], { cwd })).stdout).toContain('pairs that swap')
    expect((await medmake(['jury', 'dance'], { cwd })).code).toBe(2)
    writeFiles(cwd, { 'targets/main.conf': 'entries: []' })
    expect((await medmake(['jury', 'dropout'], { cwd })).stderr).toContain('jury/no-jury')
  })
})
