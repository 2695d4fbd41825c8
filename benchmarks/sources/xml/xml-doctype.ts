import { safeText, ProblemError } from '../../../cache/problems/problem.ts'

/** What all entities of a file may come to, in characters: a few lines can stand for billions. */
const MOST = 8 * 2 ** 20

/** Entities within entities. */
const DEEPEST = 16

const NAME = String.raw`[\p{L}_:][\p{L}\p{N}_:.\-]*`
const DECLARATION = new RegExp(
  String.raw`<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!ENTITY\s+(%\s+)?(${NAME})\s+(?:"([^"]*)"|'([^']*)'|(?:SYSTEM|PUBLIC)[^>]*)\s*>`,
  'gu',
)
const REFERENCE = new RegExp(String.raw`&(${NAME});`, 'gu')

/** Parts of a document in which an ampersand is no reference, its tags, and references. */
const PARTS = new RegExp(
  String.raw`<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(?:[^<>"']|"[^"]*"|'[^']*')*>|&(${NAME});`,
  'gu',
)
const PREDEFINED: ReadonlySet<string> = new Set(['lt', 'gt', 'amp', 'apos', 'quot'])

/**
 * Puts what a document declares itself into its text: entities in the place of their references, attributes that have a
 * default where an element lacks them (XML 1.0, sections 3.3 and 4.3 to 4.5). A document without a DTD is given back as it
 * is; other files are never read.
 * @throws ProblemError `benchmarks/xml` for entities that come to too much or to themselves
 */
export const applyDoctype = (text: string, file: string): string => {
  const doctype = doctypeOf(text)
  if (doctype === undefined) return text
  const entities = new Map<string, string>()
  for (const [, parameter, name, double, single] of doctype.subset.matchAll(DECLARATION)) {
    const value = double ?? single
    // The first declaration counts. One of another file is left undeclared, so that whoever refers to it is told.
    if (name !== undefined && parameter === undefined && value !== undefined && !entities.has(name))
      entities.set(name, value.replace(/&#(?:x([\da-f]+)|(\d+));/gi, characterOf))
  }
  const attributes = attributesOf(doctype.subset)
  if (entities.size === 0 && attributes.size === 0) return text
  const expansion = new Expansion(entities, attributes, file)
  return text.slice(0, doctype.end) + expansion.content(text.slice(doctype.end), 0)
}

/** An attribute that a DTD declares. */
interface Attribute {
  /** With its quotes; undefined where the attribute has no default. */
  readonly value: string | undefined
  /** Blanks around and between its words are one. */
  readonly words: boolean
}
type Attributes = ReadonlyMap<string, ReadonlyMap<string, Attribute>>

const ATTRIBUTE_LIST = new RegExp(
  String.raw`<!--[\s\S]*?-->|<!ATTLIST\s+(${NAME})((?:[^<>"']|"[^"]*"|'[^']*')*)>`,
  'gu',
)
const ATTRIBUTE = new RegExp(
  String.raw`(${NAME})\s+([A-Z]+\s*\([^)]*\)|\([^)]*\)|[A-Z]+)\s+(?:#REQUIRED|#IMPLIED|(?:#FIXED\s+)?("[^"]*"|'[^']*'))`,
  'gu',
)

const attributesOf = (subset: string): Attributes => {
  const elements = new Map<string, Map<string, Attribute>>()
  for (const [, element, list = ''] of subset.matchAll(ATTRIBUTE_LIST)) {
    if (element === undefined) continue
    const declared = elements.get(element) ?? new Map<string, Attribute>()
    for (const [, name = '', type = '', value] of list.matchAll(ATTRIBUTE))
      if (!declared.has(name)) declared.set(name, { value, words: type !== 'CDATA' })
    elements.set(element, declared)
  }
  return elements
}

const characterOf = (whole: string, hexadecimal?: string, decimal?: string): string => {
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

class Expansion {
  private readonly entities: ReadonlyMap<string, string>
  private readonly file: string
  private readonly attributes: Attributes
  private written = 0

  constructor(entities: ReadonlyMap<string, string>, attributes: Attributes, file: string) {
    this.entities = entities
    this.attributes = attributes
    this.file = file
  }

  content(text: string, depth: number): string {
    return text.replace(PARTS, (part, name?: string) => {
      if (name !== undefined) return this.entity(part, name, depth, (value) => this.content(value, depth + 1))
      return /^<[^!?/]/.test(part) ? this.tag(part, depth) : part
    })
  }

  private tag(tag: string, depth: number): string {
    const declared = this.attributes.get(/[^<\s/>]+/.exec(tag)?.[0] ?? '')
    const missing = new Map(declared)
    const own = tag.replace(
      /([^\s=]+)(\s*=\s*)("[^"]*"|'[^']*')/g,
      (_, name: string, equals: string, value: string) => {
        missing.delete(name)
        const expanded = this.value(value, depth)
        return name + equals + (declared?.get(name)?.words === true ? oneBlank(expanded) : expanded)
      },
    )
    const added = [...missing].flatMap(([name, { value, words }]) => {
      if (value === undefined) return []
      const expanded = this.value(value, depth)
      return [` ${name}=${words ? oneBlank(expanded) : expanded}`]
    })
    return own.replace(/\/?>$/, (end) => added.join('') + end)
  }

  /** Within an attribute a quote that comes from an entity ends nothing, and a line break is a blank. */
  private value(text: string, depth: number): string {
    return text.replace(REFERENCE, (part, name: string) =>
      this.entity(part, name, depth, (value) =>
        this.value(value, depth + 1)
          .replaceAll('"', '&#34;')
          .replaceAll("'", '&#39;')
          .replaceAll(/[\t\n\r]/g, ' '),
      ),
    )
  }

  private entity(part: string, name: string, depth: number, expand: (value: string) => string): string {
    const value = this.entities.get(name)
    if (value === undefined || PREDEFINED.has(name)) return part
    this.written += value.length
    if (depth >= DEEPEST || this.written > MOST) throw this.problem()
    return expand(value)
  }

  private problem(): ProblemError {
    return new ProblemError({
      code: 'benchmarks/xml',
      safe: safeText`the entities of the file refer to themselves, or stand for too much`,
      message: `the entities of the file refer to themselves, or stand for more than ${MOST} characters`,
      where: { file: this.file },
      remedy: 'Write the texts that the entities stand for.',
    })
  }
}

const oneBlank = (value: string): string =>
  value.replaceAll(/[ \t\r\n]+/g, ' ').replaceAll(/(?<=^["']) | (?=["']$)/g, '')

/** The declarations within a document's own DTD, and where its DOCTYPE ends. */
const doctypeOf = (text: string): { readonly subset: string; readonly end: number } | undefined => {
  const start = /^(?:\s|<!--[\s\S]*?-->|<\?[\s\S]*?\?>)*<!DOCTYPE\b/u.exec(text)?.[0].length
  if (start === undefined) return undefined
  const token = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|"[^"]*"|'[^']*'|[[\]>]/g
  token.lastIndex = start
  let opened: number | undefined
  let closed = start
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '[') opened ??= token.lastIndex
    if (found[0] === ']') closed = found.index
    if (found[0] === '>' && (opened === undefined || closed > opened))
      return { subset: opened === undefined ? '' : text.slice(opened, closed), end: token.lastIndex }
  }
  return undefined
}
