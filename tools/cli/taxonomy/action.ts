import { EXIT } from '../../../cache/problems/problem.ts'
import { CONFIGURABLE } from '../../../benchmarks/lookup/find.ts'
import {
  coverageOf,
  unplacedLines,
  type CoveringBenchmark,
  type TaxonomyCoverage,
} from '../../../benchmarks/lookup/taxonomy-coverage.ts'
import { readTaxonomy } from '../../../benchmarks/taxonomy.ts'
import { parseDescription } from '../../../targets/entries/run-entry.ts'
import { listSuites } from '../../session/suites.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag, listFlag } from '../flags.ts'
import type { Action } from '../verb.ts'
import { readableBenchmarks } from '../common/readable-benchmarks.ts'
import { suitesOf } from '../common/suites.ts'

/** `medmake taxonomy`: which medical work the benchmarks ask about, and which the suites leave out. */
export const taxonomyAction: Action = async (invocation) => {
  const { args, flags, cwd, print, warn, leftOut } = invocation
  const workspace = await findWorkspace(cwd)
  const context = { workspace: workspace.root }
  const asked = args.length > 0 || listFlag(flags, 'confPaths') !== undefined
  const some = asked || (await listSuites(workspace.root)).size > 0
  // Whoever answers, the work is the same: built-in suites need no model here.
  const anybody = { ...invocation, flags: { ...flags, modelsToRun: [] } }
  const suites = some ? await suitesOf(anybody, { workspace }) : []
  const run = suites.flatMap(({ entries }) =>
    entries.map(({ description, where }) => parseDescription(description, where).name),
  )
  const taxonomy = await readTaxonomy(context)
  const benchmarks = await readableBenchmarks(context, invocation)
  const coverage = coverageOf(taxonomy, benchmarks, new Set(run))
  const names = suites.map(({ suite }) => suite)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ suites: names, subcategories: coverage }))
  else for (const line of coverageLines(coverage, names)) print(line)
  const unplaced = unplacedLines(taxonomy, benchmarks)
  if (unplaced.length > 0) warn(['not in the taxonomy:', ...unplaced.map((line) => `  ${line}`)].join('\n'))
  const known = new Set([CONFIGURABLE, ...benchmarks.map(({ name }) => name)])
  for (const name of new Set(run.filter((each) => !known.has(each) && !leftOut.includes(each)))) {
    leftOut.push(name)
    warn(`left out, as it is unknown: ${name}`)
  }
  return EXIT.done
}

const shownName = ({ name, inSuites, needs }: CoveringBenchmark): string => {
  if (needs !== undefined) return `(${name})`
  return inSuites ? `${name}*` : name
}

/**
 * The coverage in words: a line a subcategory, `*` at benchmarks that a suite runs, parentheses around those that can't
 * be run here, then what no suite asks about.
 */
const coverageLines = (
  coverage: readonly TaxonomyCoverage[],
  suites: readonly string[],
): readonly string[] => {
  const width = Math.max(...coverage.map(({ subcategory }) => subcategory.length))
  const rows = coverage.flatMap((row, index) => {
    const names = row.benchmarks.map(shownName)
    const count = String(row.benchmarks.length).padStart(2)
    const line = `  ${row.subcategory.padEnd(width)}  ${count}  ${names.join(' ')}`.trimEnd()
    return row.category === coverage[index - 1]?.category ? [line] : [row.category, line]
  })
  const uncovered = coverage.filter(({ benchmarks }) => !benchmarks.some(({ inSuites }) => inSuites))
  const covered = coverage.length - uncovered.length
  const by = suites.length === 0 ? 'there are no suites' : `suites: ${suites.join(', ')}`
  return [
    ...rows,
    '',
    `${covered} of ${coverage.length} subcategories are covered by suites (${by}; * marks what they run; in parentheses what can't be run here)`,
    ...(uncovered.length === 0 ? [] : ['uncovered:']),
    ...uncovered.map(({ category, subcategory }) => `  ${category}: ${subcategory}`),
    '',
    checkedLine(coverage.flatMap(({ benchmarks }) => benchmarks)),
  ]
}

/** How much of what declarations say of their data somebody looked up. */
const checkedLine = (benchmarks: readonly CoveringBenchmark[]): string => {
  const counts = (['size', 'licence', 'contact'] as const).map((fact) => {
    const facts = benchmarks.flatMap((each) => each.facts.filter((stated) => stated.fact === fact))
    return `${fact} ${facts.filter(({ source }) => source !== undefined).length}`
  })
  return `checked against a source, of ${benchmarks.length} benchmarks: ${counts.join(', ')} (\`medmake benchmark show\` names source and unchecked)`
}
