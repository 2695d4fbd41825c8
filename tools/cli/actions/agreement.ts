import { resolve } from 'node:path'
import { csvTable } from '../../../benchmarks/sources/csv-table.ts'
import { decodeText, readBytes } from '../../../benchmarks/sources/read-text.ts'
import { EXIT } from '../../../cache/problem.ts'
import {
  measureAgreement,
  type Agreement,
  type Estimate,
  type PairAgreement,
} from '../../../targets/jury/agreement.ts'
import { readRatings } from '../../../targets/jury/ratings.ts'
import { boolFlag } from '../flags.ts'
import type { Action } from '../verb.ts'

/** `medmake agreement`: ratings of clinicians against the jury's, per benchmark and pooled. */
export const agreementAction: Action = async ({ args, flags, cwd, print }) => {
  const ratings = []
  for (const name of args) {
    const file = resolve(cwd, name)
    const text = decodeText(await readBytes(file, 'ratings file'), file)
    ratings.push(...readRatings(csvTable(text, 'strict', file)))
  }
  const found = measureAgreement(ratings)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ agreement: found }))
  else print(found.map(agreementText).join('\n\n'))
  return EXIT.done
}

const agreementText = (agreement: Agreement): string => {
  const { name, raters, ratings, jury, clinicians, alpha } = agreement
  return [
    `${name}: ${ratings} ratings by ${raters} clinicians`,
    pairText('clinicians and jury', jury),
    pairText('two clinicians', clinicians),
    `  all clinicians       Krippendorff's alpha ${alpha === undefined ? 'undetermined' : alpha.toFixed(3)}`,
  ].join('\n')
}

const pairText = (who: string, { items, icc, spearman, kappa }: PairAgreement): string => {
  const parts = [
    `ICC(3,k) ${estimateText(icc)}`,
    `Spearman ${estimateText(spearman)}`,
    `weighted kappa ${estimateText(kappa)}`,
  ]
  return `  ${who.padEnd(20)} ${parts.join('  ')}  over ${items} answers`
}

/** Value and 95 % interval. */
const estimateText = (estimate: Estimate | undefined): string => {
  if (estimate === undefined) return 'undetermined'
  const { value, interval } = estimate
  const limits = interval === undefined ? '' : ` (${interval.low.toFixed(3)}, ${interval.high.toFixed(3)})`
  return `${value.toFixed(3)}${limits}`
}
