import type { SourceData } from '../../declaration/data/scenario-data.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { cutBefore, HEADINGS, notesWithReference } from '../mtsamples_replicate/sections.ts'

/** Notes in the listing's order, cut before plan, summary and findings. */
export const instances = (data: SourceData): Generator<DraftInstance> =>
  notesWithReference(data, (note) => HEADINGS.reduce(cutBefore, note))
