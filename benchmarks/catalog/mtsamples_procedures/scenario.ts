import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { strip } from '../../python/text.ts'
import type { DraftInstance } from '../../scenario/draft.ts'
import { universalNewlines } from '../../sources/read-text.ts'
import { HEADINGS, referenceOf } from '../mtsamples_replicate/sections.ts'

/** Notes in the listing's order, cut before plan, summary and findings. */
export function* instances(data: SourceData): Generator<DraftInstance> {
  for (const { text } of dataFile(data.folders, 'notes')) {
    const note = strip(universalNewlines(text))
    const reference = referenceOf(note)
    if (reference === undefined) continue
    yield {
      input: { text: HEADINGS.reduce(cutBefore, note) },
      references: [{ text: reference, tags: ['correct'] }],
      split: 'test',
    }
  }
}

const cutBefore = (note: string, heading: string): string =>
  note.includes(heading) ? strip(note.split(heading)[0] ?? '') : note
