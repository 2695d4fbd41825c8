import type { SourceData } from '../../declaration/data/scenario-data.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { cutBefore, notesWithReference } from './sections.ts'

/** Notes in the listing's order, cut before the first plan; summary and findings stay in. */
export const instances = (data: SourceData): Generator<DraftInstance> =>
  notesWithReference(data, (note) => cutBefore(note, 'PLAN:'))
