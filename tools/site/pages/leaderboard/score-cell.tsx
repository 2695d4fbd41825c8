import type { JSX } from 'preact'
import { IntervalBar } from '../../components/interval-bar.tsx'
import type { CellView } from './view.ts'

/**
 * One number with all that belongs to it: interval, sample size, coverage, what failed.
 * @param bar false leaves the bar's place empty: the script draws the bars, they repeat what the numbers say
 */
export const ScoreCell = ({ cell, bar }: { readonly cell: CellView; readonly bar: boolean }): JSX.Element => {
  const { text, range, base, warning, heat, best, groups, calibrated, href } = cell
  const details = [range, base, groups === undefined ? undefined : `group ${groups}`, calibrated]
    .filter((line) => line !== undefined)
    .join('\n')
  return (
    <td class={heat === undefined ? 'score' : `score heat-${heat}`}>
      {best === undefined ? null : <b class="best">{best} </b>}
      {href === undefined ? (
        <span class="value">{text}</span>
      ) : (
        <a class="value" href={href}>
          {text}
        </a>
      )}
      {bar && cell.bar !== undefined ? <IntervalBar {...cell.bar} /> : null}
      {details === '' ? null : <span class="detail">{details}</span>}
      {warning === undefined ? null : <span class="warning">{warning}</span>}
    </td>
  )
}
