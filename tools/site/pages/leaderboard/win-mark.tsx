import type { JSX } from 'preact'
import type { RowView } from './board/board-view.ts'

const x = (share: number): string => `${(share * 100).toFixed(1)}%`

/**
 * A win rate as dot and whisker on the axis that all rows share, as wide as the style sheet has it. Hollow and dotted: not of
 * all benchmarks, or what to expect of others. The numbers stand beside it.
 */
export const WinMark = ({ row }: { readonly row: RowView }): JSX.Element | null => {
  const { winRate, whisker, place } = row
  if (winRate === null) return null
  const isSure = place !== null && whisker?.of !== 'like these'
  return (
    <svg class="win-mark" height="27" aria-hidden="true" focusable="false">
      {whisker === undefined ? null : (
        <line
          class={isSure ? 'whisker' : 'whisker dotted'}
          x1={x(whisker.low)}
          x2={x(whisker.high)}
          y1="13.5"
          y2="13.5"
        />
      )}
      <circle class={place === null ? 'dot hollow' : 'dot'} cx={x(winRate)} cy="13.5" r="4" />
    </svg>
  )
}

/** The axis’s numbers, above the marks. */
export const WinAxis = (): JSX.Element => (
  <svg class="win-axis" height="14" aria-hidden="true" focusable="false">
    {[0, 0.5, 1].map((share) => (
      <text
        key={share}
        x={x(share)}
        y="11"
        text-anchor={share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}
      >
        {share}
      </text>
    ))}
  </svg>
)
