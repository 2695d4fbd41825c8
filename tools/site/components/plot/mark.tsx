import type { JSX } from 'preact'
import type { Interval } from '../../../../targets/statistics/intervals/wilson.ts'
import type { Axis } from './axis.ts'

/** A value on its interval; an axis of marks goes from 0 to 100. */
export interface MarkValue {
  readonly value: number
  readonly interval: Interval | null
  /** Not told apart from what the axis's bold line stands for, or not ranked. */
  readonly isHollow?: boolean
}

interface MarkProps {
  readonly axis: Axis
  /** The first lies on top. */
  readonly values: readonly MarkValue[]
  /** A value that the others are held against, such as 0. */
  readonly line?: number
}

/** Width of an axis for marks: they are as wide as there is room. */
export const MARK_PIXELS = { from: 0, to: 100 } as const

const at = (axis: Axis, value: number): string => `${Math.min(100, Math.max(0, axis.at(value)))}%`

/** Dots on the lines of their intervals, on an axis that its row shares with all others. The numbers stand beside it. */
export const Mark = ({ axis, values, line }: MarkProps): JSX.Element => (
  <svg class="mark" width="100%" height="20" aria-hidden="true" focusable="false">
    {axis.ticks.map((tick) => (
      <line
        key={tick}
        class={tick === line ? 'zero' : 'grid'}
        x1={at(axis, tick)}
        x2={at(axis, tick)}
        y1="0"
        y2="20"
      />
    ))}
    {values.map(({ value, interval, isHollow = false }, index) => (
      <g key={index}>
        {interval === null ? null : (
          <line class="range" x1={at(axis, interval.low)} x2={at(axis, interval.high)} y1="10" y2="10" />
        )}
        <circle class={isHollow ? 'dot hollow' : 'dot'} cx={at(axis, value)} cy="10" r="4" />
      </g>
    ))}
  </svg>
)

/** The numbers of an axis of marks, in the head of their column. */
export const AxisNumbers = ({
  axis,
  format = (tick) => String(tick).replace('-', '−'),
}: {
  readonly axis: Axis
  readonly format?: (tick: number) => string
}): JSX.Element => (
  <span class={`axis-room ${roomOf(axis.ticks.length)}`}>
    <svg class="mark axis-numbers" width="100%" height="16" aria-hidden="true" focusable="false">
      {axis.ticks.map((tick) => {
        const place = axis.at(tick)
        const anchor = place < 8 ? 'start' : place > 92 ? 'end' : 'middle'
        return (
          <text
            key={tick}
            class={tick === keptTick(axis) || anchor !== 'middle' ? undefined : 'spare'}
            x={at(axis, tick)}
            y="12"
            text-anchor={anchor}
          >
            {format(tick)}
          </text>
        )
      })}
    </svg>
  </span>
)

/** Where there is little room only the ends are numbered, and the tick next to the middle. */
const keptTick = (axis: Axis): number | undefined => {
  const off = (tick: number): number => Math.abs(axis.at(tick) - 50)
  const [next] = axis.ticks.toSorted((a, b) => off(a) - off(b))
  return next !== undefined && off(next) <= 20 ? next : undefined
}

const roomOf = (ticks: number): string => (ticks > 6 ? 'many' : ticks > 3 ? 'some' : '')
