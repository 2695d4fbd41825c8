/** Properties of drawn parts that a file of its own has to say itself. */
const STYLED = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'paint-order',
  'vector-effect',
] as const

const SVG = 'http://www.w3.org/2000/svg'

/** What an element shows as an SVG file of its own: drawings as they are, texts and shades of tables where they stand. */
export const figureSvg = (
  element: HTMLElement,
): { readonly text: string; readonly width: number; readonly height: number } => {
  const frame = element.getBoundingClientRect()
  const [width, height] = [Math.ceil(element.scrollWidth), Math.ceil(element.scrollHeight)]
  const [left, top] = [frame.left - element.scrollLeft, frame.top - element.scrollTop]
  const svg = document.createElementNS(SVG, 'svg')
  sized(svg, { x: 0, y: 0, width, height })
  svg.append(rectOf({ x: 0, y: 0, width, height }, getComputedStyle(document.body).backgroundColor))
  for (const shaded of element.querySelectorAll<HTMLElement>('td, th')) {
    const colour = getComputedStyle(shaded).backgroundColor
    const box = shaded.getBoundingClientRect()
    if (!/, 0\)$|^transparent$/.test(colour))
      svg.append(
        rectOf({ x: box.left - left, y: box.top - top, width: box.width, height: box.height }, colour),
      )
  }
  for (const drawing of element.querySelectorAll<SVGSVGElement>('svg')) {
    if (drawing.parentElement?.closest('svg') != null) continue
    const box = drawing.getBoundingClientRect()
    const copy = withStyles(drawing)
    sized(copy, { x: box.left - left, y: box.top - top, width: box.width, height: box.height })
    svg.append(copy)
  }
  for (const text of textsOf(element)) svg.append(placed(text, left, top))
  return { text: new XMLSerializer().serializeToString(svg), width, height }
}

/** The same as a picture, twice as fine. */
export const figurePng = async (element: HTMLElement): Promise<Blob | null> => {
  const { text, width, height } = figureSvg(element)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * 2
  canvas.height = height * 2
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const sized = (svg: Element, frame: Frame): void => {
  for (const [name, value] of Object.entries(frame)) svg.setAttribute(name, value.toFixed(1))
}

const rectOf = (frame: Frame, fill: string): Element => {
  const rect = document.createElementNS(SVG, 'rect')
  sized(rect, frame)
  rect.setAttribute('fill', fill)
  return rect
}

const withStyles = (drawing: SVGSVGElement): Element => {
  const copy = drawing.cloneNode(true) as Element
  const originals = [drawing, ...drawing.querySelectorAll('*')]
  for (const [at, own] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const original = originals[at]
    if (original === undefined) continue
    const style = getComputedStyle(original)
    for (const name of STYLED) own.setAttribute(name, style.getPropertyValue(name))
    own.removeAttribute('class')
  }
  return copy
}

/** Texts of the page outside drawings, a piece a line. */
const textsOf = (
  element: HTMLElement,
): readonly { readonly text: string; readonly box: DOMRect; readonly of: Element }[] => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const found: { readonly text: string; readonly box: DOMRect; readonly of: Element }[] = []
  while (walker.nextNode() !== null) {
    const node = walker.currentNode
    const of = node.parentElement
    if (of === null || of.closest('svg, .unseen') !== null || (node.textContent ?? '').trim() === '') continue
    const range = document.createRange()
    for (const match of (node.textContent ?? '').matchAll(/\S+/g)) {
      range.setStart(node, match.index)
      range.setEnd(node, match.index + match[0].length)
      const box = range.getBoundingClientRect()
      if (box.width > 0) found.push({ text: match[0], box, of })
    }
  }
  return found
}

const placed = (
  { text, box, of }: { readonly text: string; readonly box: DOMRect; readonly of: Element },
  left: number,
  top: number,
): Element => {
  const style = getComputedStyle(of)
  const made = document.createElementNS(SVG, 'text')
  const turned = style.writingMode !== 'horizontal-tb'
  const [x, y] = [box.left - left, box.top - top]
  if (turned)
    made.setAttribute(
      'transform',
      `translate(${(x + 4).toFixed(1)} ${(y + box.height).toFixed(1)}) rotate(-90) translate(0 ${(box.width * 0.6).toFixed(1)})`,
    )
  else {
    made.setAttribute('x', x.toFixed(1))
    made.setAttribute('y', (y + box.height * 0.78).toFixed(1))
  }
  for (const name of ['font-family', 'font-size', 'font-weight'] as const)
    made.setAttribute(name, style.getPropertyValue(name))
  made.setAttribute('fill', style.color)
  made.textContent = text
  return made
}
