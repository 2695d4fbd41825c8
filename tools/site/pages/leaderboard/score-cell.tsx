import type { JSX } from 'preact'
import type { CellView } from './view.ts'
import { IntervalBar } from '../../components/interval-bar.tsx'

/** One number with all that belongs to it: interval, sample size, what failed. */
export const ScoreCell = ({ cell }: { readonly cell: CellView }): JSX.Element => {
  const { text, range, bar, base, warning, heat, best, href } = cell
  const classes = ['score', ...(heat === undefined ? [] : [`heat-${heat}`])]
  return (
    <td class={classes.join(' ')}>
      <span class="score-line">
        {best === undefined ? null : <span class="best">{best} </span>}
        {href === undefined ? <span class="value">{text}</span> : <ValueLink href={href} text={text} />}
      </span>
      {bar === undefined ? null : <IntervalBar {...bar} />}
      {range === undefined ? null : <span class="detail">{range}</span>}
      {base === undefined ? null : <span class="detail">{base}</span>}
      {warning === undefined ? null : <span class="warning">{warning}</span>}
    </td>
  )
}

const ValueLink = ({ href, text }: { readonly href: string; readonly text: string }): JSX.Element => (
  <a class="value" href={href}>
    {text}
  </a>
)
