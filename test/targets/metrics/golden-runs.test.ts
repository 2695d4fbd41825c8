import { describe, expect, it } from 'vitest'
import { shared } from '../../rig/shared.ts'
import { goldenRuns, readGoldenRun, readText, recompute } from './golden-run.ts'

/** Golden folder → how many of its runs have no metric but those that are computed here. */
const FOLDERS: readonly (readonly [folder: string, runs: number])[] = [
  ['public-benchmarks', 36],
  ['public-synthetic', 5],
  ['gated-and-private', 64],
  ['configurable-benchmark', 2],
  ['seed-walkthroughs', 2],
  ['simple-scenarios', 2],
  ['medhelm-0.8', 16],
]

describe.skipIf(shared('golden') === undefined)('stats recomputed from what HELM saved', () => {
  it.each(FOLDERS)('equal the files of %s byte for byte', async (folder, expected) => {
    let compared = 0
    for (const directory of goldenRuns(shared(`golden/${folder}`) ?? '')) {
      const run = await readGoldenRun(directory)
      if (run === undefined) continue
      const fork = folder === 'medhelm-0.8' && !directory.includes('same-on-0.5.16')
      const { stats, perInstance, omitted } = await recompute(run, fork ? 'medhelm-0.8' : 'helm-0.5.16')
      expect(stats, directory).toBe(readText(directory, 'stats.json'))
      expect(perInstance, directory).toBe(readText(directory, 'per_instance_stats.json'))
      expect(omitted).toBe(0)
      compared++
    }
    expect(compared).toBe(expected)
  })
})
