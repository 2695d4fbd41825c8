import { dirname, resolve } from 'node:path'
import { ProblemError } from '../../cache/problem.ts'
import type { BenchmarkContext } from '../context.ts'
import { JsonError, loads } from '../python/json.ts'
import type { PyValue } from '../python/value.ts'
import { csvTable } from '../sources/csv-table.ts'
import { fileDigest } from '../sources/file-digest.ts'
import { remoteFile, type LocalFile } from '../sources/remote-file.ts'
import { decodeText, readBytes } from '../sources/read-text.ts'
import type { Table } from '../sources/table.ts'
import { fillText, type Placeholders } from './fill.ts'
import type { Source } from './schema.ts'

/** The data files of a benchmark, read and parsed, by the names of the declaration. */
export interface ScenarioData {
  readonly tables: ReadonlyMap<string, Table>
  readonly json: ReadonlyMap<string, JsonFile>
  readonly texts: ReadonlyMap<string, TextFile>
}

export interface JsonFile {
  readonly file: string
  /** Dicts are Maps in file order. */
  readonly value: PyValue
}

export interface TextFile {
  readonly file: string
  readonly text: string
}

/** Brings a source's file to this machine. @throws ProblemError */
export const locate = async (
  source: Source,
  placeholders: Placeholders,
  declaration: string,
  context: BenchmarkContext,
): Promise<LocalFile> => {
  if (source.url !== undefined) {
    const url = fillText(source.url, placeholders)
    return remoteFile(source.sha256 === undefined ? { url } : { url, sha256: source.sha256 }, context)
  }
  const path = resolve(dirname(declaration), fillText(source.path ?? '', placeholders))
  try {
    return { path, digest: await fileDigest(path, context.fileDigests) }
  } catch (error) {
    // Reading tells what is wrong in the user's terms.
    await readBytes(path, 'data file')
    throw error
  }
}

/** @throws ProblemError with file and line for what can't be parsed */
export const readSources = async (
  sources: Readonly<Record<string, Source>>,
  files: ReadonlyMap<string, LocalFile>,
): Promise<ScenarioData> => {
  const tables = new Map<string, Table>()
  const json = new Map<string, JsonFile>()
  const texts = new Map<string, TextFile>()
  for (const [name, { format, dialect }] of Object.entries(sources)) {
    const file = files.get(name)?.path ?? name
    const bytes = await readBytes(file, 'data file')
    if (format === 'xlsx') {
      // Loaded late: zip and XML readers cost start-up time, and few benchmarks need them.
      const { xlsxTable } = await import('../sources/xlsx-table.ts')
      tables.set(name, xlsxTable(bytes, file))
    } else if (format === 'csv') tables.set(name, csvTable(decodeText(bytes, file), dialect, file))
    else if (format === 'json') json.set(name, { file, value: parseJson(decodeText(bytes, file), file) })
    else texts.set(name, { file, text: decodeText(bytes, file) })
  }
  return { tables, json, texts }
}

const parseJson = (text: string, file: string): PyValue => {
  try {
    return loads(text)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw new ProblemError(
      {
        code: 'benchmarks/json',
        message: `the file is not JSON: ${error.message}`,
        where: { file, line: error.line, column: error.column },
        remedy: 'Fetch or export the file again.',
      },
      { cause: error },
    )
  }
}
