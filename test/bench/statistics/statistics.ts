import { parseArgs } from 'node:util'
import { fewBenchmarks, ranks } from './benchmarks.ts'
import { gates } from './gates.ts'
import { checkedVerdicts, judgesAlpha, predictionPowered, preferences } from './juries.ts'
import { boundedMeans, clusteredMeans } from './means.ts'
import { boundedPairs, exactBinary, lostJudgements, pairedTests, sharedRuns } from './pairs.ts'
import { measure, type Table } from './table.ts'

/**
 * Coverage and error rates in made-up data of which the truth is known, as tables. Ends with 1 where a figure breaks a
 * promise by more than chance explains. `--section 1,3`, `--only TEXT` of a row, `--trials N`.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seed: { type: 'string', default: '1' },
    trials: { type: 'string', default: '2000' },
    section: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
  },
})

const TABLES: readonly Table[] = [
  boundedMeans,
  clusteredMeans,
  pairedTests,
  sharedRuns,
  exactBinary,
  boundedPairs,
  lostJudgements,
  fewBenchmarks,
  ranks,
  predictionPowered,
  checkedVerdicts,
  judgesAlpha,
  preferences,
  ...gates,
]

const line = (cells: readonly string[]): void => {
  console.log(`| ${cells.join(' | ')} |`)
}

const [seed, trials] = [Number(values.seed), Number(values.trials)]
const sections = values.section === '' ? undefined : values.section.split(',').map(Number)
let [shown, broken] = [0, 0]
for (const table of TABLES) {
  const { section, title, labels, columns } = table
  const rows = table.rows.filter(({ cells }) => `${title} ${cells.join(' ')}`.includes(values.only))
  if ((sections !== undefined && !sections.includes(section)) || rows.length === 0) continue
  console.log(`\n## ${section} ${title} (${trials} trials, seed ${seed})\n`)
  line([...labels, ...columns.map(({ name }) => name)])
  line([...labels, ...columns].map(() => '---'))
  for (const row of rows) {
    const found = measure(table, row, seed, trials)
    line([
      ...row.cells.map(String),
      ...found.figures.map((figure) => (Number.isNaN(figure) ? '–' : figure.toFixed(4))),
    ])
    shown += 1
    broken += found.broken.length
    for (const name of found.broken) console.log(`broken: ${name}`)
  }
}
console.log(`\n${shown} rows, ${broken} promises broken`)
process.exitCode = broken === 0 && shown > 0 ? 0 : 1
