import { diffWordsWithSpace } from 'diff'
import { visibleText } from '../../visible-text.ts'

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
export const MOST_EDITS = 1500

/** Under this share of common words marks would cover everything. */
const LEAST_SHARED = 0.15

/** Why nothing is marked. */
type Unmarked = 'too many edits' | 'too little shared'

/** Marks for what one of two texts has and the other lacks, where they say something. */
export const wordDiff = (a: string, b: string): WordDiff | Unmarked => {
  const changes = diffWordsWithSpace(visibleText(a), visibleText(b), { maxEditLength: MOST_EDITS })
  if (changes === undefined) return 'too many edits'
  const side = (other: 'added' | 'removed'): readonly DiffPart[] =>
    changes.flatMap((change) =>
      change[other] ? [] : [{ text: change.value, isShared: !change.added && !change.removed }],
    )
  const [ofA, ofB] = [side('added'), side('removed')]
  const length = (parts: readonly DiffPart[]): number =>
    parts.reduce((sum, { text }) => sum + text.trim().length, 0)
  const all = length(ofA)
  const shared = all === 0 ? 0 : length(ofA.filter(({ isShared }) => isShared)) / all
  return shared < LEAST_SHARED ? 'too little shared' : { a: ofA, b: ofB, shared }
}

/** The diff with that of some texts which has most of A; of none where marks would say nothing of any. */
export const closestDiff = (
  a: string,
  others: readonly string[],
): { readonly diff: WordDiff; readonly at: number } | undefined =>
  others
    .flatMap((other, at) => {
      const diff = wordDiff(a, other)
      return typeof diff === 'string' ? [] : [{ diff, at }]
    })
    .toSorted((one, two) => two.diff.shared - one.diff.shared)[0]
