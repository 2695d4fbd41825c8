import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { readLabels } from '../../../benchmarks/ehrshot/labels.ts'
import { benchmarkContext, instancesOf } from '../../rig/benchmark-context.ts'
import { shared } from '../../rig/shared.ts'

const input = shared('golden/gated-and-private/inputs/ehrshot')
const SUBJECT = 'lab_anemia'

const load = async (errata: string): Promise<readonly Instance[]> => {
  const args = new Map([
    ['subject', SUBJECT],
    ['data_path', input ?? ''],
    ['errata', errata],
  ])
  const benchmark = await findBenchmark('ehrshot', args, benchmarkContext())
  return instancesOf(benchmark)
}

const answers = (instances: readonly Instance[]): readonly boolean[] =>
  instances.map(({ references }) => references[0]?.tags.length === 1)

test.skipIf(input === undefined)(
  'the corrected erratum keeps the prompts and gives each the label of its own patient and time',
  async () => {
    const [asHelm, corrected] = await Promise.all(['reproduced', 'shifted-prompts'].map(load))
    expect(corrected?.map(({ input: { text } }) => text)).toEqual(asHelm?.map(({ input: { text } }) => text))
    const labels = await readLabels(join(input ?? '', 'labels', SUBJECT, 'labels.parquet'), SUBJECT)
    expect(asHelm).toHaveLength(labels.length)
    expect(answers(asHelm ?? [])).toEqual(labels.map(({ value }) => value))
    const own = labels.toSorted((a, b) =>
      a.subject === b.subject ? Number((a.time ?? 0n) - (b.time ?? 0n)) : a.subject < b.subject ? -1 : 1,
    )
    expect(answers(corrected ?? [])).toEqual(own.map(({ value }) => value))
  },
)
