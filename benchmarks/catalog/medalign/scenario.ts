import { safeText, ProblemError } from '../../../cache/problems/problem.ts'
import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { numberOf, pyInt, str } from '../../python/numbers/number.ts'
import type { PyValue } from '../../python/value.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { decodeText, readBytes, universalNewlines } from '../../sources/read-text.ts'
import type { LocalPart } from '../../sources/fetch/remote-file.ts'
import { rowPlace, type Row, type Table } from '../../sources/table.ts'
import { tiktoken } from '../../../cache/tokens/tiktoken.ts'

/** HELM's template and what it leaves for the answer. */
const prompt = (record: string, question: string): string =>
  `Instruction: Answer the following question based on the EHR:\n\nEHR: ${record}\n\nQuestion: ${question}\n\nAnswer:`
const ANSWER_TOKENS = 256

/**
 * Clinicians' instructions on a patient's record, which keeps its end where it is too long.
 * @throws ProblemError `benchmarks/not-text`, `benchmarks/no-record`, `benchmarks/record-name`
 */
export async function* instances(
  data: SourceData,
  args: ReadonlyMap<string, PyValue>,
): AsyncGenerator<DraftInstance> {
  const tokens = tiktoken('cl100k_base')
  const maxLength = Number(args.get('max_length'))
  const asked = dataFile(data.tables, 'instructions')
  // A repeated id keeps its place and takes the last row.
  const instructions = new Map(asked.rows.map((row) => [idOf(row, 'instruction_id'), row]))
  const answered = dataFile(data.tables, 'responses')
  const folder = dataFile(data.files, 'records')
  const records = recordsOf(folder.parts ?? [])
  let last = { path: '', text: '' }
  for (const row of answered.rows) {
    const instruction = instructions.get(idOf(row, 'instruction_id'))
    if (instruction === undefined || row.cells.get('annotator_num') !== 'Annotator_1') continue
    const question = textOf(instruction, 'question', asked)
    const path = records.get(patientOf(instruction))
    if (path === undefined) throw noRecord(instruction, asked, folder.path)
    if (path !== last.path)
      last = { path, text: universalNewlines(decodeText(await readBytes(path, 'record'), path)) }
    const room =
      maxLength - ANSWER_TOKENS - tokens.count(prompt('{ehr}', '{question}')) - tokens.count(question)
    const record = tokens.tail(last.text, Math.max(0, room))
    yield {
      input: { text: `\nQuestion: ${prompt(record, question)}` },
      references: [{ text: textOf(row, 'clinician_response', answered), tags: ['correct'] }],
      split: 'test',
      cluster: patientOf(instruction),
    }
  }
}

/** Records by the patient's number, which is the file name up to the first dot. */
const recordsOf = (parts: readonly LocalPart[]): ReadonlyMap<string, string> => {
  const records = new Map<string, string>()
  for (const { name, path } of parts) {
    const id = pyInt(name.split('.')[0] ?? '')
    if (id === undefined || records.has(String(id)))
      throw new ProblemError({
        code: 'benchmarks/record-name',
        safe: safeText`a record is not named by the number of its patient, or another has the same`,
        message:
          id === undefined
            ? `${name} does not start with a patient's number`
            : `two records are of patient ${id}`,
        where: { file: path },
        remedy: 'The folder must hold one file a patient, named <number>.xml. Move this one away.',
      })
    records.set(String(id), path)
  }
  return records
}

const patientOf = (row: Row): string => idOf(row, 'person_id')

/** A blank cell makes the whole column floats in one of the tables: pandas joins 7.0 with 7. */
const idOf = (row: Row, column: string): string => {
  const id = row.cells.get(column) ?? null
  return typeof id === 'string' || id === null || typeof id === 'bigint'
    ? str(id)
    : String(numberOf(id as number))
}

const noRecord = (row: Row, table: Table, folder: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/no-record',
    safe: safeText`a patient has no record`,
    message: `patient ${patientOf(row)} has no record in ${folder}`,
    where: rowPlace(table.file, row, 'person_id'),
    remedy: 'Put <number>.xml of this patient there, or take the row out.',
  })

const textOf = (row: Row, column: string, table: Table): string => {
  const text = row.cells.get(column) ?? null
  if (typeof text === 'string') return text
  throw new ProblemError({
    code: 'benchmarks/not-text',
    safe: safeText`a cell that must hold text holds none`,
    message: `${column} is ${str(text)}, which is no text`,
    where: rowPlace(table.file, row, column),
    remedy: 'Fill the cell, or take the row out. NA reads as an empty cell, a column of numbers as numbers.',
  })
}
