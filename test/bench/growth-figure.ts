import { scaleLog } from 'd3-scale'
import { line } from 'd3-shape'

/** CPU seconds by size of one program. */
export interface Series {
  readonly name: string
  readonly points: readonly { readonly size: number; readonly seconds: number; readonly megabytes: number }[]
}

/** What was measured as one kind of work grows. */
export interface Growth {
  readonly name: string
  readonly machine: string
  /** Day, YYYY-MM-DD. */
  readonly date: string
  readonly series: readonly Series[]
}

/** The slope of log seconds over log size at the last of some points; undefined for a first one. */
export const exponentOf = (points: Series['points']): number | undefined => {
  const [before, last] = points.slice(-2)
  if (before === undefined || last === undefined) return undefined
  return Math.log(last.seconds / before.seconds) / Math.log(last.size / before.size)
}

const PANEL = { width: 430, height: 300, left: 58, right: 118, top: 44, bottom: 42 }
const COLORS = ['#1f5fa8', '#b3541e', '#3d7a3a', '#7a4fa3']

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const words = (
  text: string,
  at: { readonly x: number; readonly y: number },
  { anchor = 'start', fill = '#333' }: { readonly anchor?: string; readonly fill?: string } = {},
): string =>
  `<text x="${at.x.toFixed(1)}" y="${at.y.toFixed(1)}" text-anchor="${anchor}" fill="${fill}">${escaped(text)}</text>`

/** Powers of ten within an extent, or its ends where there are fewer than two. */
const ticks = ([low, high]: readonly [number, number]): readonly number[] => {
  const from = Math.ceil(Math.log10(low) - 1e-9)
  const count = Math.floor(Math.log10(high) + 1e-9) - from + 1
  return count < 2 ? [low, high] : Array.from({ length: count }, (_, at) => 10 ** (from + at))
}

const short = (value: number): string =>
  value >= 1e6 ? `${value / 1e6} M` : value >= 1 ? value.toLocaleString('en') : value.toPrecision(1)

const panel = ({ name, series, machine, date }: Growth, index: number): string => {
  const { width, height, left, right, top, bottom } = PANEL
  const all = series.flatMap(({ points }) => points)
  const extent = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)]
  const sizes = extent(all.map(({ size }) => size))
  const [least, most] = extent(all.map(({ seconds }) => seconds))
  const costs: [number, number] = [10 ** Math.floor(Math.log10(least)), 10 ** Math.ceil(Math.log10(most))]
  const x = scaleLog(sizes, [left, width - right])
  const y = scaleLog(costs, [height - bottom, top])
  const grid = [
    ...ticks(costs).map(
      (tick) =>
        `<path d="M${left},${y(tick).toFixed(1)}H${width - right}" stroke="#ddd"/>${words(short(tick), { x: left - 6, y: y(tick) + 4 }, { anchor: 'end' })}`,
    ),
    ...ticks(sizes).map((tick) =>
      words(short(tick), { x: x(tick), y: height - bottom + 16 }, { anchor: 'middle' }),
    ),
  ]
  // What is as costly a piece however many there are, from the last point of the costliest down.
  const costliest = series.map(({ points }) => points.at(-1)).find((point) => point?.seconds === most)
  const even = costliest && {
    size: Math.max(sizes[0], (costliest.size * costs[0]) / most),
    seconds: Math.max(costs[0], (most * sizes[0]) / costliest.size),
  }
  const linear =
    even === undefined || costliest === undefined
      ? ''
      : `<path d="M${x(even.size).toFixed(1)},${y(even.seconds).toFixed(1)}L${x(costliest.size).toFixed(1)},${y(most).toFixed(1)}" stroke="#999" stroke-dasharray="2 4"/>`
  const ends = spread(series.map(({ points }) => y(points.at(-1)?.seconds ?? costs[0])))
  const drawn = series.map(({ name: what, points }, at) => {
    const color = COLORS[at % COLORS.length] ?? '#333'
    const path = line<(typeof points)[number]>(
      ({ size }) => x(size),
      ({ seconds }) => y(seconds),
    )(points)
    const dots = points.map(
      ({ size, seconds }) =>
        `<circle cx="${x(size).toFixed(1)}" cy="${y(seconds).toFixed(1)}" r="3" fill="${color}"/>`,
    )
    const exponent = exponentOf(points)
    const label = `${what}${exponent === undefined ? '' : ` n^${exponent.toFixed(2)}`}`
    const end = { x: width - right + 8, y: (ends[at] ?? 0) + 4 }
    return `<path d="${path ?? ''}" fill="none" stroke="${color}" stroke-width="1.5"/>${dots.join('')}${words(label, end, { fill: color })}`
  })
  const place = `translate(${(index % 2) * width},${Math.floor(index / 2) * height})`
  return `<g transform="${place}">${words(name, { x: 12, y: 20 }, { fill: '#000' })}${words(`CPU s · ${machine} · ${date}`, { x: 12, y: 34 }, { fill: '#777' })}${grid.join('')}${linear}${drawn.join('')}</g>`
}

/** Heights of labels, at least a line apart. */
const spread = (heights: readonly number[]): readonly number[] => {
  const LINE = 13
  const placed = heights.map((height, at) => ({ height, at })).toSorted((a, b) => a.height - b.height)
  let last = Number.NEGATIVE_INFINITY
  const result = [...heights]
  for (const { height, at } of placed) {
    last = Math.max(height, last + LINE)
    result[at] = last
  }
  return result
}

/** Growth drawn on logarithmic axes, a panel a kind of work; the dotted line is what grows as its size does. */
export const growthFigure = (growths: readonly Growth[]): string => {
  const [width, height] = [PANEL.width * 2, PANEL.height * Math.ceil(growths.length / 2)]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11"><rect width="${width}" height="${height}" fill="#fff"/>${growths.map(panel).join('\n')}</svg>\n`
}
