import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { listBenchmarks } from '../../../../benchmarks/lookup/list.ts'
import { createRegistry } from '../../../../models/registry/registry.ts'
import type { Board } from '../../../../targets/board/board.ts'
import { declaredRuns } from '../../../../tools/helm/declared-run.ts'
import { helmContent } from '../../../../tools/site/content/helm-content.ts'
import { medmake } from '../../../rig/medmake.ts'
import { bundleWorkspace } from '../../release/bundle-workspace.ts'

let root: string

beforeAll(async () => {
  ;({ root } = await bundleWorkspace())
  for (const args of [
    ['run', 'open'],
    ['report', 'open'],
    ['release', 'create', 'r', '--suites', 'open'],
  ])
    expect(await medmake(args, { cwd: root })).toMatchObject({ code: 0 })
})

const boardAt = (folder: string): Board | undefined =>
  (JSON.parse(readFileSync(join(root, folder, 'board.json'), 'utf8')) as Board[]).find(
    ({ suite }) => suite === 'open',
  )

/** What all sources must tell alike. */
const scores = (board: Board | undefined) =>
  board?.rows.map(({ model, cells }) => [
    model.deployment,
    cells.map(({ value, score, interval, n, asked, evaluated, measured, judgements, runs }) => ({
      ...(judgements && { judgements }),
      numbers: [value, score, interval, n, asked, evaluated, measured],
      runs,
    })),
  ])

test('The store, HELM’s files and a release give one board.', async () => {
  const context = { workspace: root, cwd: root }
  const { suite, problems } = await helmContent(
    { kind: 'suite', name: 'open' },
    {
      outputPath: join(root, 'benchmark_output'),
      registry: createRegistry([], []),
      accessOf: () => Promise.resolve('local'),
      declaredOf: declaredRuns(await listBenchmarks({ workspace: root }), context),
    },
  )
  expect(problems).toEqual([])
  const stored = scores(boardAt('benchmark_output/site'))
  expect(stored).toHaveLength(1)
  expect(scores(suite.board)).toEqual(stored)
  expect(scores(boardAt('benchmark_output/releases/r/bundle/site'))).toEqual(stored)
})
