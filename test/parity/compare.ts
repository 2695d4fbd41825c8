import type { BenchmarkContext } from '../../benchmarks/context/context.ts'
import { findBenchmark } from '../../benchmarks/lookup/find.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { downSample } from '../../benchmarks/sampling/choose-instances.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { digestOf } from '../../cache/values/digest.ts'
import { promptText } from '../../targets/adapters/prompt.ts'
import type { Expected, ParityCase } from './case.ts'

/** One row of the table. A count that is below `instances` is a difference. */
export interface ParityRow {
  readonly label: string
  readonly source: string
  /** The greater of the two numbers of instances. */
  readonly instances: number
  /** Instances whose id and split stand at the same place as HELM's. */
  readonly ids: number
  /** Instances whose prompt is HELM's, byte for byte; those that HELM cut to a window count by id. */
  readonly prompts: number
  /** Samples that pick what HELM picks, of those compared. */
  readonly samples: { readonly equal: number; readonly compared: number }
  /** The first difference, in words; undefined where there is none. */
  readonly difference?: string
}

export const isEqual = ({ difference }: ParityRow): boolean => difference === undefined

/** Loads a case's benchmark and holds it against HELM. @throws ProblemError for data that can't be read */
export const compareCase = async (parity: ParityCase, context: BenchmarkContext): Promise<ParityRow> => {
  const benchmark = await findBenchmark(parity.benchmark, parity.args, { ...context, ...parity.context })
  const instances: Instance[] = []
  for await (const instance of benchmark.instances()) if (instance.split !== 'train') instances.push(instance)
  const asked = parity.sample === undefined ? instances : downSample(instances, parity.sample)
  const expected = parity.expected()
  const samples = sampleRow(instances, parity.samples?.() ?? new Map())
  const row = {
    label: parity.label,
    source: parity.source,
    samples,
    ...instanceRow(benchmark, asked, expected),
  }
  if (row.difference !== undefined || samples.equal === samples.compared) return row
  return { ...row, difference: `${samples.compared - samples.equal} samples pick other instances` }
}

const instanceRow = (
  benchmark: Benchmark,
  asked: readonly Instance[],
  expected: readonly Expected[],
): Pick<ParityRow, 'instances' | 'ids' | 'prompts' | 'difference'> => {
  let [ids, prompts] = [0, 0]
  const instances = Math.max(asked.length, expected.length)
  const differences: string[] = []
  for (let index = 0; index < instances; index++) {
    const [ours, theirs] = [asked[index], expected[index]]
    if (ours === undefined || theirs === undefined || !sameId(ours, theirs)) {
      differences.push(`instance ${index + 1} is ${nameOf(ours)}, HELM's ${nameOf(theirs)}`)
      continue
    }
    ids++
    if (theirs.prompt === undefined || theirs.prompt === promptDigest(benchmark, ours)) prompts++
    else differences.push(`the prompt of ${ours.id} differs`)
  }
  const [difference] = differences
  return { instances, ids, prompts, ...(difference === undefined ? {} : { difference }) }
}

const promptDigest = ({ adapter }: Benchmark, instance: Instance): string =>
  digestOf(promptText({ adapter, train: [], instance }))

const sameId = (ours: Instance, theirs: Expected): boolean =>
  ours.id === theirs.id && ours.split === theirs.split

const nameOf = (instance: { readonly id: string | number } | undefined): string =>
  instance === undefined ? 'missing' : JSON.stringify(instance.id)

const sampleRow = (
  instances: readonly Instance[],
  samples: ReadonlyMap<number, readonly PyValue[]>,
): ParityRow['samples'] => {
  const equal = [...samples].filter(([size, ids]) => {
    const ours = downSample(instances, size)
    return ours.length === ids.length && ours.every(({ id }, index) => id === ids[index])
  })
  return { equal: equal.length, compared: samples.size }
}
