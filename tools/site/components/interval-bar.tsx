import type { JSX } from 'preact'

/** Ends and value on a scale from 0 to 1. */
interface IntervalBarProps {
  readonly low: number
  readonly value: number
  readonly high: number
}

/** The interval as a line with a tick at the value; the numbers stand beside it, so screen readers pass it over. */
export const IntervalBar = ({ low, value, high }: IntervalBarProps): JSX.Element => (
  <svg class="interval" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <path d={`M${at(low)} 4H${at(high)}`} />
    <path class="interval-value" d={`M${at(value)} 0V8`} />
  </svg>
)

const at = (position: number): number => Math.round(position * 1000) / 10
