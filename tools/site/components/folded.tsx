import type { ComponentChildren, JSX } from 'preact'

interface FoldedProps {
  /** Rows of what is within. */
  readonly rows: number
  readonly summary: string
  readonly children: ComponentChildren
}

/** Rows up to which a part of a page is open at first. */
const OPEN_UP_TO = 16

/** A long table that waits behind one line that says what it holds. */
export const Folded = ({ rows, summary, children }: FoldedProps): JSX.Element => (
  <details open={rows <= OPEN_UP_TO}>
    <summary>{summary}</summary>
    {children}
  </details>
)
