import { safeText, ProblemError } from '../../cache/problems/problem.ts'
import { FormatError } from '../../cache/problems/format-error.ts'
import { numpyChoice } from '../sampling/numpy-random.ts'
import { openParquet, type ColumnKind, type ParquetColumns } from '../sources/parquet/parquet-columns.ts'

/** A patient's number or name; NaN where it is missing. Numbers beyond 2^53 stay bigint. */
export type Subject = number | bigint | string

/** One question of a task: what to predict for whom, and from when on. */
export interface Label {
  readonly subject: Subject
  /** Nanoseconds since 1970; undefined where missing. */
  readonly time: bigint | undefined
  readonly value: boolean
}

const COLUMNS = ['subject_id', 'prediction_time', 'boolean_value']

/** How many labels HELM draws of a lab task, and from which seed. */
const LAB_SAMPLE = { size: 10_000, seed: 1 }

/**
 * The labels of a task in the order of their file; of a `lab_` task a sample, in sampled order. A label's value is what
 * Python takes for true: no zero, no empty text, but a number that is missing.
 *
 * @throws ProblemError `benchmarks/too-few-rows`, `benchmarks/parquet`, `benchmarks/missing-column`
 */
export const readLabels = async (file: string, subject: string): Promise<readonly Label[]> => {
  const parquet = await openParquet(file, COLUMNS)
  const labels: Label[] = []
  try {
    const scale = timeScale(parquet, 'prediction_time')
    const truth = truthOf(parquet)
    for (const [group, rows] of parquet.groups.entries()) {
      const subjects: Subject[] = []
      const times: (bigint | undefined)[] = []
      const values = Array.from({ length: rows }, () => false)
      await parquet.scan(group, 'subject_id', (cell, row) => (subjects[row] = subjectOf(cell)))
      await parquet.scan(group, 'prediction_time', (cell, row) => (times[row] = wholeOf(cell, scale)))
      await parquet.scan(group, 'boolean_value', (cell, row) => (values[row] = truth(cell)))
      for (const [row, subject] of subjects.entries())
        labels.push({ subject, time: times[row], value: values[row] ?? false })
    }
  } finally {
    await parquet.close()
  }
  return subject.startsWith('lab_') ? sample(labels, file) : labels
}

const SCALES: Readonly<Partial<Record<ColumnKind, bigint>>> = {
  day: 86_400_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  ns: 1n,
}

/** Nanoseconds that a column of times has in its unit. @throws ProblemError `benchmarks/column-type` */
export const timeScale = (parquet: ParquetColumns, name: string): bigint => {
  const { kind } = parquet.column(name)
  const scale = SCALES[kind]
  if (scale === undefined) throw wrongType(parquet, name, kind, 'times')
  return scale
}

const wrongType = (parquet: ParquetColumns, name: string, kind: ColumnKind, wanted: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/column-type',
    safe: safeText`a column holds values of another type than it must`,
    message: `the column ${name} must hold ${wanted}, its type is ${kind}`,
    where: { file: parquet.file, field: name },
    remedy: `Write the column with a type of ${wanted}.`,
  })

/** A time in nanoseconds. */
const wholeOf = (cell: unknown, scale: bigint): bigint | undefined =>
  typeof cell === 'bigint' || (typeof cell === 'number' && Number.isInteger(cell))
    ? BigInt(cell) * scale
    : undefined

const truthOf = (parquet: ParquetColumns): ((cell: unknown) => boolean) => {
  const { kind, note } = parquet.column('boolean_value')
  if (kind === 'other') throw wrongType(parquet, 'boolean_value', kind, 'true or false')
  return (cell) => {
    if (cell !== null && cell !== undefined) return Boolean(cell) || Number.isNaN(cell)
    // Python can't tell whether <NA> is true.
    if (note.nullable) throw new FormatError(safeText`a value is missing`)
    return note.categorical || kind === 'integer' || kind === 'float'
  }
}

/** A patient's number or name; NaN where it is missing. */
export const subjectOf = (cell: unknown): Subject => {
  if (typeof cell === 'number' || typeof cell === 'string') return cell
  if (typeof cell !== 'bigint') return Number.NaN
  const small = Number(cell)
  return Number.isSafeInteger(small) ? small : cell
}

const sample = (labels: readonly Label[], file: string): readonly Label[] => {
  const { size, seed } = LAB_SAMPLE
  if (labels.length < size)
    throw new ProblemError({
      code: 'benchmarks/too-few-rows',
      safe: safeText`the file has fewer labels than the task asks`,
      message: `${file} has ${labels.length} labels; a lab task asks ${size} of them`,
      where: { file },
      remedy: 'Use the whole file of the EHRSHOT release.',
    })
  return numpyChoice(labels.length, size, seed).flatMap((index) => labels.slice(index, index + 1))
}
