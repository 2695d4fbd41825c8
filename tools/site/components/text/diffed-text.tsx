import type { JSX } from 'preact'
import { formatShare } from '../../../../cache/words/number-text.ts'
import type { DiffPart, WordDiff } from './word-diff.ts'

/** A text with what the other text lacks marked: `gone` for the first of two, `come` for the second. */
export const DiffedText = ({
  parts,
  mark,
}: {
  readonly parts: readonly DiffPart[]
  readonly mark: 'gone' | 'come'
}): JSX.Element => (
  <div class="verbatim" dir="auto">
    {parts.map(({ text, isShared }, at) => {
      if (isShared) return text
      return mark === 'gone' ? <del key={at}>{text}</del> : <ins key={at}>{text}</ins>
    })}
  </div>
)

/** Says what the marks mean. */
export const sharedText = (diff: WordDiff, [a, b]: readonly [a: string, b: string]): string =>
  [...diff.a, ...diff.b].every(({ isShared }) => isShared)
    ? `Nothing differs between ${a} and ${b}.`
    : `Struck: only in ${a}; underlined: only in ${b}. ${formatShare(diff.shared)} of ${a} stands in ${b}, in this order.`
