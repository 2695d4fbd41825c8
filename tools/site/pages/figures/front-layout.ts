import { extent } from 'd3-array'
import { linearAxis, logAxis, type Axis } from '../../components/plot/axis.ts'
import { fittedNames } from '../../components/plot/fitted-names.ts'
import type { BoardView, RowView } from '../leaderboard/board/board-view.ts'
import { frontPoints, type FrontAxis } from './front-points.ts'
import { along, placeLabels, type LabelBox, type PlacedLabel } from './place-labels.ts'

/** Values further apart than this factor are drawn on a scale of equal factors. */
const FAR_APART = 12
/** Pixels of the longest label. */
const LONGEST = 240
/** Points up to which every label is pressed into the drawing; of more, those of the front alone. */
const FEW = 30
/** Models without a known value that have room at the side; of more, the note below names them. */
const SHELVED = 6
const SHELF_STEP = 28

/** A model where it is drawn, in pixels. */
export interface DrawnPoint {
  readonly row: RowView
  readonly winRate: number
  /** Null on the shelf of those whose value is not known. */
  readonly value: number | null
  readonly x: number
  readonly y: number
  readonly whisker?: { readonly top: number; readonly bottom: number }
  readonly isFront: boolean
  /** Cut where it is too long. */
  readonly text: string
  readonly label: PlacedLabel | undefined
}

export interface FrontLayout {
  readonly width: number
  readonly height: number
  readonly frame: LabelBox
  readonly x: Axis
  readonly y: Axis
  /** Left end of the shelf; absent where there is none. */
  readonly shelf?: number
  readonly isLog: boolean
  /** The front first, from cheap to dear, then those on the shelf. */
  readonly points: readonly DrawnPoint[]
}

/** Where everything lies at a width, in pixels; text keeps its size. Undefined where there is nothing to draw. */
export const layoutFront = (view: BoardView, axis: FrontAxis, width: number): FrontLayout | undefined => {
  const { points: known, front, unknown } = frontPoints(view, axis)
  if (known.length === 0) return undefined
  const height = Math.round(Math.min(560, Math.max(320, width * 0.42)))
  const frame = { left: 48, right: width - 16, top: 12, bottom: height - 46 }
  const shelved = shelvedOf(unknown)
  const shelf = shelved.length === 0 ? undefined : frame.right - SHELF_STEP * (shelved.length + 1) - 24
  const [least = 0, most = 0] = extent(known, ({ usd }) => usd)
  const pixels = { from: frame.left + 8, to: (shelf ?? frame.right) - 8 }
  const wanted = Math.max(3, Math.floor((pixels.to - pixels.from) / 90))
  const isLog = least > 0 && most / least > FAR_APART
  const x = isLog
    ? logAxis({ from: least, to: most }, pixels, wanted)
    : linearAxis({ from: 0, to: most || 1 }, pixels, wanted)
  const rows = [...front, ...shelved, ...known.filter((point) => !front.includes(point))]
  const [low = 0, high = 1] = extent(
    rows.flatMap(({ winRate, row: { whisker } }) => [
      winRate,
      whisker?.low ?? winRate,
      whisker?.high ?? winRate,
    ]),
  )
  const y = linearAxis({ from: low, to: high }, { from: frame.bottom, to: frame.top })
  const texts = fittedNames(
    rows.map(({ row }) => row.label),
    LONGEST,
  )
  const points = rows.map(({ row, winRate, usd }, at) => ({
    row,
    winRate,
    value: usd,
    x: usd === null ? (shelf ?? 0) + SHELF_STEP * (at - front.length + 1) : x.at(usd),
    y: y.at(winRate),
    ...(row.whisker && { whisker: { top: y.at(row.whisker.high), bottom: y.at(row.whisker.low) } }),
    isFront: at < front.length,
    text: texts.get(row.label) ?? '',
  }))
  const labels = placeLabels(points, { ...frame, right: width }, obstaclesOf(points))
  return {
    width,
    height,
    frame,
    x,
    y,
    ...(shelf === undefined ? {} : { shelf }),
    isLog,
    points: points.map((point, at) => ({ ...point, label: labels[at] })),
  }
}

const shelvedOf = (
  unknown: readonly RowView[],
): readonly { readonly row: RowView; readonly winRate: number; readonly usd: null }[] => {
  const drawn = unknown.flatMap((row) =>
    row.winRate === null ? [] : [{ row, winRate: row.winRate, usd: null }],
  )
  return drawn.length > SHELVED ? [] : drawn
}

/** What labels keep clear of. */
const obstaclesOf = (points: readonly Omit<DrawnPoint, 'label'>[]): Parameters<typeof placeLabels>[2] => {
  const front = points.filter(({ isFront }) => isFront)
  return {
    whiskers: points.flatMap(({ x, whisker }) =>
      whisker === undefined ? [] : [{ left: x - 2, right: x + 2, ...whisker }],
    ),
    lines: front
      .slice(1)
      .flatMap((point, at) =>
        along({ x1: front[at]?.x ?? 0, y1: front[at]?.y ?? 0, x2: point.x, y2: point.y }, 2),
      ),
    pressed: points.length <= FEW ? points.length : front.length,
  }
}
