import { describe, expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'
import { ratedWorkspace } from '../rating-desk/rated-workspace.ts'

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
    expect(stdout).toContain('notes: 4 ratings of 3 answers by 2 clinicians')
    expect(stdout).toMatch(/jury +ICC\(3,k\) 0\.\d{3} \(/)
    expect(stdout).toContain('undetermined (no two clinicians')
    const json = await medmake(['agreement', 'ratings.csv', '--json'], { cwd })
    expect(JSON.parse(json.stdout)).toMatchObject({
      rule: 'text',
      agreement: [{ name: 'notes', jury: { answers: 3 } }],
    })
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

describe("medmake agreement, of a workspace's own metrics", () => {
  it('holds those of which more is better against the clinicians', async () => {
    const measures = `[{ name: 'kept', unit: 'count', most: null }, { name: 'length', unit: 'count', most: null, better: 'neither' }]`
    const given = Array.from({ length: 8 }, (_, note) => 1 + ((note * 3) % 5))
    const cwd = await ratedWorkspace({
      notes: 8,
      models: ['fake/a'],
      answer: (_, note) => `says ${given[note] ?? 0} of note ${note}.`,
      files: {
        'targets/metrics/kept.ts': `export const metric = { measures: ${measures}, evaluate: ({ completion }: { completion: string }) => ({ kept: Number(/\\d+/.exec(completion)?.[0]), length: 1 }) }\n`,
        'benchmarks/summaries/benchmark.yaml': `name: summaries
description: Short answers that a jury reads.
access: public
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 20
metrics:
  - { name: kept }
  - name: jury_score
    prompt_file: rubric.txt
    judges: [{name: fake/judge, model_name: fake/judge}]
`,
        'ratings.csv': `rater,instance_id,benchmark,model,accuracy\n${given
          .map((score, note) => `ann,id${note},summaries,fake/a,${score}\n`)
          .join('')}`,
      },
    })
    const { code, stdout, stderr } = await medmake(
      ['agreement', 'ratings.csv', '--suite', 'main', '--json'],
      { cwd },
    )
    expect(code, stderr).toBe(0)
    const { agreement } = JSON.parse(stdout) as {
      readonly agreement: readonly { readonly metrics: readonly object[] }[]
    }
    // The clinician's scores are the metric's own, so that they agree in full.
    expect(agreement[0]?.metrics).toMatchObject([
      { name: 'kept', answers: 8, icc: { value: 1 }, spearman: { value: 1 } },
    ])
  })
})
