import type { Paper } from '../../targets/analysis/paper.ts'
import type { AgreementRow } from '../../targets/analysis/paper-agreement.ts'
import { countText, fixed, valueOrDash } from '../../cache/words/number-text.ts'
import { alignedTable } from '../../cache/words/tables.ts'

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

const dollars = (value: number | null): string => (value === null ? 'unknown' : `$${fixed(value, 2)}`)
