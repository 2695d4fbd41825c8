import type { JSX } from 'preact'
import type { Interval } from '../../../../targets/statistics/intervals/interval.ts'
import type { Axis } from '../../components/plot/axis.ts'

interface DotRowProps {
  readonly axis: Axis
  readonly y: number
  readonly value: number
  readonly interval: Interval | null
}

/** A value as a dot on the line of its interval. */
export const DotRow = ({ axis, y, value, interval }: DotRowProps): JSX.Element => (
  <g>
    {interval === null ? null : (
      <line class="range" x1={axis.at(interval.low)} x2={axis.at(interval.high)} y1={y} y2={y} />
    )}
    <circle class="dot" cx={axis.at(value)} cy={y} r={4} />
  </g>
)
