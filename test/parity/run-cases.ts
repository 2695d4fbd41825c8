import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { str } from '../../benchmarks/python/numbers/number.ts'
import { digestOf } from '../../cache/values/digest.ts'
import type { Expected, ParityCase } from './case.ts'
import { entriesOf, field, listOf, readHelmFile } from './helm-file.ts'

export interface RunFolder {
  /** Folder with one folder a run. */
  readonly runs: string
  /** Name of the folder in the table. */
  readonly source: string
  readonly context: ParityCase['context']
  /** The benchmark's name in run entries, where HELM's runs have another. */
  readonly nameOf?: (run: string) => string
  /** The arguments for a run, given HELM's own. */
  readonly argumentsOf?: (
    benchmark: string,
    args: readonly (readonly [string, PyValue])[],
  ) => ReadonlyMap<string, PyValue>
}

/** A case for each run that HELM wrote. */
export const runCases = (folder: RunFolder): readonly ParityCase[] =>
  readdirSync(folder.runs)
    .toSorted()
    .map((run) => runCase(run, folder))

const runCase = (run: string, { runs, source, context, nameOf, argumentsOf }: RunFolder): ParityCase => {
  const read = (file: string): PyValue => readHelmFile(join(runs, run, file))
  const plainName = run.split(/[:,]/)[0] ?? run
  const benchmark = nameOf?.(plainName) ?? plainName
  const runSpec = read('run_spec.json')
  const args = entriesOf(field(runSpec, 'scenario_spec', 'args'))
  const sample = field(runSpec, 'adapter_spec', 'max_eval_instances')
  const own = args.filter(([name, value]) => name !== 'data_path' && value !== null)
  return {
    benchmark,
    args: argumentsOf?.(benchmark, args) ?? new Map(args),
    label: [benchmark, ...own.map(([name, value]) => `${name}=${str(value)}`)].join(' '),
    source,
    context,
    expected: () => listOf(field(read('scenario_state.json'), 'request_states')).map(expectedOf),
    ...(typeof sample === 'number' ? { sample } : {}),
  }
}

const expectedOf = (state: PyValue): Expected => {
  const id = field(state, 'instance', 'id')
  const cut = field(state, 'prompt_truncated') === true || field(state, 'prompt', 'truncated') === true
  return {
    id: typeof id === 'number' ? id : str(id),
    split: str(field(state, 'instance', 'split')),
    ...(cut ? {} : { prompt: digestOf(str(field(state, 'request', 'prompt'))) }),
  }
}
