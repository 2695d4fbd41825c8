import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Access, Jury } from '../../../benchmarks/scenario/benchmark.ts'
import { ClientError } from '../../../models/calls/client.ts'
import { createRegistry } from '../../../models/registry/registry.ts'
import { targetKey } from '../../../targets/keys/keys.ts'
import { keepCalibration } from '../../../targets/runs/stored-calibration.ts'
import { storedRuns } from '../../../targets/runs/stored-run.ts'
import type { Target } from '../../../targets/record/target.ts'
import type { RunCard } from '../../../tools/release/run-card.ts'
import { listPaths } from '../../../tools/release/bundle/list-files.ts'
import { writeRunPart } from '../../../tools/release/write-run-part.ts'
import { buildTargets } from '../../rig/build-targets.ts'
import { canary, foundIn } from '../../rig/canary.ts'
import { askedText, madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../rig/made-up-run.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const withJury = (target: Target, more: Partial<Jury>): Target => {
  const { spec } = target
  const { jury } = spec.benchmark
  if (jury === undefined) throw new Error('it has judges')
  return { ...target, spec: { ...spec, benchmark: { ...spec.benchmark, jury: { ...jury, ...more } } } }
}

/** As of judges who grade items: one of their prompts. */
const GRADING = { style: 'health-bench', comparison: canary(101) } as const
/** An erratum that drops an instance. */
const DECLARED = { errata: [{ id: 'row-7', about: 'It repeats row 3.', drop: [canary(500)] }] }
const ERRATA: NonNullable<RunCard['benchmark']['errata']> = { corrected: ['row-7'], uncorrected: [] }

/** What a release holds of a run of so many instances, of which clinicians rated so many answers and the first were lost. */
const part = async (
  access: Access,
  rows: number,
  labels: number,
  { lost = 0, trials = 1, each = 1 } = {},
) => {
  const instances = madeUpInstances(
    Array.from({ length: rows }, (_, row) => [`row ${row}, ${canary(row)}`, 'a'] as const),
  ).map((instance, row) => ({
    ...instance,
    id: canary(200 + row),
    cluster: canary(300 + Math.floor(row / each)),
    attributes: { ward: canary(400) },
  }))
  const run = await madeUpRun((request, deployment) => {
    if (deployment.startsWith('j/')) return textReply('{"accuracy": {"score": 2}}')
    const text = askedText(request)
    if (Number(/row (\d+)/.exec(text)?.[1]) < lost)
      throw new ClientError('http/400', text, { retriable: false })
    return textReply(`of ${text}`)
  })
  const { env } = run
  const made = madeUpTarget({
    instances,
    access,
    judges: ['one'],
    adapter: { numTrainTrials: trials },
    benchmark: {
      cluster: 'patient',
      attributes: [{ name: 'ward', column: 'ward' }],
      errata: ERRATA,
      identity: async () => ({ data: `${rows} rows` }),
    },
  })
  // A rubric of one word, which by its form could be a name.
  const target = withJury(made, { template: canary(100) })
  const key = await targetKey(target, env.profile)
  const bundle = temporaryFolder()
  const cards: RunCard[] = []
  await buildTargets([target], env, async (result) => {
    const built = { suite: 'all', ...result }
    const { benchmark } = result.target.spec
    await keepCalibration(result.digest, { value: 0.5, interval: null, labels }, { benchmark, env })
    const made = storedRuns({ env, registry: createRegistry([], []), coverageFloor: 0.5 })(built)
    const withText = access === 'public'
    const told = { key, run: made, withText, coverageFloor: 0.5, declared: DECLARED, position: 0 }
    const graded = withJury(result.target, { grading: GRADING })
    cards.push((await writeRunPart(bundle, { ...built, ...told, target: graded }, env)).card)
  })
  const [card] = cards
  if (card === undefined) throw new Error('nothing was built')
  const paths = await listPaths(bundle)
  const files = paths.map((path) => readFileSync(join(bundle, path), 'utf8'))
  const stats = JSON.parse(
    files[paths.findIndex((path) => basename(path) === 'stats.json')] ?? '',
  ) as object[]
  return { card, stats, text: files.join('\n'), names: paths.map((path) => basename(path)).sort() }
}

test('Of texts that are not public a release tells no word, id or source, and no calibration by fewer than five labels.', async () => {
  const few = await part('private', 12, 4)
  expect(few.card.record.calibrated).toBeUndefined()
  expect(few.card.record.sample?.requests).toBe(12)
  expect([few.card.record.sources, few.card.record.lost ?? []]).toEqual([undefined, []])
  expect(few.card.withheld?.suppressedStats).toBe(0)
  // How long each of the texts is.
  expect(few.card.promptTokens).toBeNull()
  expect(few.card.record.attributes).toBeUndefined()
  expect(foundIn(few.text)).toEqual([])
  expect(few.names).toEqual(['letters:model=m_a.json', 'run_spec.json', 'scenario.json', 'stats.json'])
  const enough = await part('private', 12, 5)
  expect(enough.card.record.calibrated).toMatchObject({ labels: 5 })
  expect(foundIn(enough.text)).toEqual([])
})

test.each([
  ['asked', 10, {}, true],
  ['asked in several trials', 6, { trials: 2 }, true],
  ['asked of fewer patients', 12, { each: 2 }, true],
  ['answered', 13, { lost: 3 }, false],
  ['answered of fewer patients', 22, { each: 2, lost: 2 }, false],
])(
  'Of fewer than eleven instances that were %s nothing is told at all: no values, no judges’ means, no calibration.',
  async (_, rows, more, isSuppressed) => {
    const { card, stats, text } = await part('gated', rows, 7, more)
    const { sample, calibrated, judged, lost, ownStats } = card.record
    expect([sample, calibrated, judged, lost ?? []]).toEqual([null, undefined, undefined, []])
    expect([ownStats.length === 0, stats.length === 0]).toEqual([isSuppressed, isSuppressed])
    expect((card.withheld?.suppressedStats ?? 0) > 0).toBe(isSuppressed)
    expect(foundIn(text)).toEqual([])
  },
)

test('Of answers that were lost a release names the instances only where texts are public.', async () => {
  const lostIn = async (access: Access) => (await part(access, 14, 7, { lost: 2 })).card.record
  const told = await lostIn('public')
  expect(told.lost).toEqual([canary(200), canary(201)])
  expect(told.failures.map(({ instance }) => instance)).toEqual(told.lost)
  const { lost, failures } = await lostIn('private')
  const redacted = { stage: 'completions', code: 'http/400', instance: '[redacted]', detail: '[redacted]' }
  expect([lost ?? [], failures]).toMatchObject([[], [redacted, redacted]])
})

test('Of public texts all of it is told, however few.', async () => {
  const { card, text } = await part('public', 4, 1, { each: 2 })
  expect(card.record.calibrated).toMatchObject({ labels: 1 })
  expect(card.record.sources?.instances).toHaveLength(2)
  expect(card.record.attributes).toBeDefined()
  expect(card.record.judged?.without).toHaveLength(1)
  expect(card.benchmark.errata).toEqual(ERRATA)
  expect(card.benchmark.declared).toEqual(DECLARED)
  expect(card.jury).toMatchObject({
    template: canary(100),
    grading: GRADING,
    criteria: [['accuracy', ['score']]],
  })
  expect(card.withheld).toBeNull()
  expect([card.promptTokens?.length, card.record.ownStats.length > 0]).toEqual([4, true])
  expect(foundIn(text).length).toBeGreaterThan(0)
})
