import { describe, expect, it } from 'vitest'
import { homeOf, wantedBenchmark, type Wanted } from '../../../tools/benchmark/wanted.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const made = (wanted: Partial<Wanted>, root = createWorkspace()) =>
  wantedBenchmark({ name: 'notes', ...wanted }, root, `${root}/local`)

describe('a benchmark that is wanted', () => {
  it('is private and scored by exact matches unless it is said otherwise, and asks judges for jury scores alone', async () => {
    expect(await made({})).toEqual({ name: 'notes', access: 'private', metrics: ['exact_match'], judges: [] })
    expect(await made({ ownMetric: 'mine' })).toMatchObject({ ownMetric: 'mine', metrics: [] })
    const judged = await made({ access: 'public', metrics: ['jury_score', 'rouge_l', 'jury_score'] })
    expect(judged).toMatchObject({ access: 'public', metrics: ['jury_score', 'rouge_l'] })
    expect(judged.judges.length).toBeGreaterThan(1)
    const [judge] = judged.judges
    expect(await made({ metrics: ['jury_score'], judges: [judge?.name ?? ''] })).toMatchObject({
      judges: [judge],
    })
  })

  it.each([
    [{ name: '-notes' }, 'benchmarks/bad-name'],
    [{ name: 'ward notes' }, 'benchmarks/bad-name'],
    [{ ownMetric: '../mine' }, 'benchmarks/bad-name'],
    [{ ownMetric: 'exact_match' }, 'benchmarks/bad-name'],
    [{ metrics: ['rouge_l', 'rogue_l'] }, 'benchmarks/unknown-metric'],
    [{ metrics: ['jury_score'], judges: ['nobody/here'] }, 'models/unknown-judge'],
  ])('is refused as %j', async (wanted, code) => {
    expect(await problemOf(() => made(wanted))).toMatchObject({ code })
  })

  it('takes the place of none that is there', async () => {
    const root = createWorkspace({ 'benchmarks/notes/benchmark.yaml': 'name: notes' })
    expect(await problemOf(() => made({}, root))).toMatchObject({ code: 'benchmarks/exists' })
    expect([homeOf(root), homeOf(packageRoot())]).toEqual(['workspace', 'clone'])
  })
})
