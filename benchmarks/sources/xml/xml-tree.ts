import { safeText, ProblemError } from '../../../cache/problems/problem.ts'
import { SaxesParser, type SaxesAttributeNS, type SaxesTagNS } from 'saxes'
import { xmlText } from './xml-text.ts'

/** An element; a name in a namespace is `{namespace}name`, as ElementTree has it. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (XmlElement | string)[]
}

/** A parsed XML file. */
export interface XmlFile {
  readonly file: string
  readonly root: XmlElement
}

/**
 * The root element of an XML file in its own encoding. Entities are decoded, line ends are `\n`, comments are left out
 * and split no text.
 * @throws ProblemError `benchmarks/xml` with line and column
 */
export const xmlTree = (bytes: Uint8Array, file: string): XmlElement => {
  const parser = new SaxesParser({ xmlns: true })
  const top = { name: '', attributes: {}, children: [] as (XmlElement | string)[] }
  const open: { children: (XmlElement | string)[] }[] = [top]
  const add = (child: XmlElement | string): void => {
    const siblings = open.at(-1)?.children ?? []
    const last = siblings.at(-1)
    if (typeof child === 'string' && typeof last === 'string') siblings[siblings.length - 1] = last + child
    else siblings.push(child)
  }
  parser.on('error', (error) => {
    throw new ProblemError(
      {
        code: 'benchmarks/xml',
        message: `the file is not well-formed XML: ${error.message}`,
        safe: safeText`the file is not well-formed XML`,
        where: { file, line: parser.line, column: parser.column },
        remedy: 'Fetch or export the file again.',
      },
      { cause: error },
    )
  })
  parser.on('opentag', (tag: SaxesTagNS) => {
    const element = { name: fullName(tag), attributes: attributesOf(tag), children: [] }
    add(element)
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  parser.on('text', add)
  parser.on('cdata', add)
  parser.write(xmlText(bytes, file)).close()
  const root = top.children.find((child) => typeof child !== 'string')
  if (root === undefined) throw new TypeError('the parser passed a document without a root')
  return root
}

const fullName = ({ uri, local }: Pick<SaxesTagNS, 'uri' | 'local'>): string =>
  uri === '' ? local : `{${uri}}${local}`

const isNamespace = ({ name, prefix }: SaxesAttributeNS): boolean => name === 'xmlns' || prefix === 'xmlns'

const attributesOf = ({ attributes }: SaxesTagNS): XmlElement['attributes'] =>
  Object.fromEntries(
    Object.values(attributes).flatMap((each) => (isNamespace(each) ? [] : [[fullName(each), each.value]])),
  )

/** Child elements, those of one name only where one is given. */
export const elementsOf = (parent: XmlElement, name?: string): readonly XmlElement[] =>
  parent.children.filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  )

/** The first child element of a name. */
export const elementOf = (parent: XmlElement, name: string): XmlElement | undefined =>
  elementsOf(parent, name)[0]

/** The text before an element's first child element, as ElementTree's `text`; undefined where there is none. */
export const ownText = ({ children: [first] }: XmlElement): string | undefined =>
  typeof first === 'string' ? first : undefined
