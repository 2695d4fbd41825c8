import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAllEvents, requirePlan } from '../../../tools/ratings/study-folder.ts'
import { problemOf } from '../../rig/problem-of.ts'
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
    expect(readAllEvents(root)).toEqual([])
  },
)
