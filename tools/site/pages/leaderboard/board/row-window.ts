import { options } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface Shown {
  readonly first: number
  readonly end: number
  readonly height: number
}

/** Rows of a table that are drawn: from `first` up to `end`, and the height of one in pixels. */
export interface RowWindow extends Shown {
  /** Draws a row near the others before it returns, and gives the index of the first that is drawn then. */
  readonly reach: (row: number) => number
}

/** Rows up to which all are drawn: a browser lays them out within a frame or two. */
const ALL = 60

/** Rows drawn beyond those in sight. */
const AROUND = 12

/** As the style sheet has it. */
const ROW_HEIGHT = 27

/** The rows of a scrolling table that are in sight, with some around them; for paper all of them. */
export const useRowWindow = (count: number, scroller: () => HTMLElement | null): RowWindow => {
  const [shown, setShown] = useState<Shown>({ first: 0, end: 2 * AROUND, height: ROW_HEIGHT })
  const isWhole = count <= ALL
  useEffect(() => {
    const element = scroller()
    if (isWhole || element === null) return undefined
    const look = (): void => {
      const held = element.querySelector('tbody')?.contains(document.activeElement) ? element : null
      drawnAtOnce(() => setShown((known) => inSight(element, known)))
      // Whoever scrolls away from the cell they were on goes on by keys from the table.
      if (document.activeElement === document.body) held?.focus({ preventScroll: true })
    }
    const all = (): void => drawnAtOnce(() => setShown((known) => ({ ...known, first: 0, end: Infinity })))
    look()
    element.addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    addEventListener('beforeprint', all)
    addEventListener('afterprint', look)
    return () => {
      element.removeEventListener('scroll', look)
      removeEventListener('resize', look)
      removeEventListener('beforeprint', all)
      removeEventListener('afterprint', look)
    }
  }, [isWhole])
  if (isWhole) return { ...shown, first: 0, end: count, reach: () => 0 }
  const reach = (row: number): number => {
    const next = withRow(shown, row)
    if (next !== shown) drawnAtOnce(() => setShown(next))
    return next.first
  }
  return { ...shown, reach }
}

/** Keys come faster than frames: rows between stay until the table has been scrolled. */
const withRow = (shown: Shown, row: number): Shown =>
  row >= shown.first && row < shown.end
    ? shown
    : {
        ...shown,
        first: Math.min(shown.first, Math.max(0, row - AROUND)),
        end: Math.max(shown.end, row + AROUND),
      }

/** Moves by whole steps, so that most scrolling draws nothing. */
const inSight = (element: HTMLElement, known: Shown): Shown => {
  const height = element.querySelector('tbody th')?.getBoundingClientRect().height ?? known.height
  const step = (at: number): number => Math.floor(at / height / AROUND) * AROUND
  const first = Math.max(0, step(element.scrollTop) - AROUND)
  const end = step(element.scrollTop + element.clientHeight) + 2 * AROUND
  return known.first === first && known.end === end && known.height === height
    ? known
    : { first, end, height }
}

/** A page that is printed waits for no later drawing. */
const drawnAtOnce = (change: () => void): void => {
  const held = { ...options }
  options.debounceRendering = (draw) => draw()
  change()
  delete options.debounceRendering
  Object.assign(options, held)
}
