import { safeText, ProblemError } from '../../cache/problems/problem.ts'
import { str, float } from '../python/numbers/number.ts'
import { openParquet, type ParquetColumns } from '../sources/parquet/parquet-columns.ts'
import { subjectOf, timeScale, type Label, type Subject } from './labels.ts'

/** Codes of all events, by number. */
export interface Codes {
  readonly texts: readonly string[]
}

/** Numbers of the codes of one label's events, in time order. */
export type Timeline = Int32Array

/** Events that are held at a time, 12 bytes each; a patient with more is held alone. */
const HELD_EVENTS = 3_000_000

const COLUMNS = ['subject_id', 'time', 'code']

/**
 * For each label, in the given order, the codes of its patient's events up to its time, inclusive; events without a
 * time are left out. Labels must be sorted by patient. The file is read a row group
 * at a time, for a few patients at a time, so memory depends neither on its size nor on the number of labels.
 */
export async function* timelines(
  file: string,
  labels: readonly Label[],
): AsyncGenerator<{ readonly events: Timeline; readonly codes: Codes }> {
  const parquet = await openParquet(file, COLUMNS)
  try {
    const scale = timeScale(parquet, 'time')
    const codes = new CodeTable(await missingCode(parquet))
    const patients = [...new Set(labels.map(({ subject }) => subject))]
    const counts = await countEvents(parquet, new Map(patients.map((subject, index) => [subject, index])))
    let next = 0
    for (const batch of batches(counts.events)) {
      const held = await readEvents(parquet, patients, batch, counts, codes)
      for (const [index, patient] of batch.entries())
        for (; next < labels.length && Object.is(labels[next]?.subject, patients[patient]); next++)
          yield { events: held.until(index, unitsOf(labels[next]?.time, scale)), codes }
    }
  } finally {
    await parquet.close()
  }
}

/** A time in the unit of the events: the last whole one up to it. */
const unitsOf = (time: bigint | undefined, scale: bigint): bigint | undefined => {
  if (time === undefined) return undefined
  const units = time / scale
  return units * scale > time ? units - 1n : units
}

/** What Python prints for a missing code, which pandas decides by the column's type, and whether integers are floats. */
interface MissingCode {
  readonly text: string
  readonly floats: boolean
}

/** @throws ProblemError `benchmarks/column-type` */
const missingCode = async (parquet: ParquetColumns): Promise<MissingCode> => {
  const { kind, note } = parquet.column('code')
  if (kind !== 'text' && kind !== 'integer' && kind !== 'float' && kind !== 'bool')
    throw new ProblemError({
      code: 'benchmarks/column-type',
      safe: safeText`a column holds values of another type than it must`,
      message: `the column code must hold texts, its type is ${kind}`,
      where: { file: parquet.file, field: 'code' },
      remedy: 'Write the column with a type of texts.',
    })
  if (note.nullable) return { text: '<NA>', floats: kind === 'float' }
  let gaps = false
  if (kind === 'integer')
    for (const group of parquet.groups.keys())
      await parquet.scan(group, 'code', (cell) => (gaps ||= cell === null || cell === undefined))
  const numbers = kind === 'integer' || kind === 'float'
  return { text: note.categorical || numbers ? 'nan' : 'None', floats: kind === 'float' || gaps }
}

class CodeTable implements Codes {
  readonly texts: string[] = []
  private readonly numbers = new Map<unknown, number>()
  private readonly missing: MissingCode

  constructor(missing: MissingCode) {
    this.missing = missing
  }

  numberOf(code: unknown): number {
    const known = this.numbers.get(code)
    if (known !== undefined) return known
    this.numbers.set(code, this.texts.length)
    this.texts.push(this.textOf(code))
    return this.texts.length - 1
  }

  private textOf(code: unknown): string {
    if (typeof code === 'string') return code
    if (typeof code === 'boolean') return str(code)
    if (typeof code !== 'number' && typeof code !== 'bigint') return this.missing.text
    return str(this.missing.floats ? float(Number(code)) : code)
  }
}

interface EventCounts {
  /** Events with a time, by patient. */
  readonly events: Int32Array
  /** First and last patient of each row group, by index; undefined where none is wanted. */
  readonly spans: readonly (readonly [number, number] | undefined)[]
}

const countEvents = async (
  parquet: ParquetColumns,
  indices: ReadonlyMap<Subject, number>,
): Promise<EventCounts> => {
  const events = new Int32Array(indices.size)
  const spans: ([number, number] | undefined)[] = []
  for (const [group, rows] of parquet.groups.entries()) {
    const found = await patientsOf(parquet, group, indices)
    const times = await timesOf(parquet, group, rows)
    let span: [number, number] | undefined
    for (const [row, patient] of found.entries()) {
      if (patient < 0 || times[row] === MISSING) continue
      events[patient] = (events[patient] ?? 0) + 1
      span =
        span === undefined ? [patient, patient] : [Math.min(span[0], patient), Math.max(span[1], patient)]
    }
    spans.push(span)
  }
  return { events, spans }
}

/** Stands for a missing time, as in Arrow and numpy. */
const MISSING = -(2n ** 63n)

const timesOf = async (parquet: ParquetColumns, group: number, rows: number): Promise<BigInt64Array> => {
  const times = new BigInt64Array(rows)
  await parquet.scan(group, 'time', (cell, row) => {
    times[row] = typeof cell === 'bigint' || typeof cell === 'number' ? BigInt(cell) : MISSING
  })
  return times
}

/** Index of each row's patient, -1 for one that is not wanted. */
const patientsOf = async (
  parquet: ParquetColumns,
  group: number,
  indices: ReadonlyMap<Subject, number>,
): Promise<Int32Array> => {
  const found = new Int32Array(parquet.groups[group] ?? 0)
  await parquet.scan(group, 'subject_id', (cell, row) => {
    const subject = subjectOf(cell)
    // Events of nobody belong to no label of nobody.
    found[row] = Number.isNaN(subject) ? -1 : (indices.get(subject) ?? -1)
  })
  return found
}

/** Neighbouring patients whose events can be held together. */
function* batches(events: Int32Array): Generator<readonly number[]> {
  let batch: number[] = []
  let held = 0
  for (const [patient, count] of events.entries()) {
    if (batch.length > 0 && held + count > HELD_EVENTS) {
      yield batch
      batch = []
      held = 0
    }
    batch.push(patient)
    held += count
  }
  if (batch.length > 0) yield batch
}

const readEvents = async (
  parquet: ParquetColumns,
  patients: readonly Subject[],
  batch: readonly number[],
  { events, spans }: EventCounts,
  codes: CodeTable,
): Promise<HeldEvents> => {
  const held = new HeldEvents(batch.map((patient) => events[patient] ?? 0))
  const indices = new Map(batch.map((patient, index) => [patients[patient] ?? 0, index]))
  const [first = 0, last = 0] = [batch[0], batch.at(-1)]
  for (const [group, rows] of parquet.groups.entries()) {
    const span = spans[group]
    if (span === undefined || span[0] > last || span[1] < first) continue
    const found = await patientsOf(parquet, group, indices)
    const times = await timesOf(parquet, group, rows)
    await parquet.scan(group, 'code', (cell, row) => {
      const [index = -1, time = MISSING] = [found[row], times[row]]
      if (index >= 0 && time !== MISSING) held.add(index, time, codes.numberOf(cell))
    })
  }
  held.sort()
  return held
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** Events of a few patients, those of one beside each other. */
class HeldEvents {
  private readonly starts: Int32Array
  private readonly filled: Int32Array
  private readonly times: BigInt64Array
  private readonly codes: Int32Array

  constructor(counts: readonly number[]) {
    this.starts = new Int32Array(counts.length + 1)
    for (const [index, count] of counts.entries()) this.starts[index + 1] = (this.starts[index] ?? 0) + count
    this.filled = this.starts.slice()
    const total = this.starts.at(-1) ?? 0
    this.times = new BigInt64Array(total)
    this.codes = new Int32Array(total)
  }

  add(index: number, time: bigint, code: number): void {
    const at = this.filled[index] ?? 0
    this.times[at] = time
    this.codes[at] = code
    this.filled[index] = at + 1
  }

  /** By time, events of one time in file order. */
  sort(): void {
    for (let index = 0; index + 1 < this.starts.length; index++) {
      const times = this.times.subarray(this.starts[index], this.starts[index + 1])
      if (times.every((time, at) => at === 0 || (times[at - 1] ?? 0n) <= time)) continue
      const codes = this.codes.subarray(this.starts[index], this.starts[index + 1])
      const order = Uint32Array.from(times.keys()).sort(
        (a, b) => compare(times[a] ?? 0n, times[b] ?? 0n) || a - b,
      )
      const [oldTimes, oldCodes] = [times.slice(), codes.slice()]
      for (const [at, from] of order.entries()) {
        times[at] = oldTimes[from] ?? 0n
        codes[at] = oldCodes[from] ?? 0
      }
    }
  }

  /** Codes of a patient's events up to a time; none for a time that is missing. */
  until(index: number, time: bigint | undefined): Timeline {
    const [start = 0, end = 0] = [this.starts[index], this.starts[index + 1]]
    let [low, high] = [start, time === undefined ? start : end]
    while (low < high) {
      const middle = (low + high) >> 1
      if (time !== undefined && (this.times[middle] ?? 0n) <= time) low = middle + 1
      else high = middle
    }
    return this.codes.subarray(start, low)
  }
}
