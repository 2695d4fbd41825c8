import { ProblemError, safeText } from '../../../cache/problems/problem.ts'
import { csvTable } from '../../sources/csv/csv-table.ts'
import type { DocxFile } from '../../sources/docx-paragraphs.ts'
import { jsonLines, jsonTable } from '../../sources/json-table.ts'
import { parseJson } from '../../sources/parse-json.ts'
import { decodeIgnoring, decodeLines, decodeText, readBytes, refuseUtf16 } from '../../sources/read-text.ts'
import { faultOfGiven } from '../../sources/fetch/looks-whole.ts'
import type { LocalFile } from '../../sources/fetch/remote-file.ts'
import { STRICT_ROWS, type RowGuard, missingColumn, type Table } from '../../sources/table.ts'
import type { XmlFile } from '../../sources/xml/xml-tree.ts'
import type { PyValue } from '../../python/value.ts'
import type { SourceFormat, Source } from './locate.ts'

/** The data files of a benchmark, read and parsed, by the names of the declaration. */
export interface SourceData {
  readonly tables: ReadonlyMap<string, Table>
  readonly json: ReadonlyMap<string, JsonFile>
  readonly texts: ReadonlyMap<string, TextFile>
  readonly xml: ReadonlyMap<string, XmlFile>
  /** The XML files of each folder, in the order of its listing. */
  readonly xmlFolders: ReadonlyMap<string, readonly XmlFile[]>
  readonly documents: ReadonlyMap<string, DocxFile>
  /** The files of each folder, in the order of its listing. */
  readonly folders: ReadonlyMap<string, readonly TextFile[]>
  /** Files that the scenario reads itself, since they are too large to be held. */
  readonly files: ReadonlyMap<string, LocalFile>
}

interface JsonFile {
  readonly file: string
  /** Dicts are Maps in file order. */
  readonly value: PyValue
}

export interface TextFile {
  readonly file: string
  readonly text: string
}

/** @throws TypeError where the declaration has no data file of that name and format */
export const dataFile = <File>(files: ReadonlyMap<string, File>, name: string): File => {
  const file = files.get(name)
  if (file === undefined) throw new TypeError(`the declaration has no such data file: ${name}`)
  return file
}

/**
 * @param wanted of formats that keep columns apart, those that are read; all of a file that is not named
 * @throws ProblemError with file and line for what can't be parsed
 */
export const readSources = async (
  sources: Readonly<Record<string, Source>>,
  files: ReadonlyMap<string, LocalFile>,
  rows: RowGuard = STRICT_ROWS,
  wanted: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<SourceData> => {
  const data = {
    tables: new Map<string, Table>(),
    json: new Map<string, JsonFile>(),
    texts: new Map<string, TextFile>(),
    xml: new Map<string, XmlFile>(),
    xmlFolders: new Map<string, readonly XmlFile[]>(),
    documents: new Map<string, DocxFile>(),
    folders: new Map<string, readonly TextFile[]>(),
    files: new Map<string, LocalFile>(),
  }
  for (const [name, source] of Object.entries(sources)) {
    const local = files.get(name)
    if (local === undefined) throw new TypeError(`the data file ${name} was not located`)
    if ((source.local ?? source.path) !== undefined) await refuseStandIns(local)
    await READERS[source.format]({ name, source, local, rows, wanted: wanted.get(name) }, data)
    const table = data.tables.get(name)
    // Rows say themselves what they lack.
    const needed = table?.rows.length === 0 ? (wanted.get(name) ?? source.columns) : source.columns
    for (const column of table === undefined ? [] : needed)
      if (table?.columns.includes(column) === false)
        throw missingColumn(table, column, 'the benchmark', { wanted: needed })
  }
  return data
}

/** @throws ProblemError `benchmarks/not-the-data` */
const refuseStandIns = async ({ path, parts }: LocalFile): Promise<void> => {
  for (const file of parts ?? [{ path }]) {
    const fault = await faultOfGiven(file.path)
    if (fault === undefined) continue
    throw new ProblemError({
      code: 'benchmarks/not-the-data',
      safe: safeText`the file is not the data: ${fault}`,
      message: `${file.path} is not the data: ${fault}`,
      where: { file: file.path },
      remedy: 'Fetch the data itself, and put it there.',
    })
  }
}

interface Input {
  readonly name: string
  readonly source: Source
  readonly local: LocalFile
  readonly rows: RowGuard
  readonly wanted: readonly string[] | undefined
}

/** The maps of SourceData while they are filled. */
type Filling = { readonly [Kind in keyof SourceData]: Map<string, ValueOf<SourceData[Kind]>> }
type ValueOf<Files> = Files extends ReadonlyMap<string, infer File> ? File : never

// Readers with a library behind them are loaded late: it costs start-up time, and few benchmarks need it.
const READERS: Readonly<Record<SourceFormat, (input: Input, data: Filling) => Promise<void>>> = {
  arrow: async (input, { tables }) => {
    const { arrowTable } = await import('../../sources/arrow/arrow-table.ts')
    const { file, bytes } = await bytesOf(input)
    tables.set(input.name, arrowTable(bytes, file, input.wanted))
  },
  csv: async (input, { tables }) => {
    const { file, text, badLines } = await linesOf(input)
    const { dialect, separator, na_texts: naTexts, header } = input.source
    const { rows } = input
    const named = header === undefined ? {} : { header }
    tables.set(input.name, csvTable(text, dialect, file, { separator, naTexts, rows, badLines, ...named }))
  },
  docx: async (input, { documents }) => {
    const { docxParagraphs } = await import('../../sources/docx-paragraphs.ts')
    const { file, bytes } = await bytesOf(input)
    documents.set(input.name, { file, paragraphs: docxParagraphs(bytes, file) })
  },
  file: async ({ name, local }, { files }) => {
    files.set(name, local)
  },
  json: async (input, { tables, json }) => {
    const { file, text } = await textOf(input)
    const value = parseJson(text, file)
    if (input.source.rows === undefined) json.set(input.name, { file, value })
    else tables.set(input.name, jsonTable(value, file, input.source.rows, input.rows))
  },
  jsonl: async (input, { tables }) => {
    const { file, text, badLines } = await linesOf(input)
    tables.set(input.name, jsonLines(text, file, { rows: input.rows, badLines }))
  },
  parquet: async ({ name, local, wanted }, { tables }) => {
    const { parquetTable } = await import('../../sources/parquet/parquet-table.ts')
    tables.set(name, await parquetTable(local.parts?.map(({ path }) => path) ?? [local.path], wanted))
  },
  sqlite: async () => {},
  text: async (input, { texts }) => {
    texts.set(input.name, await textOf(input))
  },
  texts: async ({ name, local }, { folders }) => {
    const texts: TextFile[] = []
    for (const { path } of local.parts ?? [local])
      texts.push({ file: path, text: decodeText(await readBytes(path, 'data file'), path) })
    folders.set(name, texts)
  },
  xlsx: async (input, { tables }) => {
    const { xlsxTable } = await import('../../sources/xlsx/xlsx-table.ts')
    const { file, bytes } = await bytesOf(input)
    tables.set(input.name, xlsxTable(bytes, file, input.wanted))
  },
  xml: async (input, { xml }) => {
    const { xmlTree } = await import('../../sources/xml/xml-tree.ts')
    const { file, bytes } = await bytesOf(input)
    xml.set(input.name, { file, root: xmlTree(bytes, file) })
  },
  xmls: async ({ name, local }, { xmlFolders }) => {
    const { xmlTree } = await import('../../sources/xml/xml-tree.ts')
    const files: XmlFile[] = []
    for (const { path } of local.parts ?? [local])
      files.push({ file: path, root: xmlTree(await readBytes(path, 'data file'), path) })
    xmlFolders.set(name, files)
  },
}

/** The bytes of a single file, out of its zip archive or gzip wrapping; `file` names both for problems. */
const bytesOf = async ({
  source,
  local,
}: Input): Promise<{ readonly file: string; readonly bytes: Uint8Array }> => {
  const bytes = await readBytes(local.path, 'data file')
  const { path } = local
  if (source.member === undefined && !/\.gz$/i.test(path)) return { file: path, bytes }
  const { gunzip, ZipArchive } = await import('../../sources/unzip.ts')
  if (source.member === undefined) return { file: path, bytes: gunzip(bytes, path) }
  const archive = new ZipArchive(bytes, path)
  const member = archive.nameOf(source.member)
  const { optional } = source
  const entry = optional ? (archive.find(member) ?? new Uint8Array()) : archive.member(member)
  return { file: `${path}/${member}`, bytes: entry }
}

const textOf = async (input: Input): Promise<TextFile> => {
  const { file, bytes } = await bytesOf(input)
  refuseUtf16(bytes, file)
  return { file, text: decodeText(bytes, file) }
}

/** A file of rows: where bad ones are skipped, a line that does not decode is one of them. */
const linesOf = async (
  input: Input,
): Promise<TextFile & { readonly badLines: ReadonlyMap<number, ProblemError> }> => {
  const { file, bytes } = await bytesOf(input)
  refuseUtf16(bytes, file)
  if (input.source.drop_undecodable) return { file, text: decodeIgnoring(bytes), badLines: new Map() }
  if (!input.rows.skips) return { file, text: decodeText(bytes, file), badLines: new Map() }
  const { text, bad } = decodeLines(bytes, file)
  return { file, text, badLines: bad }
}

/**
 * A data file as rows: a table, or a JSON list of objects, whose keys are the columns.
 * @throws ProblemError `benchmarks/json-rows` with the item that is no object
 */
export const rowsOf = (data: SourceData, name: string, rows: RowGuard = STRICT_ROWS): Table => {
  const table = data.tables.get(name)
  if (table !== undefined) return table
  const { file, value } = dataFile(data.json, name)
  return jsonTable(value, file, undefined, rows)
}
