import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { inputText, type Instance } from '../../benchmarks/scenario/instance.ts'
import { digestOf } from '../../cache/values/digest.ts'
import {
  instanceDigest,
  SkippedRowTally,
  storedInstance,
  type SkippedRows,
} from '../../targets/record/instance-ref.ts'

/** The instances that its data gives. */
export interface CheckedInstances {
  /** Of the splits valid and test. */
  readonly evaluated: number
  readonly train: number
  /** Evaluated ones without a right reference. */
  readonly unanswered: number
  /** Evaluated ones that ask the same as one before them. */
  readonly repeated: number
  /** Its own code gives others when it is called again; absent where it does not. */
  readonly unsteady?: true
  readonly skipped?: SkippedRows
}

/** Reads all of a benchmark's data; twice where its own code gives it. @throws ProblemError as its data does */
export const countInstances = async (benchmark: Benchmark): Promise<CheckedInstances> => {
  const tally = new SkippedRowTally()
  const counts = { evaluated: 0, train: 0, unanswered: 0, repeated: 0 }
  const seen = new Set<string>()
  const series: string[] = []
  for await (const instance of benchmark.instances(tally.add)) {
    series.push(contentOf(instance))
    if (instance.split === 'train') {
      counts.train += 1
      continue
    }
    counts.evaluated += 1
    if (!instance.references.some(({ tags }) => tags.includes('correct'))) counts.unanswered += 1
    const asked = digestOf(inputText(instance))
    if (seen.has(asked)) counts.repeated += 1
    seen.add(asked)
  }
  const skipped = tally.result()
  return {
    ...counts,
    ...(hasOwnCode(benchmark) && !(await givesAgain(benchmark, series)) ? { unsteady: true } : {}),
    ...(skipped === undefined ? {} : { skipped }),
  }
}

const hasOwnCode = ({ isOwn, files }: Benchmark): boolean =>
  isOwn === true && files.some((file) => /(?:^|[\\/])scenario\.(?:ts|m?js)$/.test(file))

const contentOf = (instance: Instance): string => `${instance.id} ${instanceDigest(storedInstance(instance))}`

/** A run keeps the first that code gave, and nobody could make it again from code that draws or looks at a clock. */
const givesAgain = async (benchmark: Benchmark, series: readonly string[]): Promise<boolean> => {
  let at = 0
  for await (const instance of benchmark.instances()) if (contentOf(instance) !== series[at++]) return false
  return at === series.length
}
