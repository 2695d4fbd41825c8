import { expect, test } from 'vitest'
import { createRegistry } from '../../../../models/registry/registry.ts'
import type { Subgroups } from '../../../../targets/board/board-subgroups.ts'
import { boardUncertainty } from '../../../../targets/board/board-uncertainty.ts'
import type { Built } from '../../../../targets/runs/board-metric.ts'
import { storedRuns } from '../../../../targets/runs/stored-run.ts'
import { siteSuite } from '../../../../tools/site/content/site-suite.ts'
import { buildTargets } from '../../../rig/build-targets.ts'
import { madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../../rig/made-up-run.ts'

const instances = madeUpInstances([
  ['one', 'a'],
  ['two', 'b'],
])

const subgroupsOf = (benchmark: string): Subgroups =>
  ({
    benchmark,
    attribute: `sex in ${benchmark}`,
    groups: ['f', 'm'],
    withheld: 1,
    gaps: 2,
    rows: ['m/a', 'm/c'].map((deployment) => ({ deployment })),
  }) as unknown as Subgroups

test('A run’s page has the subgroups of its own benchmark and model, where its score is of this run alone', async () => {
  const { env } = await madeUpRun(() => textReply('a'))
  const runOf = (model: string, ward: string) => {
    const target = madeUpTarget({ instances, model })
    return {
      ...target,
      spec: { ...target.spec, name: `letters:ward=${ward},model=${model.replace('/', '_')}` },
    }
  }
  const built: Built[] = []
  // Two models' scores are of two runs: no part of them is the one's or the other's.
  const both = ['m/a', 'm/b'].flatMap((model) => [runOf(model, 'x'), runOf(model, 'y')])
  // Of another benchmark the first of them has one run alone.
  const other = madeUpTarget({ instances, model: 'm/a', benchmark: { name: 'other' } })
  const alone = { ...other, spec: { ...other.spec, name: 'other:model=m_a' } }
  const targets = [...both, runOf('m/c', 'x'), alone]
  await buildTargets(targets, env, async (result) => void built.push({ suite: 'all', ...result }))
  const { runs } = await siteSuite({
    suite: 'all',
    runs: built.map(storedRuns({ env, registry: createRegistry([], []), coverageFloor: 0 })),
    prices: new Map(),
    uncertainty: boardUncertainty,
    subgroups: async () => ['letters', 'other'].map(subgroupsOf),
  })
  const shown = (benchmark: string, deployment: string): unknown => [
    { attribute: `sex in ${benchmark}`, groups: ['f', 'm'], withheld: 1, row: { deployment } },
  ]
  expect(new Map(runs.map(({ facts }) => [facts.name, facts.subgroups]))).toEqual(
    new Map([
      ...both.map(({ spec }) => [spec.name, undefined] as const),
      ['letters:ward=x,model=m_c', shown('letters', 'm/c')],
      ['other:model=m_a', shown('other', 'm/a')],
    ]),
  )
})
