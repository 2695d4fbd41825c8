import type { FamilyReport } from '../../targets/jury/study/family.ts'
import type { Kinship } from '../../targets/statistics/judges/self-preference.ts'
import { formatDifference, formatP, formatValue, valueOrDash } from '../compare/number-text.ts'
import { alignedTable } from '../compare/tables.ts'

/** Leniency, self-preference and what the models reach without either. */
export const familyText = ({ benchmark, kinship, families, judges, models }: FamilyReport): string =>
  [
    benchmark,
    `  a judge gives its own family ${kinshipText(kinship)}`,
    ...(families.length < 2
      ? []
      : families.map(({ family, kinship: own }) => `    ${family}: ${kinshipText(own)}`)),
    indented(
      alignedTable(
        ['judge', 'family', 'leniency'],
        judges.map(({ judge, family, leniency }) => [
          judge,
          family,
          leniency === null ? '–' : formatDifference(leniency),
        ]),
      ),
    ),
    indented(
      alignedTable(
        ['model', 'family', 'judgements', 'all judges', 'adjusted', 'other families', 'judges of its family'],
        models.map(({ model, family, judgements, all, adjusted, withoutOwnFamily, own }) => [
          model,
          family,
          String(judgements),
          formatValue(all),
          valueOrDash(adjusted),
          withoutOwnFamily === null ? 'none' : formatValue(withoutOwnFamily),
          own.join(', '),
        ]),
      ),
    ),
    '  adjusted: without leniency and kinship. Other families: its own judges left out, who may merely be the lenient ones.',
  ].join('\n')

const kinshipText = (kinship: Kinship | null): string => {
  if (kinship === null) return 'an unknown amount more: kinship cannot be told from leniency here'
  const { delta, p, interval } = kinship
  if (p === null || interval === null)
    return `${formatDifference(delta)} points (no interval: the scores have no spread)`
  return `${formatDifference(delta)} points (${formatDifference(interval.low)} to ${formatDifference(interval.high)}, p ${formatP(p)})`
}

const indented = (table: string): string => table.replaceAll(/^/gm, '  ')
