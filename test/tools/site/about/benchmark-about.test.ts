import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BoardAccess } from '../../../../targets/access/suppress-small.ts'
import { aboutBenchmarks, type DescribedTarget } from '../../../../tools/site/about/benchmark-about.ts'
import { benchmarkPath } from '../../../../tools/site/paths.ts'
import { medmake } from '../../../rig/medmake.ts'
import { bundleWorkspace } from '../../release/bundle-workspace.ts'

const described = (access: BoardAccess, metric?: string): DescribedTarget => ({
  benchmark: 'visits',
  access,
  declared: undefined,
  identity: { protocol: 'medmake-1', arguments: { ward: 'ward-canary' }, data: { letters: 'f00d' } },
  corrected: [],
  jury: undefined,
  code: [],
  metrics: metric === undefined ? [] : [{ metric }],
})

const aboutVisits = (access: BoardAccess, metric?: string) => {
  const [about] = aboutBenchmarks([described(access, metric)])
  return about
}
const partsOf = (access: BoardAccess): string =>
  JSON.stringify(aboutVisits(access)?.data.map(({ parts }) => parts))

test('A benchmark tells of each erratum what it is, and how a run puts it right where one can.', () => {
  const erratum = { id: 'row', about: 'Row 7 repeats row 3.' }
  const correction = { in: 'data' as const, about: 'It is left out.' }
  const errata = [
    { ...erratum, correction },
    { ...erratum, id: 'text' },
  ]
  const [about] = aboutBenchmarks([{ ...described('public'), corrected: ['row'], declared: { errata } }])
  expect(about?.errata).toEqual([
    { id: 'row', about: erratum.about, correction: 'It is left out.', corrected: 1, runs: 1 },
    { id: 'text', about: erratum.about, corrected: 0, runs: 1 },
  ])
})

test('A benchmark tells of each number that a jury gives what it is, ours beside HELM’s included.', () => {
  const told = aboutVisits('public', 'llm_jury')?.measures.map(({ name, unit }) => [name, unit])
  expect(told).toContainEqual(['jury_score_strict', 'points of the rubric'])
  expect(told).toContainEqual(['jury_coverage', 'share'])
})

test('Arguments of a benchmark are told where it is public, and nowhere else; its data and protocol always.', () => {
  expect(partsOf('public')).toContain('ward-canary')
  for (const access of ['gated', 'private', 'local'] as const) {
    expect(partsOf(access), access).not.toContain('ward-canary')
    expect(partsOf(access), access).toContain('f00d')
    expect(partsOf(access), access).toContain('medmake-1')
  }
})

test('The rubric of a jury is on the page of a public benchmark, and on none of a private one.', async () => {
  const { root } = await bundleWorkspace()
  for (const args of [['run'], ['report']])
    expect(await medmake(args, { cwd: root })).toMatchObject({ code: 0 })
  const page = (suite: string, benchmark: string): string =>
    readFileSync(join(root, 'benchmark_output/site', benchmarkPath(suite, benchmark)), 'utf8')
  expect(page('open', 'summaries')).toContain('Judge {RESPONSE} to {QUESTION}.')
  expect(page('closed', 'wards')).toContain('fake/judge')
  expect(page('closed', 'wards')).not.toContain('Judge {RESPONSE}')
})
