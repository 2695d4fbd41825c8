import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readSources } from '../../../benchmarks/declaration/data/scenario-data.ts'
import { SourceSection } from '../../../benchmarks/declaration/data/locate.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

/** The file's name and its contents. */
export type Bad = readonly [name: string, content: string | Uint8Array]

/** A mistake's title, the file, what the declaration says of it, the problem's code and place. */
export type Case = readonly [
  title: string,
  file: Bad,
  source: Readonly<Record<string, unknown>>,
  code: string,
  where?: Readonly<Record<string, unknown>>,
]

/** Cases with names for their parts. */
export const named = (cases: readonly Case[]) =>
  cases.map(([title, file, source, code, where = {}]) => ({ title, file, source, code, where }))

const MAPPING = {
  from: 'rows',
  split: 'test',
  id: '{id}',
  input: '{text}',
  references: [{ text: '{answer}', correct: true }],
}

const declaration = (data: object): string =>
  JSON.stringify({
    name: 'bad',
    description: 'A bad file.',
    access: 'public',
    protocols: [
      {
        version: 'helm-0.5.16',
        data: { rows: data },
        instances: [MAPPING],
        adapter: { method: 'generation', max_train_instances: 0, max_tokens: 5, stop_sequences: [] },
        metrics: ['exact_match'],
        main_metric: { name: 'exact_match', split: 'test' },
      },
    ],
  })

export const write = (root: string, files: Readonly<Record<string, string | Uint8Array>>): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

/** Loads a benchmark of id, text and answer whose only data file is this one. */
export const loadRows = async (
  [name, content]: Bad,
  source: Readonly<Record<string, unknown>>,
): Promise<number> => {
  const workspace = temporaryFolder()
  write(workspace, {
    'benchmarks/bad/benchmark.yaml': declaration({ path: name, ...source }),
    [`benchmarks/bad/${name}`]: content,
  })
  const benchmark = await findBenchmark('bad', new Map(), benchmarkContext({ workspace }))
  let count = 0
  for await (const _ of benchmark.instances()) count += 1
  return count
}

/** Reads the file alone: for formats that a scenario's code reads. */
export const readFileOf = async (
  [name, content]: Bad,
  source: Readonly<Record<string, unknown>>,
): Promise<unknown> => {
  const folder = temporaryFolder()
  write(folder, { [name]: content })
  const path = join(folder, name)
  return readSources(
    { x: SourceSection.parse({ path: name, ...source }) },
    new Map([['x', { path, digest: '' as Digest<'file'> }]]),
  )
}
