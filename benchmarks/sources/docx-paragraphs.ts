import { zipMember } from './unzip.ts'
import { elementOf, elementsOf, xmlTree, type XmlElement } from './xml/xml-tree.ts'

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const w = (name: string): string => `{${WORD}}${name}`

/** A paragraph of a Word document's body, as python-docx gives it (HELM.md B15). */
export interface Paragraph {
  readonly text: string
  /** Font colours that its own runs set, as hexadecimal digits; the colour of the paragraph mark is none. */
  readonly colours: readonly string[]
}

/** A Word document. */
export interface DocxFile {
  readonly file: string
  readonly paragraphs: readonly Paragraph[]
}

/**
 * Paragraphs that are direct children of the body: no table cells, headers or notes.
 * @throws ProblemError `benchmarks/zip`, `benchmarks/missing-member`, `benchmarks/xml`
 */
export const docxParagraphs = (bytes: Uint8Array, file: string): readonly Paragraph[] => {
  const document = xmlTree(zipMember(bytes, 'word/document.xml', file), file)
  const body = elementOf(document, w('body'))
  return body === undefined ? [] : elementsOf(body, w('p')).map(paragraphOf)
}

const paragraphOf = (paragraph: XmlElement): Paragraph => ({
  text: elementsOf(paragraph)
    .flatMap((child) => {
      if (child.name === w('r')) return [child]
      return child.name === w('hyperlink') ? elementsOf(child, w('r')) : []
    })
    .map(textOfRun)
    .join(''),
  colours: elementsOf(paragraph, w('r')).flatMap(colourOf),
})

const textOfRun = (run: XmlElement): string => elementsOf(run).map(textOfPiece).join('')

const textOfPiece = (piece: XmlElement): string => {
  if (piece.name === w('t')) return piece.children.filter((child) => typeof child === 'string').join('')
  if (piece.name === w('tab')) return '\t'
  if (piece.name === w('cr')) return '\n'
  if (piece.name === w('noBreakHyphen')) return '-'
  // A break without a type is one of lines; those of pages and columns give nothing.
  const lines = piece.name === w('br') && (piece.attributes[w('type')] ?? 'textWrapping') === 'textWrapping'
  return lines ? '\n' : ''
}

const colourOf = (run: XmlElement): readonly string[] => {
  const properties = elementOf(run, w('rPr'))
  const colour = properties && elementOf(properties, w('color'))?.attributes[w('val')]
  return colour === undefined ? [] : [colour.toUpperCase()]
}
