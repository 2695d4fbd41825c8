import type { JSX } from 'preact'
import type { Board } from '../../../../targets/board/board.ts'
import type { Interval } from '../../../../targets/statistics/intervals/interval.ts'
import { formatCost, formatRange, formatValue } from '../../../compare/number-text.ts'
import { visibleText } from '../../visible-text.ts'
import { linearAxis, logAxis, type Axis } from '../../components/plot/axis.ts'
import type { Drawing, FigureContent } from './figure.tsx'
import { shortened } from './labels.tsx'
import { paretoFront, type Priced } from './pareto.ts'
import { placeLabels } from './place-labels.ts'
import { ScaleLines } from './scale-lines.tsx'

const WIDTH = 860
const HEIGHT = 460
const BOX = { left: 56, right: WIDTH - 24, top: 16, bottom: HEIGHT - 48 }
/** Prices further apart than this factor are drawn on a scale of equal factors. */
const FAR_APART = 20

interface Point extends Priced {
  readonly label: string
  readonly interval: Interval | null
}

/** Cost against win rate: the paper's figure 5. */
export const costScatter = ({ rows }: Board): FigureContent => {
  const points = rows.flatMap(({ label, spent, winRate, rank }): Point[] =>
    spent === null || spent.usd === null || winRate === null
      ? []
      : [{ label: visibleText(label), usd: spent.usd, winRate, interval: rank?.winRate ?? null }],
  )
  const front = paretoFront(points)
  const without = rows.length - points.length
  return {
    id: 'costs',
    title: 'Cost against win rate',
    caption: `Filled points on the line are the Pareto front: no model is at least as good for less. Upright lines are 95 % intervals of the win rate. Costs are those of the models’ own answers${
      without === 0
        ? ''
        : `; ${without} of ${rows.length} models without a known cost or win rate are not drawn`
    }.`,
    missing: 'No model of this suite has a win rate and a known cost above 0.',
    drawing: points.some(({ usd }) => usd > 0) ? scatter(points, front) : undefined,
    table: {
      head: [
        { text: 'Model' },
        { text: 'Cost', number: true },
        { text: 'Win rate', number: true },
        { text: '95 % interval', number: true },
        { text: 'On the front' },
      ],
      rows: points.map((point) => [
        point.label,
        formatCost(point.usd),
        formatValue(point.winRate),
        point.interval === null ? '–' : formatRange(point.interval),
        front.includes(point) ? 'yes' : 'no',
      ]),
    },
  }
}

const scatter = (points: readonly Point[], front: readonly Point[]): Drawing => {
  const costs = points.map(({ usd }) => usd)
  const [least, most] = [Math.min(...costs), Math.max(...costs)]
  const pixels = { from: BOX.left, to: BOX.right }
  const x =
    least > 0 && most / least > FAR_APART
      ? logAxis({ from: least, to: most }, pixels)
      : linearAxis({ from: 0, to: most }, pixels)
  const rates = points.flatMap(({ winRate, interval }) => [
    winRate,
    interval?.low ?? winRate,
    interval?.high ?? winRate,
  ])
  const y = linearAxis(
    { from: Math.min(...rates), to: Math.max(...rates) },
    { from: BOX.bottom, to: BOX.top },
  )
  // The front's labels come first: where there is no room for all, they have theirs.
  const ordered = [...front, ...points.filter((point) => !front.includes(point))]
  const labels = placeLabels(
    ordered.map(({ usd, winRate, label }) => ({
      x: x.at(usd),
      y: y.at(winRate),
      text: shortened(label, 30),
    })),
    { ...BOX, right: WIDTH },
  )
  return {
    width: WIDTH,
    height: HEIGHT,
    content: (
      <>
        <ScaleLines axis={x} top={BOX.top} bottom={BOX.bottom} format={(usd) => `$${usd}`} />
        <Heights axis={y} />
        <text class="middle" x={(BOX.left + BOX.right) / 2} y={HEIGHT - 8}>
          Cost of all answers
        </text>
        <polyline
          class="front"
          points={front.map(({ usd, winRate }) => `${x.at(usd)},${y.at(winRate)}`).join(' ')}
        />
        {ordered.map((point, index) => (
          <Mark
            key={point.label}
            point={point}
            x={x.at(point.usd)}
            y={y}
            isFront={index < front.length}
            label={labels[index]}
          />
        ))}
      </>
    ),
  }
}

/** The upright axis. */
const Heights = ({ axis }: { readonly axis: Axis }): JSX.Element => (
  <g>
    {axis.ticks.map((tick) => (
      <g key={tick}>
        <line class="grid" x1={BOX.left} x2={BOX.right} y1={axis.at(tick)} y2={axis.at(tick)} />
        <text class="end soft" x={BOX.left - 8} y={axis.at(tick) + 4}>
          {tick}
        </text>
      </g>
    ))}
    <text class="middle" transform={`translate(14 ${(BOX.top + BOX.bottom) / 2}) rotate(-90)`}>
      Mean win rate
    </text>
  </g>
)

interface MarkProps {
  readonly point: Point
  readonly x: number
  readonly y: Axis
  readonly isFront: boolean
  readonly label: ReturnType<typeof placeLabels>[number]
}

const Mark = ({ point, x, y, isFront, label }: MarkProps): JSX.Element => (
  <g>
    {point.interval === null ? null : (
      <line class="range thin" x1={x} x2={x} y1={y.at(point.interval.low)} y2={y.at(point.interval.high)} />
    )}
    <circle class={isFront ? 'dot' : 'dot hollow'} cx={x} cy={y.at(point.winRate)} r={4.5} />
    {label === undefined ? null : (
      <text x={label.x} y={label.y} class={label.anchor === 'start' ? 'halo' : 'halo end'}>
        {shortened(point.label, 30)}
      </text>
    )}
  </g>
)
