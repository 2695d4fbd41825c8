import { listText } from '../../../../cache/words/number-text.ts'

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

/** A name within a sentence: one that is read from right to left moves no number or comma that stands beside it. */
export const isolated = (name: string): string => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name)

/** `A, B, C and 2 others` */
export const namesOf = (rows: readonly { readonly label: string }[], most = 3): string =>
  listText(
    rows.map(({ label }) => isolated(label)),
    most,
  )
