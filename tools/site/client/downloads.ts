import { save } from './save.ts'
import { readTable } from '../downloads/read-table.ts'
import { figurePng, figureSvg } from './save-figure.ts'
import { csvOf, jsonOf, latexOf } from '../downloads/table-files.ts'

const FORMATS = [
  { label: 'CSV', ending: 'csv', type: 'text/csv', textOf: csvOf, digits: 'all' },
  { label: 'JSON', ending: 'json', type: 'application/json', textOf: jsonOf, digits: 'all' },
  // What a paper prints.
  { label: 'LaTeX', ending: 'tex', type: 'text/x-tex', textOf: latexOf, digits: 'shown' },
] as const

/**
 * Puts below every table of the page, also those that come later, what saves it as a file. A table is read when it is
 * asked for, so the file holds what is shown then, its numbers with all digits.
 */
export const offerDownloads = (): void => {
  const offer = (): void => {
    // Drawings scroll, too; their numbers are in tables of their own. The board has files of all digits.
    for (const scroller of document.querySelectorAll<HTMLElement>(
      '.table-scroll:has(table:not(.board, .scores, .judge, .instances))',
    ))
      offerOne(scroller)
  }
  offer()
  new MutationObserver(offer).observe(document.body, { childList: true, subtree: true })
}

const offered = new WeakSet<Element>()

/** Beside the part of the page that a script draws, never in it. */
const offerOne = (scroller: HTMLElement): void => {
  const place = scroller.closest('[data-app]') ?? scroller
  if (offered.has(place)) return
  offered.add(place)
  place.after(downloadsOf(scroller, place))
}

const downloadsOf = (first: HTMLElement, place: Element): HTMLElement => {
  const group = document.createElement('p')
  group.className = 'downloads'
  group.setAttribute('role', 'group')
  const name = first.getAttribute('aria-label') ?? document.title
  group.setAttribute('aria-label', `Download: ${name}`)
  group.append('This table as ')
  const offerAs = (label: string, onClick: () => void): void => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain'
    button.textContent = label
    button.addEventListener('click', onClick)
    group.append(button, ' ')
  }
  for (const { label, ending, type, textOf, digits } of FORMATS)
    offerAs(label, () => {
      const table = place.querySelector('table') ?? first.querySelector('table')
      if (table !== null) save(`${fileName(name)}.${ending}`, type, textOf(readTable(table, name, digits)))
    })
  if (drawnIn(place, first) === null) return group
  group.append('The figure as ')
  for (const [label, textOf] of PICTURES)
    offerAs(label, () => {
      const shown = drawnIn(place, first)
      if (shown === null) return
      const file = `${fileName(name)}.${label.toLowerCase()}`
      textOf(shown).then((blob) => blob !== null && save(file, blob.type, blob), console.error)
    })
  return group
}

const PICTURES = [
  [
    'SVG',
    (element: HTMLElement) => Promise.resolve(new Blob([figureSvg(element).text], { type: 'image/svg+xml' })),
  ],
  ['PNG', figurePng],
] as const

/** What of a place is a figure: a drawing, or a table with marks or shades. */
const drawnIn = (place: Element, first: HTMLElement): HTMLElement | null =>
  place.querySelector<HTMLElement>('.figure-scroll') ??
  (first.querySelector('.drawn, .heat') === null ? null : first)

const fileName = (name: string): string =>
  `${document.title}-${name}`
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80)
    .toLowerCase()
