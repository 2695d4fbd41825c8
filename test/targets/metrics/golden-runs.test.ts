import { describe, expect, it } from 'vitest'
import { compareStats } from '../../parity/stats/compare-stats.ts'
import { statsCases } from '../../parity/stats/stats-cases.ts'
import { shared } from '../../rig/shared.ts'

/** Folder → how many of its runs have no metric but those that are computed here. */
const FOLDERS: readonly (readonly [folder: string, runs: number])[] = [
  ['golden/public-benchmarks', 36],
  ['golden/public-synthetic', 5],
  ['golden/gated-and-private', 64],
  ['golden/configurable-benchmark', 2],
  ['golden/seed-walkthroughs', 2],
  ['golden/simple-scenarios', 2],
  ['golden/medhelm-0.8', 18],
  ['golden/medhelm-0.8-more', 5],
  ['published', 1],
]

describe.skipIf(shared('golden') === undefined)('stats recomputed from what HELM saved', () => {
  it.each(FOLDERS)('equal the files of %s byte for byte', async (folder, expected) => {
    const cases = statsCases(shared('') ?? '').filter(
      ({ source }) => source === folder || source.startsWith(`${folder}/`),
    )
    const rows = await Promise.all(cases.map(compareStats))
    expect(rows.flatMap(({ difference }) => difference ?? [])).toEqual([])
    const recomputed = rows.filter(({ files }) => files !== undefined)
    expect(recomputed).toHaveLength(expected)
    const left = recomputed.flatMap(({ notComputed }) => notComputed)
    expect(left).toEqual(
      folder === 'published' ? [expect.stringContaining('SummaC'), expect.stringContaining('BERTScore')] : [],
    )
  })
})
