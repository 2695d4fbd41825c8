import { parseArgs } from 'node:util'
import { measure } from './cell.ts'
import { fewBenchmarks, gates, lostJudgements, pairedTests, ranks, sharedRuns } from './differences.ts'
import { boundedMeans, clusteredMeans } from './means.ts'

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seed: { type: 'string', default: '1' },
    trials: { type: 'string', default: '2000' },
    only: { type: 'string', default: '' },
  },
})

const cells = [
  boundedMeans,
  clusteredMeans,
  pairedTests,
  sharedRuns,
  lostJudgements,
  fewBenchmarks,
  ranks,
  gates,
]
  .flat()
  .filter(({ section, what }) => `${section} ${what}`.includes(values.only))

let missed = 0
for (const cell of cells) {
  const { share, allowed, isWithin } = measure(cell, Number(values.seed), Number(values.trials))
  if (!isWithin) missed += 1
  const bar = [
    ...(cell.bar?.least === undefined ? [] : [`at least ${cell.bar.least}`]),
    ...(cell.bar?.most === undefined ? [] : [`at most ${cell.bar.most}`]),
  ].join(', ')
  console.log(
    `${isWithin ? 'ok  ' : 'MISS'} ${cell.section}: ${cell.what}: ${share.toFixed(4)} (elsewhere ${cell.reference.toFixed(3)} ± ${allowed.toFixed(4)}${bar === '' ? '' : `; bar ${bar}`})`,
  )
}
console.log(`${cells.length - missed} of ${cells.length} within Monte Carlo error and their bars`)
process.exitCode = missed === 0 && cells.length > 0 ? 0 : 1
