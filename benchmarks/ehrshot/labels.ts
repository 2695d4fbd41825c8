import { ProblemError } from '../../cache/problem.ts'
import { numpyChoice } from '../sampling/numpy-random.ts'
import { openParquet } from '../sources/parquet-columns.ts'

/** One question of a task: what to predict for whom, and from when on. */
export interface Label {
  readonly subject: number | bigint
  /** Microseconds since 1970; NaN where missing. */
  readonly time: number
  readonly value: boolean
}

const COLUMNS = ['subject_id', 'prediction_time', 'boolean_value']

/** How many labels HELM draws of a lab task, and from which seed. */
const LAB_SAMPLE = { size: 10_000, seed: 1 }

/**
 * The labels of a task in the order of their file; of a `lab_` task a sample, in sampled order. A missing value counts
 * as false.
 *
 * @throws ProblemError `benchmarks/too-few-rows`, `benchmarks/parquet`, `benchmarks/missing-column`
 */
export const readLabels = async (file: string, subject: string): Promise<readonly Label[]> => {
  const parquet = await openParquet(file, COLUMNS)
  const labels: Label[] = []
  try {
    for (const [group, rows] of parquet.groups.entries()) {
      const subjects: (number | bigint)[] = []
      const times = new Float64Array(rows)
      const values: boolean[] = []
      await parquet.scan(group, 'subject_id', (cell, row) => (subjects[row] = subjectOf(cell)))
      await parquet.scan(group, 'prediction_time', (cell, row) => (times[row] = timeOf(cell)))
      await parquet.scan(group, 'boolean_value', (cell, row) => (values[row] = cell === true))
      for (const [row, subject] of subjects.entries())
        labels.push({ subject, time: times[row] ?? Number.NaN, value: values[row] ?? false })
    }
  } finally {
    await parquet.close()
  }
  return subject.startsWith('lab_') ? sample(labels, file) : labels
}

/** Microseconds, NaN where missing. */
export const timeOf = (cell: unknown): number => (typeof cell === 'number' ? cell : Number.NaN)

/** A patient's number; numbers beyond 2^53 stay bigint. */
export const subjectOf = (cell: unknown): number | bigint => {
  if (typeof cell === 'number') return cell
  if (typeof cell !== 'bigint') throw new RangeError('a subject_id is missing')
  const small = Number(cell)
  return Number.isSafeInteger(small) ? small : cell
}

const sample = (labels: readonly Label[], file: string): readonly Label[] => {
  const { size, seed } = LAB_SAMPLE
  if (labels.length < size)
    throw new ProblemError({
      code: 'benchmarks/too-few-rows',
      message: `${file} has ${labels.length} labels; a lab task asks ${size} of them`,
      where: { file },
      remedy: 'Use the whole file of the EHRSHOT release.',
    })
  return numpyChoice(labels.length, size, seed).flatMap((index) => labels.slice(index, index + 1))
}
