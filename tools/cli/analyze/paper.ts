import { readableBenchmarks } from '../common/readable-benchmarks.ts'
import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { paperTables, type Paper } from '../../../targets/analysis/paper.ts'
import { readAllRatings } from '../../../targets/jury/study/ratings.ts'
import { textMeasures } from '../../../targets/metrics/catalog.ts'
import { leaderboardOf } from '../../analysis/leaderboard-file.ts'
import { paperCosts } from '../../analysis/costs-file.ts'
import { readPaperFiles } from '../../analysis/paper-files.ts'
import { catalogRegistry } from '../../../models/registry/load.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag, refuseBeside } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import type { AgreementRow } from '../../../targets/analysis/paper-agreement.ts'
import { countText, fixed, valueOrDash } from '../../../cache/words/number-text.ts'
import { alignedTable } from '../../../cache/words/tables.ts'

/**
 * `medmake analyze LEADERBOARD.csv [COSTS.csv RATINGS.csv…] --paper`: the tables of the MedHELM paper. Of costs and
 * ratings that are not named those beside the leaderboard are taken, and named.
 */
export const analyzePaper = async (invocation: Invocation): Promise<ExitCode> => {
  const { args, flags, cwd, print, warn } = invocation
  refuseBeside(flags, 'paper', ['table', 'csv', 'latex', 'modelsToRun', 'groupsToRun'])
  const { leaderboard, costs, ratings, found } = await readPaperFiles(args, { cwd, warn })
  for (const file of found) warn(`takes ${file}, which lies beside the leaderboard`)
  const workspace = await findWorkspace(cwd)
  const registry = await catalogRegistry()
  const benchmarks = await readableBenchmarks({ workspace: workspace.root }, invocation)
  const { table } = leaderboardOf(leaderboard, benchmarks)
  const paper = paperTables(table, {
    ratings: readAllRatings(ratings, { automatic: textMeasures() }),
    costs: costs.flatMap((each) => paperCosts(each, registry)),
  })
  print(boolFlag(flags, 'json') ? JSON.stringify({ paper }) : paperText(paper))
  return EXIT.done
}

/** The paper's tables with the paper's digits, and what cannot be given. */
export const paperText = (paper: Paper): string => {
  const { standings, benchmarks, leftOut, categories, agreement, costs, reasons } = paper
  return [
    `Table 1, ${benchmarks} benchmarks${leftOut.length === 0 ? '' : ` (without ${leftOut.join(', ')})`}\n\n${alignedTable(
      ['Model', 'Win rate', 'Win SD', 'Macro-average', 'SD'],
      standings.map(({ model, winRate, winRateSd, macroAverage, macroSd }) => [
        model,
        ...[winRate, winRateSd, macroAverage, macroSd].map(two),
      ]),
    )}`,
    `Category means, lowest and highest model\n\n${alignedTable(
      ['Category', 'Benchmarks', 'From', 'To'],
      categories.map(({ category, benchmarks: count, low, high }) => [
        category,
        String(count),
        two(low),
        two(high),
      ]),
    )}`,
    ...(agreement.length === 0 ? [] : [agreementTable(agreement)]),
    ...(costs.length === 0
      ? []
      : [
          `Table 3, tokens and list prices\n\n${alignedTable(
            ['Model', 'Benchmark tokens', 'Jury tokens', 'Benchmark cost', 'Jury cost', 'Total'],
            costs.map(({ model, benchmarkTokens, juryTokens, benchmarkUsd, juryUsd, totalUsd }) => [
              model,
              countText(benchmarkTokens),
              countText(juryTokens),
              ...[benchmarkUsd, juryUsd, totalUsd].map(dollars),
            ]),
          )}`,
        ]),
    [
      'Not as printed, or not to be had:',
      ...reasons.map((each) => `  Table ${each.table}, ${each.about}: ${each.reason}.`),
    ].join('\n'),
    'Figures 3, 4 and 5 are pages of the site: medmake report --leaderboard FILE.',
  ].join('\n\n')
}

const agreementTable = (rows: readonly AgreementRow[]): string => {
  const metrics = [...new Set(rows.flatMap((row) => row.metrics.map(({ name }) => name)))]
  return `Table 2, ICC(3,k) with clinicians (the jury's by the paper's script)\n\n${alignedTable(
    ['Ratings', 'Answers', 'Jury', '95 %', "Jury, by the paper's text", ...metrics, 'Clinicians'],
    rows.map(({ benchmarks, answers, jury, juryInterval, juryByText, metrics: own, clinicians }) => [
      benchmarks.join(' + '),
      String(answers),
      valueOrDash(jury),
      juryInterval === null ? '–' : `${two(juryInterval.low)} to ${two(juryInterval.high)}`,
      valueOrDash(juryByText),
      ...metrics.map((metric) => valueOrDash(own.find(({ name }) => name === metric)?.icc ?? null)),
      valueOrDash(clinicians),
    ]),
  )}`
}

const two = (value: number | null): string => (value === null ? '–' : fixed(value, 2))

const dollars = (value: number | null): string => (value === null ? 'unknown' : `$${value.toFixed(2)}`)
