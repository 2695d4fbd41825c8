import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { strip } from '../../python/text.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { universalNewlines } from '../../sources/read-text.ts'

/** Headings whose text may be a reference, the first that has some. */
export const HEADINGS = ['PLAN:', 'SUMMARY:', 'FINDINGS:'] as const

/** Notes that have a reference, in the listing's order, each as `cut` leaves it. */
export function* notesWithReference(
  data: SourceData,
  cut: (note: string) => string,
): Generator<DraftInstance> {
  for (const { text } of dataFile(data.folders, 'notes')) {
    const note = strip(universalNewlines(text))
    const reference = referenceOf(note)
    if (reference === undefined) continue
    yield {
      input: { text: cut(note) },
      references: [{ text: reference, tags: ['correct'] }],
      split: 'test',
    }
  }
}

/** What stands before a heading's first place; all of a note without it. */
export const cutBefore = (note: string, heading: string): string =>
  note.includes(heading) ? strip(note.split(heading)[0] ?? '') : note

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
