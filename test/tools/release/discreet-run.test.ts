import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Access, ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { Target } from '../../../targets/record/target.ts'
import { readCards } from '../../../tools/release/assemble.ts'
import { discreetSpec, shownKey } from '../../../tools/release/discreet-run.ts'
import { replayStore } from '../../../tools/release/replay/replay-card.ts'
import { cardPath, printCard } from '../../../tools/release/run-card.ts'
import { toolVersion } from '../../../tools/release/tool-version.ts'
import { compareComputed, ofVersion } from '../../../tools/release/remake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { sampleRun } from '../helm/sample-run.ts'
import { madeUpCard } from './made-up-card.ts'

const SECRET = 'Ms. Poe of ward 7'

const specOf = (access: Access) => {
  const { runSpec } = sampleRun()
  const object: ObjectSpec = {
    className: 'x.Own',
    args: new Map<string, unknown>([
      ['prompt', SECRET],
      ['deep', [new Map([['of', SECRET]])]],
      ['names', ['exact_match']],
      ['least', 1],
    ]) as ObjectSpec['args'],
  }
  const benchmark = {
    ...runSpec.benchmark,
    access,
    scenario: { ...runSpec.benchmark.scenario, spec: { ...object, className: 'x.Scenario' } },
  }
  const adapter = { ...runSpec.adapter, instructions: SECRET, stopSequences: [SECRET] }
  const metrics = [{ metric: 'basic_generation', helm: object }] as Target['spec']['metrics']
  const spec = { ...runSpec, benchmark, adapter, metrics, annotators: [object] }
  return { spec } as unknown as Target
}

test('A withheld run’s spec has none of the words of its scenario, prompts, metrics and annotators; names and numbers stay.', () => {
  for (const access of ['private', 'gated'] as const) {
    const { scenarioSpec, adapterSpec, metricSpecs, annotators, ...rest } = discreetSpec(specOf(access))
    expect(rest).toMatchObject({ name: 'sums:digits=2,model=a_b', groups: ['sums'] })
    expect(adapterSpec).toMatchObject({ method: 'generation', model: 'a/b', maxTokens: 5 })
    const texts = (object: ObjectSpec): string =>
      JSON.stringify(object, (_, value: unknown) => (value instanceof Map ? [...value] : value))
    for (const own of [scenarioSpec, ...metricSpecs, ...(annotators ?? [])]) {
      expect(texts(own)).not.toContain(SECRET)
      expect([...own.args.keys()]).toEqual(['prompt', 'deep', 'names', 'least'])
      expect(own.args.get('least')).toBe(1)
    }
    expect(JSON.stringify(adapterSpec)).not.toContain(SECRET)
    expect([scenarioSpec.className, metricSpecs[0]?.className, annotators?.length]).toEqual([
      'x.Scenario',
      'x.Own',
      1,
    ])
    expect(metricSpecs[0]?.args.get('names')).toEqual(['exact_match'])
  }
})

test('A target’s key keeps its words where its texts are released, and digests of them where not.', () => {
  const key = { adapter: { instructions: SECRET, maxTokens: 5 }, instances: { arguments: { note: SECRET } } }
  expect(shownKey(key, true)).toBe(key)
  const shown = shownKey(key, false)
  expect(JSON.stringify(shown)).not.toContain(SECRET)
  expect(shown).toMatchObject({ adapter: { maxTokens: 5 }, instances: { arguments: {} } })
})

test('Records are read in the runs’ order; those of older releases, which tell none, by their paths.', async () => {
  const namesOf = async (positions: Readonly<Record<string, number | undefined>>) => {
    const bundle = temporaryFolder()
    mkdirSync(join(bundle, 'records/s'), { recursive: true })
    for (const [name, position] of Object.entries(positions))
      writeFileSync(
        join(bundle, cardPath('s', name)),
        printCard(madeUpCard({ name, ...(position === undefined ? {} : { position }) })),
      )
    return (await readCards(bundle)).map(({ name }) => name)
  }
  expect(await namesOf({ a: 2, b: 0, c: 1 })).toEqual(['b', 'c', 'a'])
  expect(await namesOf({ b: undefined, a: undefined })).toEqual(['a', 'b'])
  expect(await readCards(temporaryFolder())).toEqual([])
})

test('A replay reads replies from the release first, puts paid ones into the cache, and all else nowhere.', async () => {
  const [replies, base] = [memoryStore(), memoryStore()]
  await replies.put('completions', 'both', 'released')
  await replies.put('completions', 'theirs', 'released')
  await base.put('completions', 'both', 'cached')
  await base.put('completions', 'own', 'cached')
  await base.put('annotations', 'own', 'cached')
  const store = replayStore(replies, base)
  expect(['both', 'own', 'none'].map((id) => store.get('completions', id))).toEqual([
    'released',
    'cached',
    undefined,
  ])
  expect(['theirs', 'own', 'none'].map((id) => store.has('completions', id))).toEqual([true, true, false])
  expect([store.get('annotations', 'own'), store.has('annotations', 'own')]).toEqual([undefined, false])
  await store.put('completions', 'new', 'paid')
  await store.put('annotations', 'new', 'made')
  expect([base.get('completions', 'new'), replies.has('completions', 'new')]).toEqual(['paid', false])
  expect([store.get('annotations', 'new'), base.has('annotations', 'new')]).toEqual(['made', false])
})

test('Files that are made anew are compared by name and digest; of another version’s pages and words nothing is said.', async () => {
  const file = (path: string, sha256 = 'f1') => ({ path, size: 1, sha256 })
  const files = [
    file('README.md'),
    file('benchmark_output/releases/r/a'),
    file('records/s/x'),
    file('site/index.html'),
  ]
  const told = async (version: string, made: readonly ReturnType<typeof file>[]) => {
    const compared = await compareComputed({ version, files } as never, made)
    return { ...compared, problems: compared.problems.map(({ message }) => message) }
  }
  const own = await toolVersion()
  expect(await told(own, files)).toEqual({ recomputed: 3, problems: [] })
  expect(await told(own, [file('README.md', 'f2'), ...files.slice(2), file('site/more.html')])).toEqual({
    recomputed: 3,
    problems: [
      'README.md differs from what the runs give',
      'benchmark_output/releases/r/a does not follow from the runs',
      'site/more.html follows from the runs and is not in the release',
    ],
  })
  const remedies = async (made: readonly ReturnType<typeof file>[]) =>
    (await compareComputed({ version: own, files } as never, made)).problems.map(({ remedy }) => remedy)
  const [readme = file('README.md'), table = file('a'), ...rest] = files
  expect(await remedies([file('README.md', 'f2'), table, ...rest])).toEqual([
    expect.stringContaining('Read its tables, which follow from its runs, and not its pages'),
  ])
  expect(await remedies([...files, file('ranking.json')])).toEqual([
    expect.stringContaining('and not its ranking.json and its pages'),
  ])
  expect(await remedies([file('README.md', 'f2'), file(table.path, 'f2'), ...rest])).toEqual(
    Array(2).fill('Do not trust the release: its numbers are not those of its runs.'),
  )
  expect(await remedies([readme, table, ...rest])).toEqual([])
  const problems = [
    { code: 'release/other-result', message: 'ranking.json differs', remedy: 'Do not trust it.' },
  ]
  expect(ofVersion(problems, '0.1.0', '0.1.0')).toEqual(problems)
  expect(ofVersion(problems, '0.0.9', '0.1.0').map(({ remedy }) => remedy)).toEqual([
    'Check it by medmake 0.0.9, which made the release: this is 0.1.0, and may compute it otherwise.',
  ])
  expect(
    await told('0.0.0', [file('README.md', 'f2'), file('benchmark_output/releases/r/a', 'f2')]),
  ).toMatchObject({
    recomputed: 1,
    skipped: `the site was made by medmake 0.0.0, this is ${own}`,
    problems: [
      'benchmark_output/releases/r/a differs from what the runs give',
      'records/s/x does not follow from the runs',
    ],
  })
})
