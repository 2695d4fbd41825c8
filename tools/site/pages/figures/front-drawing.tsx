import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { formatRange, formatValue } from '../../../../cache/words/number-text.ts'
import { ScaleLines } from '../../components/plot/scale-lines.tsx'
import type { DrawnPoint, FrontLayout } from './front-layout.ts'
import type { FrontAxis } from './front-points.ts'

/** What is told of a point, on focus and to screen readers. */
export const pointText = (
  { row, value, winRate }: Pick<DrawnPoint, 'row' | 'value' | 'winRate'>,
  axis: FrontAxis,
): string => {
  const range = row.whisker === undefined ? '' : ` (${formatRange(row.whisker)})`
  const unranked = row.place === null ? ', not measured in full' : `, place ${row.place.rank}`
  const taken = value === null ? `${axis.name.toLowerCase()} not known` : axis.text(value)
  return `${row.label}: win rate ${formatValue(winRate)}${range}, ${taken}${unranked}`
}

interface FrontDrawingProps {
  readonly layout: FrontLayout
  readonly axis: FrontAxis
  readonly title: string
  readonly root: string
  /** What is told now. */
  readonly told?: string
  readonly onTell?: ((text: string) => void) | undefined
}

/** Quality against what it takes; each point leads to its model. Lines lie under all points, the front on top. */
export const FrontDrawing = ({ layout, axis, title, root, told, onTell }: FrontDrawingProps): JSX.Element => {
  const { width, height, frame, x, y, shelf, isLog, points } = layout
  const front = points.filter(({ isFront }) => isFront)
  return (
    <svg class="drawing" role="group" aria-label={`Win rate against ${title}`} width={width} height={height}>
      <ScaleLines axis={x} top={frame.top} bottom={frame.bottom} format={axis.tick} />
      {y.ticks.map((tick) => (
        <g key={`y${tick}`}>
          <line class="grid" x1={frame.left} x2={frame.right} y1={y.at(tick)} y2={y.at(tick)} />
          <text class="end soft" x={frame.left - 8} y={y.at(tick) + 4}>
            {tick}
          </text>
        </g>
      ))}
      {shelf === undefined ? null : (
        <g>
          <line class="shelf" x1={shelf} x2={shelf} y1={frame.top} y2={frame.bottom} />
          <text class="end soft" x={frame.right} y={frame.bottom + 30}>
            not known
          </text>
        </g>
      )}
      <text class="middle" x={(frame.left + (shelf ?? frame.right)) / 2} y={height - 6}>
        {isLog ? `${title} (log scale)` : title}
      </text>
      <text class="middle" transform={`translate(12 ${(frame.top + frame.bottom) / 2}) rotate(-90)`}>
        Win rate
      </text>
      {points.map(({ row, x: at, whisker }) =>
        whisker === undefined ? null : (
          <line
            key={row.key}
            class={row.place === null ? 'range thin dotted' : 'range thin'}
            x1={at}
            x2={at}
            y1={whisker.bottom}
            y2={whisker.top}
          />
        ),
      )}
      {front.length < 2 ? null : (
        <polyline class="front" points={front.map(({ x: at, y: up }) => `${at},${up}`).join(' ')} />
      )}
      {points.toReversed().map((point) => (
        <Point key={point.row.key} point={point} axis={axis} root={root} told={told} onTell={onTell} />
      ))}
    </svg>
  )
}

interface PointProps extends Pick<FrontDrawingProps, 'axis' | 'root' | 'onTell'> {
  readonly point: DrawnPoint
  readonly told: string | undefined
}

const Point = ({ point, axis, root, told, onTell }: PointProps): JSX.Element => {
  const { row, x, y, label, isFront } = point
  const text = pointText(point, axis)
  // A finger has no way to ask without going there: its first touch tells, the next one leads on.
  const isFirstTouch = useRef(false)
  return (
    <a
      href={root + row.href}
      // Who steers by voice says what is shown, a cut name, too.
      aria-label={point.text === row.label ? text : `${point.text} ${text}`}
      class="point"
      onPointerEnter={({ pointerType }: PointerEvent) => {
        isFirstTouch.current = pointerType === 'touch' && told !== text
        onTell?.(text)
      }}
      onFocus={() => onTell?.(text)}
      onClick={(event: MouseEvent) => {
        if (isFirstTouch.current) event.preventDefault()
        isFirstTouch.current = false
      }}
    >
      <title>{text}</title>
      <circle class="hit" cx={x} cy={y} r={12} />
      <circle class={isFront ? 'dot' : 'dot hollow'} cx={x} cy={y} r={5} />
      {label?.leader === undefined ? null : <line class="leader" {...label.leader} />}
      {label === undefined ? null : (
        <text x={label.x} y={label.y} text-anchor={label.anchor} class="halo">
          {point.text}
        </text>
      )}
    </a>
  )
}
