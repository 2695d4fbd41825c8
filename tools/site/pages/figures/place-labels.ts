/** A label's place beside its point. */
export interface PlacedLabel {
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'end'
}

interface Point {
  readonly x: number
  readonly y: number
  readonly text: string
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Width of a letter of the drawings' text, in pixels: an estimate, on the wide side. */
const LETTER = 6.6

/** Puts each label right or left of its point, level, above or below, where it covers no other label or point; else nowhere. */
export const placeLabels = (points: readonly Point[], within: Box): readonly (PlacedLabel | undefined)[] => {
  const taken: Box[] = points.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }))
  return points.map((point, index) => {
    const found = candidates(point).find(({ box }) => {
      const free = taken.every((other, own) => own === index || !overlap(box, other))
      return free && box.left >= within.left && box.right <= within.right && box.top >= within.top
    })
    if (found !== undefined) taken.push(found.box)
    return found?.label
  })
}

const candidates = ({ x, y, text }: Point): readonly { readonly label: PlacedLabel; readonly box: Box }[] => {
  const width = text.length * LETTER
  const at = (label: PlacedLabel, left: number) => ({
    label,
    box: { left, right: left + width, top: label.y - 11, bottom: label.y + 3 },
  })
  return [
    at({ x: x + 9, y: y + 4, anchor: 'start' }, x + 9),
    at({ x: x - 9, y: y + 4, anchor: 'end' }, x - 9 - width),
    at({ x: x + 9, y: y - 9, anchor: 'start' }, x + 9),
    at({ x: x + 9, y: y + 18, anchor: 'start' }, x + 9),
    at({ x: x - 9, y: y - 9, anchor: 'end' }, x - 9 - width),
    at({ x: x - 9, y: y + 18, anchor: 'end' }, x - 9 - width),
  ]
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
