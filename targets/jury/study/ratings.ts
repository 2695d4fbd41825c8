import { remembered } from '../../../cache/once.ts'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { defined } from '../../../cache/values/defined.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { discreetError } from '../../../cache/problems/withheld.ts'
import { pyFloat } from '../../../benchmarks/python/numbers/number.ts'
import { strip } from '../../../benchmarks/python/text.ts'
import { isItemName } from '../../ratings/rubric/item-rubric.ts'
import { missingColumn, rowPlace, type Row, type Table } from '../../../benchmarks/sources/table.ts'

/** One clinician's scores of one answer, with the jury's of the same answer. */
export interface Rating {
  readonly rater: string
  readonly benchmark: string
  /** The answer: an instance and the model that answered. */
  readonly instance: string
  readonly model: string
  /** By criterion, in the table's order; of an export without those that could not be judged. */
  readonly scores: readonly number[]
  /** The criteria's names, where each was scored by itself. */
  readonly criteria?: readonly string[]
  /** The jury's, in the same order; empty where the table has none. */
  readonly jury: readonly number[]
  /** By criterion, where `jury` is a run's whole score, or a table has it of some of the criteria alone. */
  readonly juryBy?: ReadonlyMap<string, number>
  /** What the instance shares with others, such as a patient, the same name in all benchmarks; absent where it stands for itself. */
  readonly source?: string
  /** Digests of the answer and of the rubric, and the study, where the table was exported with them. */
  readonly answer?: string
  readonly rubric?: string
  readonly study?: string
  /** When it was given, UTC, where the table says so. */
  readonly at?: string
  /** Given of an answer that another model gave, too, and counted for that one: one opinion, which is told of both. */
  readonly isShared?: boolean
  /** Other metrics of the answer, by name; without those whose cell is empty. */
  readonly metrics: ReadonlyMap<string, number>
}

/** One name for the answer that a rating is of. */
export const answerKey = (rating: Pick<Rating, 'benchmark' | 'instance' | 'model'>): string =>
  JSON.stringify([rating.benchmark, rating.instance, rating.model])

/** A criterion's column of the jury; the second is the paper's script's. */
const JURY = ['jury_', 'llm_'] as const

export const juryColumn = ({ columns }: Pick<Table, 'columns'>, criterion: string): string | undefined =>
  JURY.map((prefix) => prefix + criterion).find((column) => columns.includes(column))

/** Whether a table holds clinicians' ratings. */
export const isRatings = ({ columns }: Pick<Table, 'columns'>): boolean =>
  NAMES.every(
    (name) => columns.includes(name) || (ALIASES[name] ?? []).some((alias) => columns.includes(alias)),
  )

/** Columns that name the rating; every other column with a `jury_` counterpart is a criterion. */
const NAMES = ['rater', 'instance_id', 'benchmark', 'model'] as const

/** What the paper's own tables call them. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  rater: ['username'],
  benchmark: ['dataset_name'],
  model: ['model_key'],
}

/** Names that columns may have beside those of the rating and of criteria with a `jury_` counterpart. */
interface ReadableColumns {
  /** Automatic metrics. */
  readonly automatic: readonly string[]
  /** Of the rubric, by benchmark, where the jury's scores come from a run: then no `jury_` column is needed. */
  readonly criteria?: ReadonlyMap<string, readonly string[]>
}

/**
 * Ratings from a table with the columns rater, instance_id, benchmark, model, one per criterion and `jury_<criterion>`;
 * columns of automatic metrics, such as rouge_l, may stand beside them.
 *
 * @throws ProblemError with file, row and column for what is missing, no number, given twice or contradicts itself
 */
export const readRatings = (table: Table, columns: ReadableColumns): readonly Rating[] => {
  const { automatic, criteria } = columns
  const names = new Map(NAMES.map((name) => [name, columnOf(table, name)] as const))
  const paired = table.columns.filter((column) => juryColumn(table, column) !== undefined)
  refuseOtherSpelling(table, [...(criteria?.values() ?? [])].flat())
  if (paired.length === 0 && criteria === undefined) throw noCriteria(table)
  const metrics = table.columns.filter((column) => automatic.includes(column))
  const criteriaOf = scoredCriteria(table, columns)
  // An export has no scores of the jury where no run held the answer.
  const ofJury = (row: Row, scored: readonly string[]): Pick<Rating, 'jury' | 'juryBy'> => {
    const own = scored.filter((name) => paired.includes(name))
    const isNone =
      exportedCells(row).answer !== undefined &&
      paired.every((name) => !isFilled(row, juryColumn(table, name) ?? name))
    if (isNone || own.length === 0) return { jury: [] }
    const jury = own.map((name) => numberCell(table, row, juryColumn(table, name) ?? name))
    return own.length === scored.length
      ? { jury }
      : { jury: [], juryBy: new Map(own.map((name, index) => [name, jury[index] ?? NaN])) }
  }
  const ratings = table.rows.map((row): Rating => {
    const text = (name: (typeof NAMES)[number]): string => filledCell(table, row, names.get(name) ?? name)
    const scored = criteriaOf(row)
    if (scored.length === 0 && !isLeftInPart(row)) throw noCriteria(table, row)
    const exported = exportedCells(row)
    // Nobody knows who gave an answer that is gone.
    const isGone = exported.answer !== undefined && !isFilled(row, names.get('model') ?? 'model')
    return {
      rater: text('rater'),
      benchmark: text('benchmark'),
      instance: text('instance_id'),
      model: isGone ? `answer ${exported.answer?.slice(0, 8)}` : text('model'),
      scores: scored.map((criterion) => numberCell(table, row, criterion)),
      criteria: scored,
      ...ofJury(row, scored),
      metrics: new Map(
        metrics.flatMap((metric) =>
          isFilled(row, metric) ? [[metric, numberCell(table, row, metric)] as const] : [],
        ),
      ),
      ...exported,
    }
  })
  refuseContradictions(table, ratings, criteriaOf)
  return ratings
}

/**
 * The columns of criteria: those with a column of the jury, and those of the rubric. Beside the former one that has a rubric's
 * name may be something else: an automatic metric, or comments, in which no cell is a number.
 */
export const criterionColumns = (
  table: Table,
  { automatic, criteria }: ReadableColumns,
): readonly string[] => {
  const ids = new Set(NAMES.map((name) => columnOf(table, name)))
  const ofRubric = new Set([...(criteria?.values() ?? [])].flat())
  const isPaired = (name: string): boolean => juryColumn(table, name) !== undefined
  const hasPaired = table.columns.some(isPaired)
  const isScored = (name: string): boolean =>
    !hasPaired ||
    (!automatic.includes(name) && table.rows.some((row) => pyFloat(textIn(row, name)) !== undefined))
  return table.columns.filter(
    (name) => isPaired(name) || (ofRubric.has(name) && !ids.has(name) && isScored(name)),
  )
}

/**
 * The criteria that a row is scored by: those with a column of the jury, and those of its benchmark's rubric. A table of
 * several benchmarks has columns that are empty in all rows of one; an export says why one was not judged.
 */
export const scoredCriteria = (table: Table, columns: ReadableColumns): ((row: Row) => readonly string[]) => {
  const [, , column] = NAMES.map((name) => columnOf(table, name))
  const benchmarkOf = (row: Row): unknown => row.cells.get(column ?? '')
  const paired = table.columns.some((name) => juryColumn(table, name) !== undefined)
  const ofAll = criterionColumns(table, columns)
  const filled = new Map<unknown, Set<string>>()
  for (const row of table.rows) {
    const own = remembered(filled, benchmarkOf(row), () => new Set())
    for (const name of ofAll)
      if (isFilled(row, name) || isFilled(row, juryColumn(table, name) ?? name)) own.add(name)
  }
  return (row) => {
    const benchmark = benchmarkOf(row)
    const ofRubric = columns.criteria?.get(String(benchmark)) ?? []
    const all = paired
      ? ofAll.filter(
          (name) =>
            (ofRubric.includes(name) || juryColumn(table, name) !== undefined) &&
            filled.get(benchmark)?.has(name) === true,
        )
      : ofRubric.filter((name) => ofAll.includes(name))
    // Of its own rubric's items, an instance has fewer than another one.
    const isPart = (name: string): boolean =>
      isLeftInPart(row) || (isItemName(name) && exportedCells(row).answer !== undefined)
    return all.filter((name) => !isPart(name) || isFilled(row, name))
  }
}

/** An exported rating of which a criterion, or all, could not be judged. */
export const isLeftInPart = (row: Row): boolean =>
  exportedCells(row).answer !== undefined && isFilled(row, 'reason')

/** Without exported answers that could not be judged: a result, and no score. */
const judgedRows = (table: Table, columns: ReadableColumns): Table => {
  if (!table.rows.some(isLeftInPart)) return table
  const criteriaOf = scoredCriteria(table, columns)
  return { ...table, rows: table.rows.filter((row) => !isLeftInPart(row) || criteriaOf(row).length > 0) }
}

/**
 * The ratings of several tables, as one.
 * @throws ProblemError as for one table, also where two tables hold the same rating
 */
export const readAllRatings = (tables: readonly Table[], columns: ReadableColumns): readonly Rating[] => {
  const seen = new Map<string, string>()
  const raters = new Map<string, string>()
  return tables.flatMap((given) => {
    const table = judgedRows(given, columns)
    const ratings = readRatings(table, columns)
    for (const [index, rating] of ratings.entries()) {
      const key = JSON.stringify([answerKey(rating), rating.rater])
      const earlier = seen.get(key)
      const row = table.rows[index]
      const alike = remembered(raters, rating.rater.normalize().toLowerCase(), () => rating.rater)
      if (alike !== rating.rater && row !== undefined)
        throw new ProblemError({
          code: 'targets/other-spelling',
          message: `${rating.rater} is written ${alike} in an earlier row`,
          where: rowPlace(table.file, row),
          remedy: 'Write each rater in one way.',
        })
      if (earlier !== undefined && row !== undefined)
        throw new ProblemError({
          code: 'targets/repeated-rating',
          message: `${earlier} holds ${rating.rater}'s rating of the same answer`,
          where: rowPlace(table.file, row),
          remedy: 'Keep one of the two rows.',
        })
      seen.set(key, table.file)
    }
    return ratings
  })
}

/** @throws ProblemError for a table without such a column */
const columnOf = (table: Table, name: string): string => {
  const found = [name, ...(ALIASES[name] ?? [])].find((column) => table.columns.includes(column))
  if (found !== undefined) return found
  const wanted = [...NAMES, ...Object.values(ALIASES).flat()]
  const problem = missingColumn(table, name, 'a table of ratings', { wanted })
  // What has none of them may be a first row of ratings and comments.
  if (wanted.some((known) => table.columns.includes(known))) throw discreetError(problem)
  throw new ProblemError(
    problem.problems.map(({ code, message, where }) => defined({ code, message, where, remedy: FORM })),
  )
}

const FORM = `Its first line names the columns: ${NAMES.join(', ')}, one for each criterion, such as accuracy, and jury_accuracy beside it unless --suite names the runs. \`medmake rate import --map rater=Reviewer\` takes other names.`

/** What an export says of an answer beside its scores. A column of these names may hold anything else. */
const exportedCells = (row: Row): Pick<Rating, 'answer' | 'rubric' | 'study' | 'at'> => {
  const names = ['answer', 'rubric', 'study', 'at', 'instance_id']
  const [answer = '', rubric = '', study = '', at = '', instance = ''] = names.map((name) => {
    const value = row.cells.get(name)
    return typeof value === 'string' ? value : ''
  })
  const isTimed = TIME.test(at) && !Number.isNaN(Date.parse(at))
  // Nothing is told of an answer that no run held.
  if (isTimed && answer + rubric === '' && DIGEST.test(instance) && row.cells.has('answer'))
    return { study, at }
  if (!DIGEST.test(answer) || !DIGEST.test(rubric)) return {}
  return { answer, rubric, study, ...(isTimed && { at }) }
}

const DIGEST = /^[0-9a-f]{64}$/

/** UTC, whole seconds, as events have it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

const textIn = (row: Row, column: string): string => {
  const value = row.cells.get(column)
  return typeof value === 'string' ? strip(value) : ''
}

const isFilled = (row: Row, column: string): boolean => textIn(row, column) !== ''

/** `Accuracy` beside `jury_accuracy` would be left out, and a rating be the mean of its other criteria. */
const refuseOtherSpelling = ({ columns, file }: Table, ofRubric: readonly string[]): void => {
  const ofJury = columns.flatMap((column) =>
    JURY.flatMap((prefix) => (column.startsWith(prefix) ? [column.slice(prefix.length)] : [])),
  )
  for (const name of [...ofRubric, ...ofJury].filter((each) => !columns.includes(each))) {
    const meant = columns.find((column) => spelledAlike(column) === spelledAlike(name))
    if (meant === undefined) continue
    throw new ProblemError({
      code: 'targets/other-spelling',
      message: `the criterion ${name} is written otherwise in the table: ${meant}`,
      where: { file, line: 1, field: meant },
      remedy: `Rename the column to ${name}; \`medmake rate import\` takes --map, too.`,
    })
  }
}

/** Equal for what differs in case, blanks and dashes alone; letters of any script tell. */
const spelledAlike = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '')

const noCriteria = (table: Table, row?: Row): ProblemError =>
  new ProblemError({
    code: 'targets/no-criteria',
    message: `${row === undefined ? table.file : 'the benchmark of the row'} has no criterion that both clinicians and jury scored`,
    where: row === undefined ? { file: table.file, line: 1 } : rowPlace(table.file, row, 'benchmark'),
    remedy: `${suggestion('jury_accuracy', table.columns)}Name two columns accuracy and jury_accuracy, for instance; with --suite, one as a criterion of its rubric, and the benchmark as its runs do.`,
  })

const filledCell = (table: Table, row: Row, column: string): string => {
  const text = textIn(row, column)
  if (text !== '') return text
  throw new ProblemError({
    code: 'targets/empty-rating',
    message: `the cell ${JSON.stringify(column)} is empty`,
    where: rowPlace(table.file, row, column),
    remedy: 'Fill the cell, or take the row out.',
  })
}

const numberCell = (table: Table, row: Row, column: string): number => {
  const text = filledCell(table, row, column)
  const value = pyFloat(text)
  if (value !== undefined && Number.isFinite(value)) return value
  throw new ProblemError({
    code: 'targets/rating-not-a-number',
    // A cell of the wrong column may be a comment, which may tell of a patient.
    message: 'the cell holds no score',
    where: rowPlace(table.file, row, column),
    remedy: 'Write a number, such as 4.',
  })
}

/** A clinician rates an answer once, and all rows of an answer carry the same scores of the jury. */
const refuseContradictions = (
  table: Table,
  ratings: readonly Rating[],
  criteriaOf: (row: Row) => readonly string[],
): void => {
  const seen = new Set<string>()
  const told = new Map<string, number>()
  for (const [index, each] of ratings.entries()) {
    const { rater, jury, juryBy = new Map<string, number>(), metrics } = each
    const row = table.rows[index]
    const place = row === undefined ? { file: table.file } : rowPlace(table.file, row)
    const answer = answerKey(each)
    const rating = JSON.stringify([answer, rater])
    if (seen.has(rating))
      throw new ProblemError({
        code: 'targets/repeated-rating',
        message: `${rater} rated the same answer twice`,
        where: place,
        remedy: 'Keep one of the two rows.',
      })
    seen.add(rating)
    // One of them may lack a criterion that another rater could judge.
    const names = row === undefined ? [] : criteriaOf(row)
    const ofJury = [...jury.map((score, at) => [names[at], score] as const), ...juryBy]
    const scores = [...ofJury.map(([name, score]) => [`criterion ${name}`, score] as const), ...metrics].map(
      ([name, score]) => [JSON.stringify([answer, name]), score] as const,
    )
    if (scores.some(([name, score]) => (told.get(name) ?? score) !== score))
      throw new ProblemError({
        code: 'targets/contradicting-jury',
        message: `the jury's scores or metrics differ from those in an earlier row of the same answer`,
        where: place,
        remedy: 'Write them alike in all rows of the answer.',
      })
    for (const [name, score] of scores) told.set(name, score)
  }
}
