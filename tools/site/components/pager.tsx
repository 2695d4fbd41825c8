import type { JSX } from 'preact'
import { formatCount } from '../../../cache/words/number-text.ts'

interface PagerProps {
  /** From 0. */
  readonly page: number
  readonly pages: number
  readonly label: string
  /** Address of a page, from 0. */
  readonly hrefOf: (page: number) => string
}

/** Links to the page before and after; nothing where there is one page. */
export const Pager = ({ page, pages, label, hrefOf }: PagerProps): JSX.Element | null =>
  pages < 2 ? null : (
    <nav class="pager" aria-label={label}>
      {page > 0 ? <a href={hrefOf(page - 1)}>Previous</a> : <span class="off">Previous</span>}
      <span>
        Page {formatCount(page + 1)} of {formatCount(pages)}
      </span>
      {page + 1 < pages ? <a href={hrefOf(page + 1)}>Next</a> : <span class="off">Next</span>}
    </nav>
  )
