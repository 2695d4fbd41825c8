import { expect, test } from 'vitest'
import { runBatch, type PairWork, type TaskDone } from '../../../tools/nx/batch.ts'
import { gridFiles } from '../../bench/grid-files.ts'
import { createWorkspace } from '../../rig/workspace.ts'

/** What a batch of these projects tells: `task` ends, in the order in which they are told, and the error that ends it. */
const told = async (projects: readonly string[], work: PairWork) => {
  const root = createWorkspace(gridFiles({ benchmarks: 2, models: 1, rows: 1 }))
  const ends: TaskDone[] = []
  const tasks = Object.fromEntries(
    projects.map((project) => [
      `${project}:score`,
      {
        id: `${project}:score`,
        target: { project, target: 'score' },
        overrides: {},
        outputs: [],
        parallelism: true,
        cache: false,
      },
    ]),
  )
  try {
    for await (const end of runBatch({ tasks }, { root }, work)) ends.push(end)
    return { ends, error: undefined }
  } catch (error) {
    return { ends, error: (error as Error).message }
  }
}

const [ONE, OTHER, GONE] = ['grid_m00--b00', 'grid_m00--b01', 'grid_m07--b00']

test('Each task of a batch ends once, with its text; one that no suite holds any more fails, and stops no other', async () => {
  const { ends, error } = await told([ONE, GONE, OTHER], async ({ pairs, finish }) => {
    expect(pairs.map(({ project }) => project)).toEqual([ONE, OTHER])
    for (const { project, target } of pairs) finish(target, { success: project === ONE, text: project })
    for (const { target } of pairs) finish(target, { success: true, text: 'again' })
  })
  expect(error).toBeUndefined()
  expect(ends.map(({ task, result }) => [task, result.success, result.terminalOutput])).toEqual([
    [`${GONE}:score`, false, `no suite holds ${GONE} any more\n`],
    [`${ONE}:score`, true, `${ONE}\n`],
    [`${OTHER}:score`, false, `${OTHER}\n`],
  ])
  for (const { result } of ends) expect(result.endTime).toBeGreaterThanOrEqual(result.startTime)
})

test('A batch that leaves a pair without an end is no success, nor is one whose work fails', async () => {
  const { ends, error } = await told([ONE, OTHER], async ({ pairs: [first], finish }) => {
    if (first !== undefined) finish(first.target, { success: true, text: '' })
  })
  expect([ends.length, error]).toEqual([1, '1 tasks came to no end'])
  expect(await told([ONE], () => Promise.reject(new Error('torn')))).toEqual({ ends: [], error: 'torn' })
})
