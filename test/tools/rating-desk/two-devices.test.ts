import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { PackEvent } from '../../../tools/rating-desk/pack.ts'
import { medmake } from '../../rig/medmake.ts'
import { openPack } from './packed-desk.ts'
import { ratedWorkspace } from './rated-workspace.ts'

const RATERS = ['ann', 'bob', 'cyd', 'dee', 'eve', 'fay', 'gus', 'hal']
let cwd = ''

beforeAll(async () => {
  cwd = await ratedWorkspace({ notes: 12, models: ['fake/a'] })
  const plan = ['rate', 'plan', 'main', '--raters', RATERS.join(','), '--labels', '12', '--practice', '0']
  expect(await medmake(plan, { cwd })).toMatchObject({ code: 0 })
})

const event = (id: string, at: string, item: number, score: number): PackEvent => ({
  id: `00000000-0000-4000-8000-0000000000${id}`,
  at: `2026-03-01T${at}:00Z`,
  rating: {
    item,
    scores: { accuracy: score, clarity: score },
    reason: null,
    safety: false,
    comment: '',
    active_ms: 1,
    opened: [],
  },
})

const HERE = [event('a1', '13:00', 1, 5), event('a2', '13:05', 2, 4)]
const THERE = [event('b1', '12:00', 1, 1), event('b2', '12:30', 1, 2)]

test.each<
  [rater: string, how: string, files: readonly (readonly PackEvent[])[], scores: number[], told: boolean[]]
>([
  ['ann', 'comes last', [HERE, THERE], [4, 5], [false, true]],
  ['bob', 'comes first', [THERE, HERE], [4, 5], [false, true]],
  [
    'cyd',
    'grew since, its clock set back',
    [HERE, THERE, [...HERE, event('a3', '12:50', 2, 1)], THERE],
    [1, 5],
    [false, true, false, false],
  ],
  [
    'dee',
    'went on with a copy',
    [HERE, [...HERE, event('b1', '12:00', 1, 1)], HERE],
    [1, 4],
    [false, false, false],
  ],
  [
    'eve',
    'was told by its desk to be older',
    [HERE, [...HERE, THERE[0] as PackEvent, event('a4', '13:00', 1, 5)]],
    [4, 5],
    [false, false],
  ],
  ['fay', 'took over a copy of what came before', [HERE, [...THERE, ...HERE]], [4, 5], [false, true]],
  ['gus', 'took over a copy of what comes next', [[...THERE, ...HERE], HERE], [4, 5], [false, false]],
  [
    'hal',
    'took over what was made of a copy of it',
    [
      [...HERE, event('c1', '13:10', 1, 3)],
      [...HERE, event('a5', '13:06', 1, 2), event('c1', '13:10', 1, 3)],
    ],
    [3, 4],
    [false, true],
  ],
])(
  '%s’s later rating counts where a file of another device %s, and the other is kept.',
  async (rater, _, files, scores, told) => {
    const packed = await medmake(['rate', 'pack', '--rater', rater], { cwd })
    const pack = openPack(join(cwd, `main-${rater}.html`), packed.stdout)
    const said: string[] = []
    for (const file of files) {
      writeFileSync(join(cwd, 'given.json'), await pack.returned(file))
      said.push((await medmake(['rate', 'import', 'given.json'], { cwd })).stdout)
    }
    expect(said.map((text) => text.includes('of another device'))).toEqual(told)
    const { stdout } = await medmake(['rate', 'export'], { cwd })
    const rows = stdout
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { readonly rater: string; readonly scores: { readonly accuracy: number } },
      )
    expect(
      rows.flatMap((row) => (row.rater === rater ? [row.scores.accuracy] : [])).toSorted((a, b) => a - b),
    ).toEqual(scores)
  },
)
