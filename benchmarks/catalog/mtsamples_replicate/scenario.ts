import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { strip } from '../../python/text.ts'
import type { DraftInstance } from '../../scenario/draft.ts'
import { universalNewlines } from '../../sources/read-text.ts'
import { referenceOf } from './sections.ts'

/** Notes in the listing's order, cut before the first plan; summary and findings stay in. */
export function* instances(data: SourceData): Generator<DraftInstance> {
  for (const { text } of dataFile(data.folders, 'notes')) {
    const note = strip(universalNewlines(text))
    const reference = referenceOf(note)
    if (reference === undefined) continue
    yield {
      input: { text: note.includes('PLAN:') ? strip(note.split('PLAN:')[0] ?? '') : note },
      references: [{ text: reference, tags: ['correct'] }],
      split: 'test',
    }
  }
}
