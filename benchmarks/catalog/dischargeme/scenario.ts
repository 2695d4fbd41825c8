import { groupBy } from '../../../cache/lists.ts'
import { safeText, ProblemError } from '../../../cache/problems/problem.ts'
import { stated } from '../../declaration/attributes.ts'
import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { str } from '../../python/numbers/number.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { rowPlace, type Row, type Table } from '../../sources/table.ts'

/** What is asked for and the column that holds it. */
const TARGETS = [
  ['Brief Hospital Course', 'brief_hospital_course'],
  ['Discharge Instructions', 'discharge_instructions'],
] as const

/**
 * Two questions about each hospital stay:
 * patients in the order of diagnosis.csv that triage.csv has too, their discharge notes in file order, of each stay the
 * first note and the first radiology report, then each of its targets.
 *
 * @throws ProblemError `benchmarks/not-text`, `benchmarks/id-types`
 */
export function* instances(data: SourceData): Generator<DraftInstance> {
  const table = (name: string): Table => dataFile(data.tables, name)
  checkIds(['diagnosis', 'triage', 'discharge'].map(table), 'subject_id')
  checkIds(['discharge', 'radiology', 'edstays', 'discharge_target'].map(table), 'hadm_id')
  const triaged = new Set(table('triage').rows.map((row) => idOf(row, 'subject_id')))
  const patients = new Set(table('diagnosis').rows.map((row) => idOf(row, 'subject_id')))
  const notes = byId(table('discharge'), 'subject_id')
  const reports = byId(table('radiology'), 'hadm_id')
  const arrivals = byId(table('edstays'), 'hadm_id')
  const targets = byId(table('discharge_target'), 'hadm_id')
  const seen = new Set<string>()
  for (const patient of patients)
    for (const note of triaged.has(patient) ? (notes.get(patient) ?? []) : []) {
      const stay = idOf(note, 'hadm_id')
      const report = reports.get(stay)?.[0]
      if (seen.has(stay) || report === undefined || !arrivals.has(stay)) continue
      seen.add(stay)
      const discharge = textOf(note, 'text', table('discharge'))
      const radiology = textOf(report, 'text', table('radiology'))
      for (const target of targets.get(stay) ?? [])
        for (const [name, column] of TARGETS)
          yield {
            ...question(name, discharge, radiology, textOf(target, column, table('discharge_target'))),
            attributes: { document: name, ...arrivalOf(arrivals.get(stay)?.[0]) },
          }
    }
}

/** As the emergency department wrote them down. */
const arrivalOf = (row: Row | undefined): Readonly<Record<string, string>> => ({
  gender: stated(row, 'gender'),
  race: stated(row, 'race'),
})

const question = (name: string, discharge: string, radiology: string, target: string): DraftInstance => {
  // An empty target would match between all characters; it takes nothing out.
  const note = target === '' ? discharge : discharge.split(target).join('')
  const task = `Generate the ${name} from the following patient discharge text and radiology report text.    \n\n`
  return {
    input: {
      text: `${task}Discharge Text:\n${note}\n\nRadiology Report:\n${radiology}\n\n${name}:\n`,
    },
    references: [{ text: target, tags: ['correct'] }],
    split: 'test',
  }
}

/** `11` and `11.0` are one id, as for pandas' merge. */
const idOf = (row: Row, column: string): string => str(row.cells.get(column) ?? null).replace(/\.0$/, '')

const byId = (table: Table, column: string): ReadonlyMap<string, readonly Row[]> =>
  groupBy(table.rows, (row) => idOf(row, column))

const isText = (row: Row, column: string): boolean => typeof row.cells.get(column) === 'string'

/** pandas refuses to join texts to numbers: one blank or odd id makes a column text. */
const checkIds = (tables: readonly Table[], column: string): void => {
  const texts = tables.filter((table) => table.rows.some((row) => isText(row, column)))
  const [table] = texts
  if (table === undefined || texts.length === tables.length) return
  const odd = table.rows.find((row) => !/^\d+$/.test(str(row.cells.get(column) ?? null)))
  throw new ProblemError({
    code: 'benchmarks/id-types',
    safe: safeText`an id is no number, and the ids of the other files are`,
    message: `${column} holds ${JSON.stringify(str(odd?.cells.get(column) ?? ''))}, which is no number`,
    where: odd === undefined ? { file: table.file, field: column } : rowPlace(table.file, odd, column),
    remedy: `Ids join the files, so ${column} must be a number in all of them. Take the row out or fill it.`,
  })
}

const textOf = (row: Row, column: string, table: Table): string => {
  const text = row.cells.get(column) ?? null
  if (typeof text === 'string') return text
  throw new ProblemError({
    code: 'benchmarks/not-text',
    safe: safeText`a cell that must hold text holds none`,
    message: `${column} holds ${str(text)}, a number, in every row`,
    where: rowPlace(table.file, row, column),
    remedy: `The column ${column} must hold notes. Is this the right file?`,
  })
}
