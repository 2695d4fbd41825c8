import { diffWordsWithSpace } from 'diff'
import { visibleText } from '../visible-text.ts'

/** A stretch of a text, and whether the other text has it in the same order. */
export interface DiffPart {
  readonly text: string
  readonly isShared: boolean
}

/** Two texts word by word. */
export interface WordDiff {
  readonly a: readonly DiffPart[]
  readonly b: readonly DiffPart[]
  /** Share of A's characters that B has in this order. */
  readonly shared: number
}

/** Words that come or go, at most: further apart, marks would say nothing and take long. */
const MOST_EDITS = 1500

/** Undefined where the texts are too far apart to tell which words are the same. */
export const wordDiff = (a: string, b: string): WordDiff | undefined => {
  const changes = diffWordsWithSpace(visibleText(a), visibleText(b), { maxEditLength: MOST_EDITS })
  if (changes === undefined) return undefined
  const side = (other: 'added' | 'removed'): readonly DiffPart[] =>
    changes.flatMap((change) =>
      change[other] ? [] : [{ text: change.value, isShared: !change.added && !change.removed }],
    )
  const [ofA, ofB] = [side('added'), side('removed')]
  const length = (parts: readonly DiffPart[]): number =>
    parts.reduce((sum, { text }) => sum + text.trim().length, 0)
  const all = length(ofA)
  return { a: ofA, b: ofB, shared: all === 0 ? 0 : length(ofA.filter(({ isShared }) => isShared)) / all }
}
