import { SaxesParser, type SaxesTagNS } from 'saxes'

/** A tag of SpreadsheetML, without its prefix. */
export interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** How many elements it lies in. */
  readonly depth: number
}

export interface Handlers {
  readonly open?: (tag: Tag) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/**
 * Reads a part of a workbook; tags of other vocabularies than `namespace` are passed with an empty name. Attributes keep
 * their prefix.
 * @throws Error of the parser for what is no well-formed XML
 */
export const parsePart = (xml: string, handlers: Handlers, namespace = MAIN): void => {
  if (xml === '') return
  const parser = new SaxesParser({ xmlns: true })
  let depth = 0
  const nameOf = ({ uri, local }: SaxesTagNS): string => (uri === namespace ? local : '')
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (tag) => {
    const attributes = Object.fromEntries(
      Object.values(tag.attributes).map(({ name, value }) => [name, value]),
    )
    handlers.open?.({ name: nameOf(tag), attributes, depth })
    depth += 1
  })
  const { text, close } = handlers
  if (text) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  parser.on('closetag', (tag) => {
    depth -= 1
    close?.(nameOf(tag))
  })
  parser.write(xml).close()
}
