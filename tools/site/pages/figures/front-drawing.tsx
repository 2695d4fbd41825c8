import { extent } from 'd3-array'
import { line } from 'd3-shape'
import type { JSX } from 'preact'
import { linearAxis, logAxis, type Axis } from '../../components/plot/axis.ts'
import { formatRange, formatValue } from '../../../compare/number-text.ts'
import type { BoardView } from '../leaderboard/board/board-view.ts'
import { frontPoints, type FrontAxis, type FrontPoint } from './front-points.ts'
import { shortened } from './shortened.ts'
import { along, placeLabels, type LabelBox, type PlacedLabel } from './place-labels.ts'

/** Values further apart than this factor are drawn on a scale of equal factors. */
const FAR_APART = 12
const LONGEST = 30

export interface FrontLayout {
  readonly width: number
  readonly height: number
  readonly frame: LabelBox
  readonly x: Axis
  readonly y: Axis
  /** The front first. */
  readonly points: readonly FrontPoint[]
  readonly front: readonly FrontPoint[]
  readonly labels: readonly (PlacedLabel | undefined)[]
  readonly texts: readonly string[]
}

/** Where everything lies at a width, in pixels; text keeps its size. Undefined where there is nothing to draw. */
export const layoutFront = (view: BoardView, axis: FrontAxis, width: number): FrontLayout | undefined => {
  const { points: all, front } = frontPoints(view, axis)
  if (all.length === 0) return undefined
  const height = Math.round(Math.min(560, Math.max(320, width * 0.42)))
  const frame = { left: 48, right: width - 16, top: 12, bottom: height - 46 }
  const [least = 0, most = 0] = extent(all, ({ usd }) => usd)
  const pixels = { from: frame.left + 8, to: frame.right - 8 }
  const wanted = Math.max(3, Math.floor(width / 90))
  const x =
    least > 0 && most / least > FAR_APART
      ? logAxis({ from: least, to: most }, pixels, wanted)
      : linearAxis({ from: 0, to: most || 1 }, pixels, wanted)
  const [low = 0, high = 1] = extent(
    all.flatMap(({ winRate, row: { whisker } }) => [
      winRate,
      whisker?.low ?? winRate,
      whisker?.high ?? winRate,
    ]),
  )
  const y = linearAxis({ from: low, to: high }, { from: frame.bottom, to: frame.top })
  const points = [...front, ...all.filter((point) => !front.includes(point))]
  const at = points.map(({ usd, winRate, row }) => ({
    x: x.at(usd),
    y: y.at(winRate),
    text: shortened(row.label, LONGEST),
  }))
  const whiskers = points.flatMap(({ row: { whisker } }, index): readonly LabelBox[] => {
    const own = at[index]
    if (whisker === undefined || own === undefined) return []
    return [{ left: own.x - 2, right: own.x + 2, top: y.at(whisker.high), bottom: y.at(whisker.low) }]
  })
  const steps = front.slice(1).flatMap((point, index) => {
    const before = front[index]
    return before === undefined
      ? []
      : along(
          { x1: x.at(before.usd), y1: y.at(before.winRate), x2: x.at(point.usd), y2: y.at(point.winRate) },
          2,
        )
  })
  return {
    width,
    height,
    frame,
    x,
    y,
    points,
    front,
    labels: placeLabels(at, { ...frame, right: width }, [...whiskers, ...steps]),
    texts: at.map(({ text }) => text),
  }
}

/** `$500.00` → `$500`: ticks are round. */
const tickText = (text: string): string => text.replace(/\.0+(?=\D|$)/, '')

/** What is told of a point, on focus and to screen readers. */
export const pointText = ({ row, usd, winRate }: FrontPoint, axis: FrontAxis): string => {
  const range = row.whisker === undefined ? '' : ` (${formatRange(row.whisker)})`
  const unranked = row.place === null ? ', not measured in full' : `, place ${row.place.rank}`
  return `${row.label}: win rate ${formatValue(winRate)}${range}, ${axis.text(usd)}${unranked}`
}

interface FrontDrawingProps {
  readonly layout: FrontLayout
  readonly axis: FrontAxis
  readonly title: string
  readonly root: string
  readonly onTell?: (text: string) => void
}

/** Quality against what it takes; each point leads to its model. */
export const FrontDrawing = ({ layout, axis, title, root, onTell }: FrontDrawingProps): JSX.Element => {
  const { width, height, frame, x, y, points, front } = layout
  const path = line<FrontPoint>(
    ({ usd }) => x.at(usd),
    ({ winRate }) => y.at(winRate),
  )([...front])
  return (
    <svg class="drawing" role="group" aria-label={`Win rate against ${title}`} width={width} height={height}>
      {x.ticks.map((tick) => (
        <g key={`x${tick}`}>
          <line class="grid" x1={x.at(tick)} x2={x.at(tick)} y1={frame.top} y2={frame.bottom} />
          <text class="middle soft" x={x.at(tick)} y={frame.bottom + 16}>
            {tickText(axis.text(tick))}
          </text>
        </g>
      ))}
      {y.ticks.map((tick) => (
        <g key={`y${tick}`}>
          <line class="grid" x1={frame.left} x2={frame.right} y1={y.at(tick)} y2={y.at(tick)} />
          <text class="end soft" x={frame.left - 8} y={y.at(tick) + 4}>
            {tick}
          </text>
        </g>
      ))}
      <text class="middle" x={(frame.left + frame.right) / 2} y={height - 6}>
        {title}
      </text>
      <text class="middle" transform={`translate(12 ${(frame.top + frame.bottom) / 2}) rotate(-90)`}>
        Win rate
      </text>
      {path === null || front.length < 2 ? null : <path class="front" d={path} />}
      {points.map((point, index) => (
        <Point key={point.row.key} layout={layout} index={index} axis={axis} root={root} onTell={onTell} />
      ))}
    </svg>
  )
}

const Point = ({
  layout: { x, y, points, front, labels, texts },
  index,
  axis,
  root,
  onTell,
}: Pick<FrontDrawingProps, 'layout' | 'axis' | 'root'> & {
  readonly index: number
  readonly onTell: FrontDrawingProps['onTell']
}): JSX.Element | null => {
  const point = points[index]
  if (point === undefined) return null
  const [label, { row }] = [labels[index], point]
  const [cx, cy, text] = [x.at(point.usd), y.at(point.winRate), pointText(point, axis)]
  const tell = (): void => onTell?.(text)
  return (
    <a
      {...(row.href === undefined ? {} : { href: root + row.href })}
      aria-label={text}
      class="point"
      onPointerEnter={tell}
      onFocus={tell}
    >
      <title>{text}</title>
      {row.whisker === undefined ? null : (
        <line
          class={row.place === null ? 'range thin dotted' : 'range thin'}
          x1={cx}
          x2={cx}
          y1={y.at(row.whisker.low)}
          y2={y.at(row.whisker.high)}
        />
      )}
      <circle class="hit" cx={cx} cy={cy} r={12} />
      <circle class={front.includes(point) ? 'dot' : 'dot hollow'} cx={cx} cy={cy} r={5} />
      {label?.leader === undefined ? null : <line class="leader" {...label.leader} />}
      {label === undefined ? null : (
        <text x={label.x} y={label.y} text-anchor={label.anchor} class="halo">
          {texts[index]}
        </text>
      )}
    </a>
  )
}
