import type { FamilyReport } from '../../targets/jury/study/family.ts'
import type { Kinship } from '../../targets/statistics/judges/self-preference.ts'
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
          leniency === null ? '–' : signed(leniency),
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
          all.toFixed(3),
          adjusted?.toFixed(3) ?? '–',
          withoutOwnFamily?.toFixed(3) ?? 'none',
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
    return `${signed(delta)} points (no interval: the scores have no spread)`
  return `${signed(delta)} points (${signed(interval.low)} to ${signed(interval.high)}, p ${p < 0.001 ? '< 0.001' : p.toFixed(3)})`
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`

const indented = (table: string): string => table.replaceAll(/^/gm, '  ')
