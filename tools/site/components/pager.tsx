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
      <Step label="Previous" href={page > 0 ? hrefOf(page - 1) : undefined} />
      <span>
        Page {formatCount(page + 1)} of {formatCount(pages)}
      </span>
      <Step label="Next" href={page + 1 < pages ? hrefOf(page + 1) : undefined} />
    </nav>
  )

/** One element, whether it leads anywhere or not: who comes to an end by keyboard stays on it. */
const Step = ({
  label,
  href,
}: {
  readonly label: string
  readonly href: string | undefined
}): JSX.Element => <a {...(href === undefined ? { class: 'off', tabIndex: -1 } : { href })}>{label}</a>
