import type { JSX } from 'preact'
import type { OpenedPart } from '../../../targets/ratings/reasons.ts'
import { Verbatim } from '../../site/components/text/shown-text.tsx'
import type { DeskItem } from '../desk.ts'

interface TextsProps {
  readonly item: DeskItem
  readonly open: ReadonlySet<OpenedPart>
  readonly onOpen: (part: OpenedPart, isOpen: boolean) => void
}

/** What is rated and what it is held against. No text is ever taken for markup. */
export const Texts = ({ item, open, onOpen }: TextsProps): JSX.Element => (
  <div class="texts">
    <section aria-labelledby="question">
      <h2 id="question">Question</h2>
      <Verbatim text={item.question} />
    </section>
    {item.context === null ? null : (
      <Closed
        part="context"
        title="Context: what the answer was written from"
        k="C"
        open={open}
        onOpen={onOpen}
      >
        {item.context}
      </Closed>
    )}
    <section aria-labelledby="answer">
      <h2 id="answer">Answer to rate</h2>
      <div class="answer">
        <Verbatim text={item.answer} />
      </div>
    </section>
    {item.reference === null ? null : (
      <Closed part="reference" title="Reference answer" k="R" open={open} onOpen={onOpen}>
        {item.reference}
      </Closed>
    )}
  </div>
)

interface ClosedProps extends Pick<TextsProps, 'open' | 'onOpen'> {
  readonly part: OpenedPart
  readonly title: string
  /** Its key. */
  readonly k: string
  readonly children: string
}

const Closed = ({ part, title, k, open, onOpen, children }: ClosedProps): JSX.Element => (
  <section>
    <details open={open.has(part)} onToggle={({ currentTarget }) => onOpen(part, currentTarget.open)}>
      <summary>
        {title} <kbd>{k}</kbd>
      </summary>
      {open.has(part) ? <Verbatim text={children} /> : null}
    </details>
  </section>
)
