import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import { summarize, type SummarizeOptions } from '../../../tools/helm/summarize.ts'
import { writeHelmRun } from '../../../tools/helm/write/write-run.ts'
import { oddRuns } from './odd-suite.ts'
import { sortedMethods } from './sorted-methods.ts'

/** sha256, its first 16 digits, of what crfm-helm 0.5.16 wrote for the same runs and schemas, methods sorted. */
const digests = JSON.parse(
  await readFile(new URL('odd-suite.digests.json', import.meta.url), 'utf8'),
) as Record<string, string>

const schema = (name: string): string => new URL(name, import.meta.url).pathname

const model = (name: string) => ({
  name,
  displayName: name,
  description: 'A deterministic fake.',
  creatorOrganization: 'Fake',
  access: 'open',
})

const names = ['fake/one', 'fake/two', 'fake/three']
const shared = {
  schemaValidation: 'off',
  modelRegistry: {
    models: names.map(model),
    deployments: names.map((name) => ({ name, modelName: name })),
  },
  today: '2026-01-01',
} as const satisfies Partial<SummarizeOptions>

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'odd-'))
  for (const { suite, directory, files } of oddRuns()) {
    await writeHelmRun(join(root, 'out', 'runs', suite, directory), files)
  }
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** The files below `place` whose digest is not HELM's. */
const differing = async (place: string): Promise<readonly string[]> => {
  const files = Object.keys(digests).filter((file) => file.startsWith(`${place}/`))
  expect(files.length).toBeGreaterThan(20)
  const wrong: string[] = []
  for (const file of files) {
    const text = await readFile(join(root, 'out', file), 'utf8').catch(() => 'missing')
    const digest = digestOf(sortedMethods(text.replaceAll(`${root}/`, ''))).slice(0, 16)
    if (digest !== digests[file]) wrong.push(file)
  }
  return wrong
}

describe('tables of odd runs and schemas, against what the real HELM wrote', () => {
  it('perturbations, sub-splits, hidden groups, parents by group, mean and win rate', async () => {
    await summarize({
      ...shared,
      outputPath: join(root, 'out'),
      suite: 'a',
      schemaPath: schema('odd-schema.yaml'),
    })
    expect(await differing('runs/a')).toEqual([])
  })

  it('a release of two suites that share a run', async () => {
    const schemaPath = schema('odd-schema.yaml')
    await summarize({
      ...shared,
      outputPath: join(root, 'out'),
      release: 'r',
      suites: ['b', 'a'],
      schemaPath,
    })
    expect(await differing('releases/r')).toEqual([])
  })

  it('row labels show what tells rows of one model apart, debug names the runs of a cell', async () => {
    const schemaPath = schema('label-schema.yaml')
    await summarize({ ...shared, outputPath: join(root, 'out'), suite: 's', schemaPath, debug: true })
    expect(await differing('runs/s')).toEqual([])
  })

  it('pages of states without result, with numbers as ids, with answers that a pattern finds', async () => {
    await summarize({
      ...shared,
      outputPath: join(root, 'out'),
      suite: 'p',
      schemaPath: schema('odd-schema.yaml'),
    })
    expect(await differing('runs/p')).toEqual([])
  })
})
