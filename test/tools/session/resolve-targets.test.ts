import { beforeAll, expect, test } from 'vitest'
import type { ProblemError } from '../../../cache/problems/problem.ts'
import { catalogRegistry } from '../../../models/registry/load.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import { runEntryOf } from '../../../targets/entries/run-entry.ts'
import { resolveTargets } from '../../../tools/session/resolve-targets.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const YAML =
  'name: own\ndescription: x\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{name: exact_match}]\naccess: public\n'

let registry: ModelRegistry
beforeAll(async () => {
  registry = await catalogRegistry()
})

/** The runs of suites of such entries; what is unknown is told. */
const resolved = async (
  suites: readonly (readonly [suite: string, ...entries: readonly string[]])[],
  told?: string[],
) => {
  const workspace = createWorkspace({
    'own.yaml': YAML,
    'twin.yaml': YAML.replace('5', '6'),
    'prompt.txt': 'Note: {note}',
    'data.csv': 'note,correct_answer\na,b\n',
  })
  const onUnknown = told && ((error: ProblemError) => void told.push(error.message))
  const found = await resolveTargets(
    suites.map(([suite, ...entries]) => ({
      suite,
      entries: entries.map(runEntryOf),
      options: onUnknown === undefined ? {} : { onUnknown },
    })),
    { registry, benchmarks: benchmarkContext({ workspace }) },
  )
  return found.map(({ suite, target }) => `${suite} ${target.spec.name}`)
}

const entry = (args: string): string => `medhelm_configurable_benchmark:${args},model=baseline/lead`
const OWN = entry('config_path=own.yaml')
const NAME = 'own:model=baseline_lead'

test('A run that comes up twice in a suite, or whose suite is named twice, is one, and in another suite another', async () => {
  expect(
    await resolved([
      ['a', OWN, OWN],
      ['b', OWN],
      ['a', OWN],
    ]),
  ).toEqual([`a ${NAME}`, `b ${NAME}`])
})

test.each([
  ['another benchmark', entry('config_path=twin.yaml'), 'two different benchmarks give the run own'],
  [
    'other settings',
    entry('increase_max_tokens=3,config_path=own.yaml'),
    'different settings: max_tokens 5 and 8',
  ],
])(
  'Of one suite a run of %s that has the name of one is refused, of two suites it is not',
  async (_, twin, words) => {
    const problem = await problemOf(() => resolved([['a', OWN, twin]]))
    expect(problem).toMatchObject({ code: 'targets/duplicate-name', message: expect.stringContaining(words) })
    expect(
      await resolved([
        ['a', OWN],
        ['b', twin],
      ]),
    ).toHaveLength(2)
  },
)

test('What nothing declares is told where others are left, and is the error where none is', async () => {
  const told: string[] = []
  const unknown = 'nobody_knows:model=baseline/lead'
  expect(await problemOf(() => resolved([['a', unknown]], told))).toMatchObject({
    code: expect.stringMatching(/unknown/),
  })
  expect(told).toEqual([])
  expect(await resolved([['a', unknown, OWN]], told)).toEqual([`a ${NAME}`])
  expect(told).toEqual([expect.stringContaining('nobody_knows')])
})
