import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { str } from '../../benchmarks/python/numbers/number.ts'
import type { Expected, ParityCase } from './case.ts'
import { entriesOf, field, listOf, readHelmFile } from './helm-file.ts'
import { runCases } from './run-cases.ts'
import { standInMirror } from './stand-ins.ts'

const BENCHMARKS = 'golden/public-benchmarks'
const SYNTHETIC = 'golden/public-synthetic'
/** HELM's runs of two benchmarks have other names than their run entries. */
const RUN_NAMES: Readonly<Record<string, string>> = { med_qa: 'medhelm_med_qa', med_mcqa: 'medhelm_med_mcqa' }

/**
 * The public benchmarks: every instance of those that HELM read from published data, and of those that it read from
 * invented files.
 * @param folder empty folder for data that stands for what is not at hand
 */
export const publicCases = (shared: string, folder: string): readonly ParityCase[] => {
  const context = { mirror: standInMirror(shared, folder) }
  const digests = join(shared, BENCHMARKS, 'digests')
  const all = readdirSync(digests)
    .toSorted()
    .map((file) => digestCase(join(digests, file), `${BENCHMARKS}/digests/${file}`, context))
  const runs = join(shared, SYNTHETIC, 'runs')
  if (!existsSync(runs)) return all
  const nameOf = (run: string): string => RUN_NAMES[run] ?? run
  return [...all, ...runCases({ runs, source: `${SYNTHETIC}/runs`, context, nameOf })]
}

const digestCase = (path: string, source: string, context: ParityCase['context']): ParityCase => {
  const file = readHelmFile(path)
  const benchmark = str(field(file, 'benchmark'))
  return {
    benchmark,
    args: new Map(),
    label: benchmark,
    source,
    context,
    expected: () => listOf(field(file, 'rows')).map((row) => expectedOf(str(row))),
    samples: () =>
      new Map(entriesOf(field(file, 'sampled_ids')).map(([size, ids]) => [Number(size), listOf(ids)])),
  }
}

const expectedOf = (row: string): Expected => {
  const [id = '', split = '', prompt = ''] = row.split('\t')
  return { id, split, prompt }
}
