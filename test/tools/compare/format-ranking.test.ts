import { expect, it } from 'vitest'
import { formatRanking } from '../../../tools/compare/format-ranking.ts'
import { rankColumns } from '../../../targets/compare/ranks/rank-columns.ts'
import { rankModels } from '../../../targets/compare/ranks/rank-models.ts'
import { madeUpComparedRun } from '../../targets/compare/made-up-compared-run.ts'

const runOf = (model: string) =>
  madeUpComparedRun(
    { name: `ward:model=${model}`, scenario: 'ward', deployment: model, results: model },
    Array.from({ length: 20 }, (_, at) => ({ id: `id${at}`, digest: `${at}` })),
    (at) => at % 2,
  )
const shown = (models: readonly string[]): string => {
  const { models: names, columns, unranked, leftOut } = rankColumns(models.map(runOf))
  return formatRanking([{ suite: 's', ranking: rankModels(names, columns), unranked, leftOut }], 'text')
}

it('A suite of one model has nothing to rank, and says so in place of an empty table.', () => {
  expect(shown(['m/one'])).toBe('s\n\nNothing to rank: no benchmark has scores of two models.')
  expect(shown(['m/one', 'm/two'])).toContain('m/two')
})
