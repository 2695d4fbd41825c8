import type { SourceData } from '../../benchmarks/declaration/data/scenario-data.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { Paragraph } from '../../benchmarks/sources/docx-paragraphs.ts'
import { xmlTree } from '../../benchmarks/sources/xml/xml-tree.ts'

type Named<Value> = Readonly<Record<string, Value>>

/** Data files as a scenario gets them; each is named `<name>.data`. */
export const scenarioData = (given: {
  readonly tables?: Named<readonly Named<PyValue>[]>
  readonly json?: Named<PyValue>
  readonly texts?: Named<string>
  readonly xml?: Named<string>
  readonly xmlFolders?: Named<readonly string[]>
  readonly documents?: Named<readonly Paragraph[]>
  readonly folders?: Named<readonly string[]>
}): SourceData => {
  const named = <From, To>(
    files: Named<From> = {},
    make: (from: From, file: string) => To,
  ): Map<string, To> =>
    new Map(Object.entries(files).map(([name, from]) => [name, make(from, `${name}.data`)]))
  const empty: SourceData = {
    tables: new Map(),
    json: new Map(),
    texts: new Map(),
    xml: new Map(),
    xmlFolders: new Map(),
    documents: new Map(),
    folders: new Map(),
    files: new Map(),
  }
  return {
    ...empty,
    tables: named(given.tables, (rows, file) => ({
      file,
      columns: [...new Set(rows.flatMap((row) => Object.keys(row)))],
      rows: rows.map((row, index) => ({
        cells: new Map(Object.entries(row)),
        row: index + 1,
        line: index + 2,
      })),
    })),
    json: named(given.json, (value, file) => ({ file, value })),
    texts: named(given.texts, (text, file) => ({ file, text })),
    xml: named(given.xml, (text, file) => ({ file, root: xmlTree(Buffer.from(text), file) })),
    xmlFolders: named(given.xmlFolders, (texts, file) =>
      texts.map((text) => ({ file, root: xmlTree(Buffer.from(text), file) })),
    ),
    documents: named(given.documents, (paragraphs, file) => ({ file, paragraphs })),
    folders: named(given.folders, (texts, file) => texts.map((text) => ({ file, text, name: file }))),
  }
}
