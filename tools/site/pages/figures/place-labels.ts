import { textWidth } from '../../components/plot/text-width.ts'

/** A label's place: beside its point, or further out with a line that leads to it. */
export interface PlacedLabel {
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
  readonly leader?: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number }
}

interface LabelledPoint {
  readonly x: number
  readonly y: number
  readonly text: string
}

export interface LabelBox {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const POINT = 6
const RINGS = [22, 36, 52, 70, 92, 118]

interface Around {
  /** What no label nor leader meets, such as a line between points. */
  readonly lines: readonly LabelBox[]
  /** What they meet only where there is no other spot, such as whiskers: a label's halo covers them. */
  readonly whiskers: readonly LabelBox[]
  /** Of how many points, the first ones, a label may meet whiskers. */
  readonly pressed: number
}

/**
 * The one rule for labels of points: right, left, above, below, then six rings further out with a leader. A label takes the
 * first spot where neither it nor its leader meets a point, a line, another label or leader, a whisker or the frame. Where
 * there is none, and the point is one of the pressed, it takes the spot that meets the fewest whiskers and nothing else;
 * without that it is left out. Those with a spot of their own come first.
 *
 * @param points the more important ones first
 */
export const placeLabels = (
  points: readonly LabelledPoint[],
  within: LabelBox,
  { lines, whiskers, pressed }: Around = { lines: [], whiskers: [], pressed: 0 },
): readonly (PlacedLabel | undefined)[] => {
  const marks = points.map(({ x, y }) => around(x, y, POINT))
  const taken: LabelBox[] = [...lines]
  const placed: (PlacedLabel | undefined)[] = points.map(() => undefined)
  const place = (own: number, most: number): void => {
    const isFree = (each: LabelBox): boolean =>
      taken.every((other) => !overlap(each, other)) &&
      marks.every((mark, index) => index === own || !overlap(each, mark))
    const met = ({ box, leader }: Candidate): number =>
      whiskers.filter((whisker) => [box, ...leader].some((each) => overlap(each, whisker))).length
    let best: Candidate | undefined
    let fewest = most + 1
    for (const each of candidates(points[own])) {
      if (fewest === 0) break
      if (!isWithin(each.box, within) || ![each.box, ...each.leader].every(isFree)) continue
      const count = met(each)
      if (count >= fewest) continue
      best = each
      fewest = count
    }
    if (best === undefined) return
    taken.push(best.box, ...best.leader)
    placed[own] = best.label
  }
  for (const own of points.keys()) place(own, 0)
  for (const [own, label] of placed.entries()) if (label === undefined && own < pressed) place(own, Infinity)
  return placed
}

/** Where a label's text lies. */
export const labelBox = (text: string, { x, y, anchor }: Omit<PlacedLabel, 'leader'>): LabelBox => {
  const width = textWidth(text)
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  return { left, right: left + width, top: y - 11, bottom: y + 3 }
}

interface Candidate {
  readonly label: PlacedLabel
  readonly box: LabelBox
  /** Boxes along the leader. */
  readonly leader: readonly LabelBox[]
}

const candidates = (point: LabelledPoint | undefined): readonly Candidate[] => {
  if (point === undefined) return []
  const { x, y, text } = point
  const at = (label: PlacedLabel): Candidate => ({
    label,
    box: labelBox(text, label),
    leader: label.leader === undefined ? [] : along(label.leader),
  })
  return [
    at({ x: x + 9, y: y + 4, anchor: 'start' }),
    at({ x: x - 9, y: y + 4, anchor: 'end' }),
    at({ x, y: y - 10, anchor: 'middle' }),
    at({ x, y: y + 19, anchor: 'middle' }),
    ...RINGS.flatMap((ring) =>
      [-45, 45, -135, 135, -90, 90, -15, 165].map((degrees) => {
        const turn = (degrees * Math.PI) / 180
        const [dx, dy] = [Math.cos(turn) * ring, Math.sin(turn) * ring]
        const anchor = dx > 1 ? 'start' : dx < -1 ? 'end' : 'middle'
        const side = dx > 1 ? 3 : dx < -1 ? -3 : 0
        const below = anchor === 'middle' ? (dy > 0 ? 13 : -4) : 4
        return at({
          x: x + dx + side,
          y: y + dy + below,
          anchor,
          leader: { x1: x + (dx / ring) * 6, y1: y + (dy / ring) * 6, x2: x + dx, y2: y + dy },
        })
      }),
    ),
  ]
}

/** Small boxes along a line, but for its ends: there it meets its point and its label. */
export const along = (
  { x1, y1, x2, y2 }: NonNullable<PlacedLabel['leader']>,
  half = 1.5,
): readonly LabelBox[] => {
  const steps = Math.max(2, Math.ceil(Math.hypot(x2 - x1, y2 - y1) / 6))
  return Array.from({ length: steps - 1 }, (_, step) => {
    const share = (step + 1) / steps
    return around(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share, half)
  })
}

const around = (x: number, y: number, half: number): LabelBox => ({
  left: x - half,
  right: x + half,
  top: y - half,
  bottom: y + half,
})

const isWithin = (box: LabelBox, frame: LabelBox): boolean =>
  box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom

export const overlap = (a: LabelBox, b: LabelBox): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
