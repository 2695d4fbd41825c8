import { strip } from '../../python/text.ts'

/** Headings whose text may be a reference, the first that has some. */
export const HEADINGS = ['PLAN:', 'SUMMARY:', 'FINDINGS:'] as const

/**
 * The reference of a note: what stands behind the first heading that has text on its line.
 * Undefined for a note that HELM leaves out: none of the headings has text, or one occurs only in other letter case,
 * where HELM's own search fails and gives up the note.
 */
export const referenceOf = (note: string): string | undefined => {
  const upper = note.toUpperCase()
  const found = HEADINGS.filter((heading) => upper.includes(heading))
  if (found.some((heading) => !note.includes(heading))) return undefined
  return found.map((heading) => textBehind(note, heading)).find((text) => text !== '')
}

/** From a heading's first place to its second, or to the line's end. */
const textBehind = (note: string, heading: string): string =>
  strip(note.split(heading)[1]?.split('\n')[0] ?? '')
