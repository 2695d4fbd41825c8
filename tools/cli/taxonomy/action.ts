import { EXIT } from '../../../cache/problems/problem.ts'
import { listBenchmarks } from '../../../benchmarks/lookup/list.ts'
import { coverageOf, unplacedLines } from '../../../benchmarks/lookup/taxonomy-coverage.ts'
import { readTaxonomy } from '../../../benchmarks/taxonomy.ts'
import { parseDescription } from '../../../targets/entries/description.ts'
import { listSuites } from '../../session/suites.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag, listFlag } from '../flags.ts'
import type { Action } from '../verb.ts'
import { coverageLines } from './coverage.ts'
import { suitesOf } from '../common/suites.ts'

/** `medmake taxonomy`: which medical work the benchmarks ask about, and which the suites leave out. */
export const taxonomyAction: Action = async (invocation) => {
  const { args, flags, cwd, print, warn } = invocation
  const workspace = await findWorkspace(cwd)
  const context = { workspace: workspace.root }
  const asked = args.length > 0 || listFlag(flags, 'confPaths') !== undefined
  const some = asked || (await listSuites(workspace.root)).size > 0
  const suites = some ? await suitesOf(invocation, { workspace }) : []
  const run = suites.flatMap(({ entries }) =>
    entries.map(({ description, where }) => parseDescription(description, where).name),
  )
  const [taxonomy, benchmarks] = await Promise.all([readTaxonomy(context), listBenchmarks(context)])
  const coverage = coverageOf(taxonomy, benchmarks, new Set(run))
  const names = suites.map(({ suite }) => suite)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ suites: names, subcategories: coverage }))
  else for (const line of coverageLines(coverage, names)) print(line)
  const unplaced = unplacedLines(taxonomy, benchmarks)
  if (unplaced.length > 0) warn(['not in the taxonomy:', ...unplaced.map((line) => `  ${line}`)].join('\n'))
  return EXIT.done
}
