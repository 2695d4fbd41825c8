/** A label's place: beside its point, or further out with a line that leads to it. */
export interface PlacedLabel {
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
  readonly leader?: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number }
}

export interface LabelledPoint {
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

/** Width of a letter of the drawings' text, in pixels: an estimate, on the wide side. */
const LETTER = 6.8
const POINT = 6
const RINGS = [22, 36, 52, 70]

/**
 * The one rule for labels of points: right, left, above, below, then four rings further out with a leader. A label takes
 * the first spot where neither it nor its leader meets a point, an obstacle, another label or leader, or the frame; without
 * one it is left out.
 *
 * @param points the more important ones first
 * @param obstacles such as whiskers
 */
export const placeLabels = (
  points: readonly LabelledPoint[],
  within: LabelBox,
  obstacles: readonly LabelBox[] = [],
): readonly (PlacedLabel | undefined)[] => {
  const marks = points.map(({ x, y }) => around(x, y, POINT))
  const taken: LabelBox[] = [...obstacles]
  return points.map((point, own) => {
    const found = candidates(point).find(({ box, leader }) => {
      const isFree = (each: LabelBox): boolean =>
        taken.every((other) => !overlap(each, other)) &&
        marks.every((mark, index) => index === own || !overlap(each, mark))
      return isWithin(box, within) && isFree(box) && leader.every(isFree)
    })
    if (found === undefined) return undefined
    taken.push(found.box, ...found.leader)
    return found.label
  })
}

/** Where a label's text lies. */
export const labelBox = (text: string, { x, y, anchor }: Omit<PlacedLabel, 'leader'>): LabelBox => {
  const width = text.length * LETTER
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  return { left, right: left + width, top: y - 11, bottom: y + 3 }
}

interface Candidate {
  readonly label: PlacedLabel
  readonly box: LabelBox
  /** Boxes along the leader. */
  readonly leader: readonly LabelBox[]
}

const candidates = ({ x, y, text }: LabelledPoint): readonly Candidate[] => {
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
