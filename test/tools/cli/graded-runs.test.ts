import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GRADED_ENTRY, gradedFiles } from '../../edits/graded-base.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import type { Stat } from '../../rig/health-bench.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const graded = async () => {
  const server = await fakeServer({
    answer: ({ prompt }) =>
      prompt.includes('# Rubric item')
        ? `{"explanation": "", "criteria_met": ${prompt.includes('[4]')}}`
        : `An answer to ${prompt}`,
  })
  return { server, cwd: createWorkspace(gradedFiles(server)) }
}

test('a graded run in three parts pays for each answer and item once, and reports as one that was run whole', async () => {
  const { server, cwd } = await graded()
  const tier = join(cwd, 'tier')
  mkdirSync(tier)
  const plan = await medmake(['cluster', 'plan', 'main', '--tasks', '3', '--tier', tier], { cwd })
  expect(plan.code, plan.stderr).toBe(0)
  for (const shard of [0, 1, 2]) {
    const flags = ['--shard', `${shard}/3`, '--tier', tier, '--store', `part-${shard}`]
    const part = await medmake(['run', 'main', ...flags], { cwd })
    expect(part.code, part.stderr).toBe(0)
  }
  // Three answers, five items.
  expect(server.journal().requests).toBe(8)
  const merged = await medmake(['run', 'main', '--tier', tier], { cwd })
  expect(merged.code, merged.stderr).toBe(0)
  expect(server.journal().requests).toBe(8)
  const whole = createWorkspace(gradedFiles(server))
  await medmake(['run', 'main'], { cwd: whole })
  expect(scoresOf(cwd)).toEqual(scoresOf(whole))
  expect(scoresOf(cwd).length).toBeGreaterThan(3)
})

/** Stats of a run but for times. */
const scoresOf = (cwd: string): readonly unknown[] => {
  const folder = join(cwd, 'benchmark_output/runs/main')
  const run = readdirSync(folder).find((name) => name.startsWith('health_bench')) ?? ''
  const stats = JSON.parse(readFileSync(join(folder, run, 'stats.json'), 'utf8')) as readonly Stat[]
  return stats.filter(({ name }) => /overall_score|health_bench|axis|theme/.test(name.name))
}

test('a release of a graded run is checked and made again at no call', async () => {
  const { server, cwd } = await graded()
  expect(await medmake(['run', 'main'], { cwd })).toMatchObject({ code: 0 })
  const made = await medmake(
    ['release', 'create', 'v1', '--suites', 'main', '--include-text', 'health_bench'],
    { cwd },
  )
  expect(made.code, made.stderr).toBe(0)
  const bundle = 'benchmark_output/releases/v1/bundle'
  expect(await medmake(['release', 'verify', bundle], { cwd })).toMatchObject({ code: 0 })
  const again = await medmake(['release', 'reproduce', bundle], { cwd })
  expect(again.code, again.stderr).toBe(0)
  expect(server.journal().requests).toBe(8)
})

test('an import of a released graded run tells no judgement as left out, as the release holds them all', async () => {
  const { server, cwd } = await graded()
  expect(await medmake(['run', 'main'], { cwd })).toMatchObject({ code: 0 })
  expect(await medmake(['release', 'create', 'v1'], { cwd })).toMatchObject({ code: 0 })
  const elsewhere = createWorkspace(gradedFiles(server))
  for (const replies of [8, 0]) {
    const bundle = join(cwd, 'benchmark_output/releases/v1/bundle')
    const imported = await medmake(['release', 'import', bundle], { cwd: elsewhere })
    expect([imported.code, imported.stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`: ${replies} replies of the release imported\nRuns`)),
    ])
  }
  expect(await medmake(['run', 'main'], { cwd: elsewhere })).toMatchObject({ code: 0 })
  expect(server.journal().requests).toBe(8)
})

test('a check grades two chats by an embedded judge, and judges of items are neither repeated nor probed', async () => {
  const { server, cwd } = await graded()
  const checked = await medmake(
    ['benchmark', 'check', GRADED_ENTRY.replace(/,model=.*/, ''), '--models-to-run', 'fake/a', '--json'],
    { cwd },
  )
  expect(checked.code, checked.stderr).toBe(0)
  expect(JSON.parse(checked.stdout)).toMatchObject({
    instances: { evaluated: 3 },
    estimate: { calls: 8 },
    trial: { complete: true, measured: 2 },
  })
  await medmake(['run', 'main'], { cwd })
  for (const what of ['repeats', 'probe', 'gold']) {
    const refused = await medmake(['jury', what, 'main'], { cwd })
    expect([what, refused.code]).toEqual([what, 2])
    expect(refused.stderr).toMatch(/item/)
  }
  expect(server.journal().requests).toBe(8)
})
