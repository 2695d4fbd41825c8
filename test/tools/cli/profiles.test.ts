import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ProfileComparison } from '../../../targets/compare/profiles/compare-profiles.ts'
import { standInMirror } from '../../parity/stand-ins.ts'
import { RUN_FILES, timelessFile } from '../../rig/helm-run-files.ts'
import { medmake } from '../../rig/medmake.ts'
import { referenceServer, referenceYaml } from '../../rig/reference-server.ts'
import { shared } from '../../rig/shared.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const golden = shared('golden/medhelm-0.8') ?? ''
const absent = [golden, shared('mirror') ?? '', shared('tools/fake-llm.mjs') ?? ''].includes('')

const MODEL = 'model=fake/one,model_deployment=fake/one'
const JURY = `jury_config_path=judges_odd.yaml,${MODEL}`
const ENTRIES = [
  `medication_qa:${JURY}`,
  `mtsamples_replicate:${JURY}`,
  `aci_bench:${JURY}`,
  `medec:${MODEL}`,
]

const workspaceFor = async (host: string): Promise<string> => {
  const cwd = createWorkspace()
  mkdirSync(join(cwd, 'mirror'))
  standInMirror(shared('.') ?? '', join(cwd, 'mirror'))
  cpSync(join(golden, 'judges_odd.yaml'), join(cwd, 'judges_odd.yaml'))
  const models = [referenceYaml('fake/one', 'one', host), referenceYaml('fake/judge-odd', 'judge-odd', host)]
  writeFiles(cwd, { 'local/model_deployments.yaml': `model_deployments:${models.join('')}\n` })
  return cwd
}

const FLAGS = ['-m', '12', '--local-path', 'local', '--mirror', 'mirror']

const run = (cwd: string, entries: readonly string[], ...flags: readonly string[]) =>
  medmake(['run', '-r', ...entries, ...FLAGS, '--json', ...flags], { cwd })

const expectHelm = (cwd: string, suite: string, runs: string): void => {
  for (const name of readdirSync(runs))
    for (const file of RUN_FILES) {
      const ours = timelessFile(join(cwd, 'benchmark_output/runs', suite, name), file)
      expect(ours === timelessFile(join(runs, name), file), `${name}/${file} equals HELM's`).toBe(true)
    }
}

/** HELM's mean of a run's main metric. */
const meanIn = (run: string): number => {
  const stats = JSON.parse(readFileSync(join(run, 'stats.json'), 'utf8')) as readonly {
    readonly name: { readonly name: string; readonly split: string }
    readonly mean: number
  }[]
  const main = /_accuracy$/
  const own = stats.filter(({ name }) => name.split === 'test' && main.test(name.name))
  return (own.find(({ name }) => name.name === 'medec_error_flag_accuracy') ?? own[0])?.mean ?? NaN
}

/** Why the four runs differ: requests that a cause concerns, and those whose value it changed. */
const CAUSES: readonly (readonly string[])[] = [
  // One score of 3.5.
  ['medication_qa', 'scored-otherwise 1 1'],
  ['mtsamples_replicate', 'answer-cut 9 9'],
  ['aci_bench', 'answer-cut 12 10'],
  // Cut behind the part that counts.
  ['medec', 'answer-cut 11 0'],
]

interface Counts {
  readonly stages: Readonly<Record<string, { readonly executed: number; readonly cached: number }>>
}

describe.skipIf(absent)('a profile, through the real program', () => {
  test(
    "gives both lines' files of the same replies, and asks the model nothing anew",
    {
      timeout: 300_000,
    },
    async () => {
      const cwd = await workspaceFor(await referenceServer())
      const old = await run(cwd, ENTRIES, '--suite', 'old')
      expect(old.code, old.stderr).toBe(0)
      expectHelm(cwd, 'old', join(golden, 'same-on-0.5.16'))
      const next = await run(cwd, ENTRIES, '--suite', 'new', '--profile', 'medhelm-0.8')
      expect(next.code, next.stderr).toBe(0)
      expectHelm(cwd, 'new', join(golden, 'runs'))
      const { stages } = JSON.parse(next.stdout) as Counts
      expect(stages['completions']).toEqual({ executed: 0, cached: 48 })

      const explained = await medmake(
        ['explain', 'm', '-r', ...ENTRIES, ...FLAGS, '--profile', 'paper-2025'],
        { cwd },
      )
      expect(
        explained.stdout.match(/ miss .*: profile "medhelm-0.8" → "paper-2025"/g)?.length,
      ).toBeGreaterThan(1)

      const corrected = await run(cwd, ENTRIES.slice(3), '--suite', 'corrected', '--errata', 'corrected')
      expect(corrected.stderr).toContain(
        'errata of medec: corrected: sentence-accuracy; not corrected: correct-with-dot, blank-rows',
      )
      expect(JSON.parse(corrected.stdout)).toMatchObject({
        targets: { built: 1 },
        stages: { completions: { executed: 0, cached: 12 } },
      })

      const entries = ENTRIES.map((each) => `{description: "${each}", priority: 1}`)
      writeFiles(cwd, { 'targets/own.conf': `entries: [\n${entries.join('\n')}\n]\n` })
      const flags = [...FLAGS, '--suite', 'own', '--format', 'json']
      const compared = await medmake(['compare', '--profiles', 'helm-0.5.16,medhelm-0.8', ...flags], { cwd })
      expect(compared.code, compared.stderr).toBe(0)
      const { runs } = JSON.parse(compared.stdout) as {
        runs: readonly ProfileComparison[]
      }
      for (const { name, a, b, difference, causes } of runs) {
        expect(a.mean).toBeCloseTo(meanIn(join(golden, 'same-on-0.5.16', name)), 12)
        expect(b.mean).toBeCloseTo(meanIn(join(golden, 'runs', name)), 12)
        expect(causes.reduce((sum, each) => sum + each.difference, 0)).toBeCloseTo(difference ?? NaN, 12)
      }
      const byCause = runs.map(({ name, causes }) => [
        name.split(':')[0],
        ...causes.map(({ cause, requests, changed }) => `${cause} ${requests} ${changed}`),
      ])
      expect(byCause).toEqual(CAUSES)

      // Where the old profile was the last, nothing is left to do.
      const again = await run(cwd, ENTRIES, '--suite', 'old')
      expect(JSON.parse(again.stdout)).toMatchObject({ targets: { fresh: 4 }, providerCalls: 0 })
    },
  )
})

test('refuses a profile and a way with errata that there is not', async () => {
  const cwd = createWorkspace()
  for (const profiles of ['helm-0.5.16', 'helm-0.5.16,medhelm-0.9', 'medhelm-0.8,medhelm-0.8']) {
    const compared = await medmake(['compare', '--profiles', profiles], { cwd })
    expect(compared).toMatchObject({ code: 2, stdout: '' })
    expect(compared.stderr).toContain('names no two profiles [compare/profiles]')
  }
  const { code, stderr } = await medmake(['run', '--profile', 'medhelm-0.9'], { cwd })
  expect(code).toBe(2)
  expect(stderr).toContain('"medhelm-0.8"')
  expect((await medmake(['run', '--errata', 'correct'], { cwd })).stderr).toContain('"corrected"')
})

test('the profile and the errata of medmake.yaml hold where no flag says otherwise', async () => {
  const cwd = createWorkspace()
  const errata = 'errata: {demo_multiple_choice: [no-such-fault]}\n'
  writeFiles(cwd, { 'medmake.yaml': `profile: paper-2025\n${errata}` })
  const entry = 'demo_multiple_choice:model=baseline/first-choice'
  const failed = await medmake(['run', '-r', entry], { cwd })
  expect(failed.stderr).toContain('has no erratum "no-such-fault"')
  const { code, stderr } = await medmake(['run', '-r', entry, '--errata', 'reproduced', '-m', '3'], { cwd })
  expect(code, stderr).toBe(0)
  const explained = await medmake(
    ['explain', 'demo', '-r', entry, '-m', '3', '--profile', 'helm-0.5.16', '--errata', 'reproduced'],
    { cwd },
  )
  expect(explained.stdout).toContain('record: miss: profile "paper-2025" → "helm-0.5.16"')
})
