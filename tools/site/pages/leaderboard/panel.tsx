import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Facts } from '../../components/facts.tsx'
import type { BoardView } from './board/board-view.ts'
import { detailsOf, type Details } from './details.ts'

interface PanelProps {
  readonly view: BoardView
  /** The cell, as the address names it. */
  readonly at: string
  readonly root: string
  /** Address of a cell’s run from the page; undefined where it has none. */
  readonly linkOf: (model: number, column: number) => string | undefined
  /** Whether a reader asked for it just now, so that the focus goes there. */
  readonly takesFocus: boolean
  readonly onPin: (key: string) => void
  readonly onClose: () => void
}

/** Everything that a cell knows. */
export const Panel = ({
  view,
  at,
  root,
  linkOf,
  takesFocus,
  onPin,
  onClose,
}: PanelProps): JSX.Element | null => {
  const heading = useRef<HTMLHeadingElement>(null)
  const details = detailsOf(view, at, { root, linkOf })
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [at, takesFocus])
  if (details === undefined) return null
  const { title, facts, table, links } = details
  const row = view.all.find(({ key }) => at.startsWith(`${key} `))
  return (
    <aside class="panel" aria-label="Details">
      <div class="panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {row === undefined ? null : (
          <button type="button" class="button" onClick={() => onPin(row.key)}>
            {row.isPinned ? 'Unpin' : 'Pin'}
          </button>
        )}
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
      <Facts items={facts} />
      <Lines table={table} />
      <p class="panel-links">
        {links.map(({ label, href }) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
      </p>
    </aside>
  )
}

const Lines = ({ table }: Pick<Details, 'table'>): JSX.Element | null =>
  table.length === 0 ? null : (
    <table class="panel-table">
      <tbody>
        {table.map(({ label, href, value, detail }) => (
          <tr key={label}>
            <th scope="row">
              <a href={href}>{label}</a>
            </th>
            <td class="number">{value}</td>
            <td>{detail}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
