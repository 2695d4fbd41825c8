import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAllEvents, requirePlan, writePlan } from '../../../tools/ratings/study-folder.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

test.each([
  ['events', (root: string) => readAllEvents(root, ['mian'])],
  ['plan', (root: string) => requirePlan(root, 'mian')],
])(
  'The %s of a study that is not there are asked for by its name, with the one that is meant',
  async (_, read) => {
    const root = createWorkspace()
    expect(await problemOf(() => read(root))).toMatchObject({
      code: 'ratings/no-study',
      remedy: expect.stringMatching(/^Draw one: /),
    })
    mkdirSync(join(root, 'ratings', 'main'), { recursive: true })
    expect((await problemOf(() => read(root)))?.remedy).toMatch(/main.*Draw one: /)
    const own = await problemOf(() => requirePlan(root, 'main'))
    expect(own?.remedy).toBe('Draw one: `medmake rate plan --study main --raters ann,bob`.')
    expect(readAllEvents(root)).toEqual([])
  },
)

test('A plan is written alike, whatever order its parts were put together in', () => {
  const root = createWorkspace()
  const name = '0'.repeat(64)
  const subject = { benchmark: 'notes', instance: name, answer: name, rubric: name }
  const plan: Study = {
    id: 'ward',
    seed: 's',
    suites: [],
    overlap: 0,
    cuts: [],
    frames: [],
    units: [{ drawn: [], number: 1, ...subject }],
    raters: [{ name: 'ann', units: [1] }],
    version: 1,
  }
  const [drawn, read] = [plan, undefined].map((given) =>
    readFileSync(writePlan(root, given ?? requirePlan(root, 'ward')), 'utf8'),
  )
  expect(read).toBe(drawn)
})

test('Ratings that may have been cut are told of where they are counted', async () => {
  const cwd = createWorkspace({ 'ratings/main/ann.jsonl': '{"kind":"ra' })
  const { code, stderr } = await medmake(['rate', 'status'], { cwd })
  expect(code).toBe(0)
  expect(stderr).toContain('ratings/main/ann.jsonl ends in half a line')
})
