import { describe, expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

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
