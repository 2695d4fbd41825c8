import type { JSX } from 'preact'
import type { CellView } from '../pages/leaderboard/view.ts'

/** The interval as a line with a tick at the value; the numbers stand beside it, so screen readers pass it over. */
export const IntervalBar = ({ low, value, high }: NonNullable<CellView['bar']>): JSX.Element => (
  <svg class="interval" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <line class="interval-scale" x1="0" x2="100" y1="4" y2="4" />
    <line class="interval-range" x1={low * 100} x2={high * 100} y1="4" y2="4" />
    <rect class="interval-value" x={value * 98} width="2" y="0" height="8" />
  </svg>
)
