import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Assembled } from '../../../tools/release/assemble.ts'
import { createRelease } from '../../../tools/release/create.ts'
import { earlierRuns } from '../../../tools/release/earlier-runs.ts'
import { askReleased, type AskedRelease } from '../../../tools/release/replay/ask-released.ts'
import { reproduceRelease } from '../../../tools/release/replay/reproduce.ts'
import type { RunCard } from '../../../tools/release/run-card.ts'
import { readSuite } from '../../../tools/session/suites.ts'
import { resolveTargets, type SuiteTarget } from '../../../tools/session/resolve-targets.ts'
import { openSession, type Session } from '../../../tools/session/session.ts'
import { stopOnSignals } from '../../../tools/session/stopper.ts'
import { findWorkspace } from '../../../tools/session/workspace/workspace.ts'
import { buildTargets } from '../../rig/build-targets.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { writeFiles } from '../../rig/workspace.ts'
import { bundleWorkspace, ROWS, type BundleWorkspace } from './bundle-workspace.ts'

const price = (deployment: string): string =>
  `{ deployment: ${deployment}, input: 1, output: 2, date: 2026-04-05, source: contract }`

let workspace: BundleWorkspace
let session: Session
let made: Assembled
let bundle: string

const targetsOf = async (...suites: readonly string[]): Promise<readonly SuiteTarget[]> =>
  resolveTargets(
    await Promise.all(
      suites.map(async (suite) => ({
        suite,
        entries: await readSuite(workspace.root, suite),
        options: {},
      })),
    ),
    session,
  )
const optionsOf = (release: string) => ({
  release,
  folder: join(workspace.root, 'out', release),
  suites: ['open', 'more', 'closed'],
  includeText: [] as readonly string[],
  ratings: false,
  warn: () => undefined,
  replace: false,
})
const cardOf = (path: string): RunCard =>
  JSON.parse(readFileSync(join(bundle, 'records', `${path}.json`), 'utf8')) as RunCard

const sha256Of = (benchmark: string): string =>
  createHash('sha256')
    .update(readFileSync(join(workspace.root, 'benchmarks', benchmark, 'data.csv')))
    .digest('hex')

beforeAll(async () => {
  workspace = await bundleWorkspace()
  writeFiles(workspace.root, {
    'medmake.yaml': 'coverage_floor: 0.75\n',
    'models/others.yaml': `prices:\n  - ${price('fake/judge')}\n  - ${price('fake/c')}\n`,
    'targets/more.conf': 'entries: [{description: "exact:model=fake/b"}]',
    'targets/late.conf':
      'entries: [{description: "exact:model=fake/a"}, {description: "exact:model=fake/c"}]',
  })
  session = await openSession({
    workspace: await findWorkspace(workspace.root),
    cwd: workspace.root,
    env: { MEDMAKE_VAULT_KEY: 'c3'.repeat(32) },
    listener: () => undefined,
    stopper: stopOnSignals(() => undefined, false),
  })
  const targets = await targetsOf('open', 'more', 'closed')
  await buildTargets(
    targets.map(({ target }) => target),
    session.env,
  )
  writeFiles(workspace.root, {
    'benchmarks/datasets.lock': `${sha256Of('exact')}  https://data.example/exact.csv\n${sha256Of('summaries')}  https://data.example/a.csv\n${'0'.repeat(64)}  https://data.example/other.csv\n`,
  })
  made = await createRelease(targets, session, { ...optionsOf('r'), includeText: ['wards'] })
  bundle = join(workspace.root, 'out/r/bundle')
})

afterAll(async () => session.close())

const usdOf = (
  { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
  input: number,
  output: number,
): number => (inputTokens * input + outputTokens * output) / 1e6

describe('A release', () => {
  test('tells its runs in the order of its suites: who answered, who judged, and for how much.', () => {
    const { runs, benchmarks } = made.release
    expect(runs.map(({ suite, name }) => `${suite} ${name}`)).toEqual([
      'open exact:model=fake_a',
      'open summaries:model=fake_a',
      'more exact:model=fake_b',
      'closed wards:model=fake_a',
      'closed rare:model=fake_b',
    ])
    expect(runs.map(({ served, judges, corrected }) => [served, judges, corrected])).toEqual([
      [['fake/a (fake-1)'], [], []],
      [['fake/a (fake-1)'], ['fake/judge: fake/judge'], []],
      [['fake/b (fake-1)'], [], []],
      // What a server calls itself may quote a text: of restricted benchmarks no record tells it.
      [['withheld name 1'], ['fake/judge: fake/judge'], []],
      [['withheld name 1'], [], []],
    ])
    for (const run of runs) expect(run).not.toHaveProperty('imported')
    const { usage } = cardOf('open/summaries:model=fake_a').record
    const [judge] = Object.values(usage.judges)
    expect(judge).toMatchObject({ calls: ROWS })
    expect(runs.map(({ usd }) => usd !== null)).toEqual([true, true, false, true, false])
    expect(runs[1]?.usd).toBeCloseTo(usdOf(usage, 3, 15), 12)
    expect(runs[1]?.juryUsd).toBeCloseTo(usdOf(judge ?? usage, 1, 2), 12)
    expect(benchmarks.map(({ name, judgePrompt }) => [name, typeof judgePrompt])).toEqual([
      ['exact', 'object'],
      ['rare', 'object'],
      ['summaries', 'string'],
      ['wards', 'string'],
    ])
  })

  test('tells of models, prices, data sets and errata those that its runs used, and no others.', () => {
    const { models, prices, datasets, errata, suites, version, date } = made.release
    expect(models.map(({ name }) => name)).toEqual(['fake/a', 'fake/b'])
    expect(prices?.map(({ deployment }) => deployment)).toEqual(['fake/a', 'fake/judge'])
    // By their URLs, wherever datasets.lock has them.
    expect(datasets).toEqual([
      { url: 'https://data.example/a.csv', sha256: sha256Of('summaries') },
      { url: 'https://data.example/exact.csv', sha256: sha256Of('exact') },
    ])
    expect([errata, suites]).toEqual([[], ['open', 'more', 'closed']])
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
    const newest = ['open/exact:model=fake_a', 'closed/rare:model=fake_b'].map(
      (path) => cardOf(path).newestCall,
    )
    // The last of all calls was among these, or within seconds of them.
    expect(Math.abs(Date.parse(date) / 86_400_000 - Math.floor(Math.max(...newest) / 86_400))).toBeLessThan(2)
  })

  test('holds the texts of public benchmarks and of those that are named, of others aggregates.', () => {
    const { withheld, includedText, files } = made.release
    expect(withheld).toMatchObject([{ suite: 'closed', run: 'rare:model=fake_b', reason: 'rare is gated' }])
    expect(includedText).toEqual(['wards'])
    const states = files.map(({ path }) => path).filter((path) => path.endsWith('/scenario_state.json'))
    expect(states.map((path) => path.split('/').at(-2))).toEqual([
      'wards:model=fake_a',
      'exact:model=fake_b',
      'exact:model=fake_a',
      'summaries:model=fake_a',
    ])
    expect(made.untold).toEqual(['closed: the letters of rare rest on withheld values'])
    expect(made.problems).toEqual([])
    expect(files.map(({ path }) => path)).not.toContain('release.json')
    expect(cardOf('open/exact:model=fake_a').benchmark).toMatchObject({ declared: { errata: [] } })
    for (const path of ['open/exact:model=fake_a', 'more/exact:model=fake_b'])
      expect(cardOf(path).record.coverage).toEqual({ evaluated: ROWS, measured: ROWS, floor: 0.75 })
  })

  test('tells no tokens and no time of a withheld run of few instances, as it tells no scores of it.', () => {
    const usageOf = (path: string) => cardOf(path).record.usage
    expect(usageOf('closed/rare:model=fake_b')).toMatchObject({
      calls: 5,
      unknown: 5,
      inputTokens: 0,
      outputTokens: 0,
      seconds: 0,
    })
    expect(usageOf('open/exact:model=fake_a')).toMatchObject({ calls: ROWS, unknown: 0 })
  })

  test('tells another one of how many instances its scores are; a damaged one and one without the run tell nothing.', async () => {
    const out = join(workspace.root, 'out')
    const told = (own: string) => earlierRuns(out, own, new Set(['rare:model=fake_b', 'none:model=a']))
    expect(await told('r')).toEqual([])
    writeFiles(out, { 'damaged/bundle/records/closed/rare:model=fake_b.json': '{' })
    expect(await told('other')).toEqual([
      { by: 'release r', name: 'rare:model=fake_b', rows: cardOf('closed/rare:model=fake_b').record.rows },
    ])
    expect(await earlierRuns(join(out, 'nowhere'), 'r', new Set(['none']))).toEqual([])
    rmSync(join(out, 'damaged'), { recursive: true })
  })

  test('is not made of runs that are not finished; each is named.', async () => {
    const late = await targetsOf('late')
    const making = createRelease(late, session, optionsOf('late'))
    await expect(making).rejects.toMatchObject({
      exitCode: 1,
      problems: [{ code: 'release/unfinished', message: 'late: exact:model=fake_c is not finished' }],
    })
  })

  test('gives the same bytes again where all that it holds replies of is scored anew.', async () => {
    const { env, benchmarks } = session
    expect(await reproduceRelease(bundle, { env, benchmarks, databases: [] })).toEqual({
      runs: 4,
      copied: [{ name: 'rare:model=fake_b', reason: 'its requests and replies are not in the release' }],
      files: made.release.files.length,
      problems: [],
    })
  })
})

describe('Another model is asked a release’s requests', () => {
  const ask = (model: string, output: string, env = session.env): Promise<AskedRelease> => {
    const { registry, benchmarks } = session
    return askReleased(bundle, model, { output, registry, env, benchmarks, databases: [] })
  }
  const callsOf = (name: string): number =>
    workspace.server.journal().calls.filter(({ model }) => model === name).length

  test('each once, however many runs had them, judged by who judged; what it does not hold is left.', async () => {
    const [output, judged] = [temporaryFolder(), callsOf('fake/judge')]
    const { runs, left, isStopped } = await ask('fake/c', output)
    expect([left.map(({ name }) => name), isStopped]).toEqual([['rare:model=fake_b'], false])
    expect(runs.map(({ name, record }) => [name, record.complete])).toEqual([
      ['exact:model=fake_c', true],
      ['summaries:model=fake_c', true],
      ['wards:model=fake_c', true],
    ])
    expect(callsOf('fake/c')).toBe(3 * ROWS)
    expect(callsOf('fake/judge') - judged).toBeLessThanOrEqual(2 * ROWS)
    const state = JSON.parse(
      readFileSync(join(output, 'exact:model=fake_c/scenario_state.json'), 'utf8'),
    ) as { readonly request_states: readonly { readonly num_prompt_tokens?: number }[] }
    expect(state.request_states).toHaveLength(ROWS)
    await ask('fake/c', temporaryFolder())
    expect(callsOf('fake/c')).toBe(3 * ROWS)
  })

  test('or told that it was stopped before all were asked.', async () => {
    const stopped = { ...session.env, stop: AbortSignal.abort() }
    expect(await ask('fake/b', temporaryFolder(), stopped)).toMatchObject({ isStopped: true })
  })

  test('unless it may not have the texts of one of them; nothing is asked then.', async () => {
    const [calls, env] = [
      workspace.server.journal().requests,
      { ...session.env, endpoint: () => ({ kind: 'nowhere' }) as const },
    ]
    expect(await problemOf(() => ask('fake/b', temporaryFolder(), env))).toMatchObject({
      code: 'models/data-agreement',
      message: expect.stringContaining('wards') as string,
    })
    expect(workspace.server.journal().requests).toBe(calls)
  })

  test('unless its runs can be put nowhere; nobody is asked then.', async () => {
    const [calls, output] = [workspace.server.journal().requests, join(temporaryFolder(), 'file')]
    writeFileSync(output, '')
    await expect(ask('fake/judge', output)).rejects.toThrow('EEXIST')
    expect(workspace.server.journal().requests).toBe(calls)
  })

  test('unless nothing declares it.', async () => {
    const [calls, nobody] = [workspace.server.journal().requests, () => ask('fake/nobody', temporaryFolder())]
    expect(await problemOf(nobody)).toMatchObject({ code: 'release/unknown-model' })
    expect(workspace.server.journal().requests).toBe(calls)
  })
})
