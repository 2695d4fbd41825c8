import { chmodSync, readdirSync, statSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Access } from '../../../../benchmarks/scenario/benchmark.ts'
import { ClientError } from '../../../../models/calls/client.ts'
import { createRegistry } from '../../../../models/registry/registry.ts'
import { boardUncertainty } from '../../../../targets/board/board-uncertainty.ts'
import type { Built } from '../../../../targets/runs/board-metric.ts'
import { storedRuns } from '../../../../targets/runs/stored-run.ts'
import { emitRun } from '../../../../tools/session/emit-run.ts'
import { siteSuite } from '../../../../tools/site/content/site-suite.ts'
import { storedJudges, type SiteJudges } from '../../../../tools/site/content/stored-judges.ts'
import { emitSite } from '../../../../tools/site/emit/emit.ts'
import type { SiteSuite } from '../../../../tools/site/site.ts'
import { buildTargets } from '../../../rig/build-targets.ts'
import { canary, filesWithCanaries, foundIn } from '../../../rig/canary.ts'
import { askedText, madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../../rig/made-up-run.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

const ROWS = 12
const MODELS = ['m/a', 'm/b']

/** Whatever can hold a patient's words does: ids, texts, arguments, skipped rows, replies, failures. */
const built = async (access: Access, isReadable = true) => {
  const instances = madeUpInstances(
    Array.from({ length: ROWS }, (_, row) => [`row ${row}, ${canary(row)}`, canary(100 + row)] as const),
  ).map((each, row) => ({ ...each, id: canary(200 + row), subSplit: canary(400) }))
  const target = (model: string) =>
    madeUpTarget({
      instances,
      access,
      model,
      judges: ['one', 'two'],
      adapter: {
        instructions: canary(303),
        inputPrefix: canary(304),
        stopSequences: ['.', canary(305)],
      },
      benchmark: {
        scenario: {
          spec: { className: 'Letters', args: new Map([['ward', canary(301)]]) },
          name: 'letters',
          description: '',
          tags: [],
          definitionPath: '',
        },
        instances: async function* (onSkipped) {
          onSkipped?.({ file: canary(302), row: 3, reason: 'missing-answer' })
          yield* instances
        },
      },
    })
  const run = await madeUpRun((request, deployment) => {
    const text = askedText(request)
    if (!isReadable && deployment.startsWith('j/')) return textReply('no idea')
    if (deployment === 'j/one') return textReply('{"accuracy": {"score": 1}}')
    if (deployment === 'j/two') return textReply('{"accuracy": {"score": 5}}')
    if (text.startsWith('row 0,') && deployment === 'm/b')
      throw new ClientError('http/400', text, { retriable: false, status: 400 })
    return textReply(`It is ${canary(Number(/row (\d+)/.exec(text)?.[1]) + 100)}`)
  })
  const runs: Built[] = []
  await buildTargets(
    MODELS.map(target),
    run.env,
    async (result) => void runs.push({ suite: 'all', ...result }),
  )
  return { runs, env: run.env }
}

const registry = createRegistry([], [])

const sites = new Map<Access, { site: string; suite: SiteSuite; judges: readonly SiteJudges[] }>()

beforeAll(async () => {
  for (const access of ['public', 'gated', 'private'] as const) {
    const { runs, env } = await built(access)
    const suite = await siteSuite({
      suite: 'all',
      runs: runs.map(storedRuns({ env, registry, coverageFloor: 0.5 })),
      prices: new Map(),
      uncertainty: async (board, values) => boardUncertainty(board, values),
    })
    const judges = await storedJudges(runs, { env, registry, coverage: new Map() })
    const site = temporaryFolder()
    await emitSite(site, {
      suites: [{ ...suite, judges }],
      assets: { script: '', answers: '', style: '' },
      inputs: '',
    })
    sites.set(access, { site, suite, judges })
  }
})

const found = (access: Access) => {
  const site = sites.get(access)
  if (site === undefined) throw new Error('it was not written')
  return site
}

describe.each(['gated', 'private'] as const)('The site of runs that are %s', (access) => {
  test('holds no id, text, argument, row or failure of theirs.', () => {
    expect(filesWithCanaries(found(access).site)).toEqual([])
  })

  test('is given none: a page of another kind would not have any to show.', () => {
    const { suite, judges } = found(access)
    for (const { facts, instances, prompt } of suite.runs) {
      expect([instances, prompt]).toEqual([undefined, undefined])
      expect(foundIn(JSON.stringify(facts))).toEqual([])
    }
    expect(foundIn(JSON.stringify(judges))).toEqual([])
    // Two judges were four points apart on all of them.
    expect(judges[0]).toMatchObject({ split: [], divided: [] })
  })

  test('has no prompt on the benchmark’s page, though one were at hand.', async () => {
    const { suite } = found(access)
    const folder = temporaryFolder()
    const runs = suite.runs.map((run) => ({ ...run, prompt: async () => canary(400) }))
    const assets = { script: '', answers: '', style: '' }
    await emitSite(folder, { suites: [{ ...suite, runs }], assets, inputs: '' })
    expect(filesWithCanaries(folder)).toEqual([])
  })
})

test('A benchmark none of whose judgements could be read is among the judges, with that.', async () => {
  const { runs, env } = await built('public', false)
  const judgedBy = (asked: number) =>
    new Map(
      runs.map(({ target: { spec } }) => [
        spec.name,
        [{ judge: 'one', asked, counted: 0, unreadable: asked, outOfRange: 0, mean: null, criteria: [] }],
      ]),
    )
  const judges = await storedJudges(runs, { env, registry, coverage: judgedBy(12) })
  expect(judges).toMatchObject([{ answers: 0, coverage: [{ judge: 'one', asked: 24, counted: 0 }] }])
  expect(await storedJudges(runs, { env, registry, coverage: judgedBy(0) })).toEqual([])
})

test('What is public is shown, on each of these pages: the search is no empty one.', () => {
  const { site, suite, judges } = found('public')
  const files = filesWithCanaries(site)
  expect(files.some((file) => /^benchmarks\/.*\.html$/.test(file))).toBe(true)
  expect(files.some((file) => /^runs\/[^/]*\.html$/.test(file))).toBe(true)
  expect(files.some((file) => /^runs\/.*\/p0\.js$/.test(file))).toBe(true)
  const said = foundIn(JSON.stringify(suite.runs.map(({ facts }) => facts)))
  for (const index of [301, 302, 303, 305]) expect(said).toContain(canary(index))
  expect(judges[0]?.split.length).toBeGreaterThan(0)
  expect(readdirSync(site)).toEqual(readdirSync(found('private').site))
})

test.skipIf(process.platform === 'win32')(
  'Files of a run are its owner’s alone once its benchmark is not public, though they were open before.',
  async () => {
    const directory = temporaryFolder()
    const { runs, env } = await built('private')
    const [run] = runs
    if (run === undefined) throw new Error('it was not built')
    expect(await emitRun(directory, run, env)).toBe(true)
    chmodSync(directory, 0o755)
    for (const file of readdirSync(directory)) chmodSync(`${directory}/${file}`, 0o644)
    // Somebody who could open them could have altered them.
    expect(await emitRun(directory, run, env)).toBe(true)
    expect(await emitRun(directory, run, env)).toBe(false)
    const open = ['.', ...readdirSync(directory)].filter(
      (file) => (statSync(`${directory}/${file}`).mode & 0o077) !== 0,
    )
    expect(open).toEqual([])
  },
)
