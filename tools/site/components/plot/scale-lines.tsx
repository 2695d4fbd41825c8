import type { JSX } from 'preact'
import type { Axis } from './axis.ts'

interface ScaleLinesProps {
  readonly axis: Axis
  readonly top: number
  readonly bottom: number
  readonly format: (value: number) => string
}

/** A horizontal axis: faint lines at its ticks, numbers below them. */
export const ScaleLines = ({ axis, top, bottom, format }: ScaleLinesProps): JSX.Element => (
  <g>
    {axis.ticks.map((tick) => (
      <g key={tick}>
        <line class="grid" x1={axis.at(tick)} x2={axis.at(tick)} y1={top} y2={bottom} />
        <text class="middle soft" x={axis.at(tick)} y={bottom + 16}>
          {format(tick)}
        </text>
      </g>
    ))}
  </g>
)
