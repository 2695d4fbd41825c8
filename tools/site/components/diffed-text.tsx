import type { JSX } from 'preact'
import type { DiffPart } from './word-diff.ts'

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
