import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Subgroups } from '../../../targets/board/board-subgroups.ts'
import type { Board, RankUncertainty } from '../../../targets/board/board.ts'
import { completeSubgroups, completeUncertainty, untoldOf } from '../../../targets/board/complete-ranks.ts'
import { RANKING_FILE, readRanking, writeRanking } from '../../../tools/release/ranking.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const rankOf = (low: number, behind?: readonly number[]): RankUncertainty => ({
  winRate: { low, high: 1 },
  winRateLikeThese: null,
  average: null,
  ...(behind && { behind }),
  likeTheseReason: `reason ${low}`,
})

/** Rows of deployments with the letters of each benchmark. */
const INTERVAL = { low: 0.25, high: 0.75 }

const boardOf = (
  rows: readonly (readonly [deployment: string, rank: RankUncertainty | null, letters: string])[],
  winRateColumns: readonly string[] = ['open', 'ward'],
): Board =>
  ({
    suite: 's',
    benchmarks: [{ name: 'open' }, { name: 'ward' }],
    winRateColumns,
    averageColumns: winRateColumns,
    rows: rows.map(([deployment, rank, letters]) => ({
      model: { deployment },
      averageInterval: rank && INTERVAL,
      rank,
      cells: letters.split('').map((groups) => ({ groups })),
    })),
  }) as unknown as Board

const subgroupsOf = (benchmark: string, attribute = 'sex'): Subgroups => ({
  benchmark,
  attribute,
  groups: ['f', 'm'],
  withheld: 1,
  gaps: 2,
  rows: [{ deployment: 'm/a', scores: [null], widest: null, surest: null }],
})

describe('The ranking of a release', () => {
  const board = boardOf([
    ['m/a', rankOf(0.5, [0, 1]), 'ab'],
    ['m/b', null, 'cd'],
  ])

  test('is read as it was written, subgroups of withheld benchmarks alone among it.', async () => {
    const bundle = temporaryFolder()
    const subgroups = [subgroupsOf('open'), subgroupsOf('ward'), subgroupsOf('ward', 'age')]
    await writeRanking(bundle, [{ board, subgroups }], new Set(['ward']))
    expect([...(await readRanking(bundle))]).toEqual([
      [
        's',
        {
          suite: 's',
          rows: [
            {
              deployment: 'm/a',
              average: INTERVAL,
              rank: rankOf(0.5, [0, 1]),
              groups: { open: 'a', ward: 'b' },
            },
            { deployment: 'm/b', average: null, rank: null, groups: { open: 'c', ward: 'd' } },
          ],
          subgroups: subgroups.slice(1),
        },
      ],
    ])
    await writeRanking(bundle, [{ board, subgroups }], new Set(['open']))
    expect((await readRanking(bundle)).get('s')?.subgroups).toEqual([subgroupsOf('open')])
    await writeRanking(bundle, [{ board, subgroups }], new Set())
    expect((await readRanking(bundle)).get('s')).not.toHaveProperty('subgroups')
  })

  test('is nothing where there is no file, and a problem where it is damaged.', async () => {
    const bundle = temporaryFolder()
    expect(await readRanking(bundle)).toEqual(new Map())
    for (const text of ['{"suites": [', '{"suites": [{"suite": 1, "rows": []}]}', '{}']) {
      writeFileSync(join(bundle, RANKING_FILE), text)
      expect(await problemOf(() => readRanking(bundle))).toMatchObject({
        code: 'release/bad-ranking',
        where: { file: join(bundle, RANKING_FILE) },
      })
    }
  })

  test('says which of its doubt rests on withheld values.', () => {
    const subgroups = [subgroupsOf('ward')]
    expect(untoldOf({ board, subgroups }, new Set(['elsewhere']))).toEqual([])
    expect(untoldOf({ board, subgroups }, new Set(['ward']))).toEqual([
      's: the letters and subgroups of ward and all places rest on withheld values',
    ])
    expect(untoldOf({ board, subgroups }, new Set(['open', 'ward']))).toEqual([
      's: the letters and subgroups of open, ward and all places rest on withheld values',
    ])
    const open = { board: boardOf([], ['open']), subgroups: [subgroupsOf('open')] }
    expect(untoldOf(open, new Set(['ward']))).toEqual(['s: the letters of ward rest on withheld values'])
  })
})

describe('A board of a release', () => {
  const told = {
    suite: 's',
    rows: [
      { deployment: 'm/gone', average: null, rank: null, groups: {} },
      {
        deployment: 'm/b',
        average: INTERVAL,
        rank: rankOf(0.2, [0, 0, 2, 2]),
        groups: { open: 'x', ward: 'y' },
      },
      { deployment: 'm/a', average: null, rank: rankOf(0.1), groups: { open: 'v', ward: 'w' } },
    ],
  }
  const board = boardOf([
    ['m/a', null, '  '],
    ['m/b', null, '  '],
    ['m/c', null, '  '],
  ])
  const reckoned = ['a', 'b', 'c'].map((letter, at) => ({
    average: { low: at, high: at + 1 },
    rank: rankOf(at + 5),
    groups: [`${letter}1`, `${letter}2`],
  }))

  test('takes letters of withheld columns from the release, and all places with one of a win rate.', () => {
    expect(completeUncertainty(board, reckoned, { told, lacking: new Set(['ward']) })).toEqual([
      { average: null, rank: rankOf(0.1), groups: ['a1', 'w'] },
      // Who is ahead of it is told by the file's rows, of which the board lacks one.
      { average: INTERVAL, rank: rankOf(0.2, [0, 0]), groups: ['b1', 'y'] },
      { average: null, rank: null, groups: ['c1', ''] },
    ])
  })

  test('reckons everything of which it has the values.', () => {
    expect(completeUncertainty(board, reckoned, { told, lacking: new Set() })).toEqual(reckoned)
    const places = { ...board, winRateColumns: ['open'], averageColumns: ['ward'] }
    const made = completeUncertainty(places, reckoned, { told, lacking: new Set(['ward']) })
    expect(made.map(({ rank }) => rank)).toEqual(reckoned.map(({ rank }) => rank))
    expect(made.map(({ average }) => average)).toEqual([null, INTERVAL, null])
    expect(made.map(({ groups }) => groups[1])).toEqual(['w', 'y', ''])
  })

  test('says nothing of withheld columns where the release tells nothing.', () => {
    expect(
      completeUncertainty(board, reckoned, { told: undefined, lacking: new Set(['open', 'ward']) }),
    ).toEqual(board.rows.map(() => ({ average: null, rank: null, groups: ['', ''] })))
  })

  test('puts those ahead of a row at their places on the board, in its order.', () => {
    const turned = {
      suite: 's',
      rows: [
        { deployment: 'm/c', average: null, rank: null, groups: {} },
        { deployment: 'm/a', average: null, rank: null, groups: {} },
        { deployment: 'm/b', average: null, rank: rankOf(0.3, [0, 1]), groups: {} },
      ],
    }
    const [, row] = completeUncertainty(board, reckoned, { told: turned, lacking: new Set(['ward']) })
    expect(row?.rank?.behind).toEqual([0, 0, 2, 2])
  })

  test('shows its own subgroups, else those that the release tells, in the order of its benchmarks.', () => {
    const own = { ...subgroupsOf('open'), withheld: 0 }
    const tellings = [subgroupsOf('ward'), subgroupsOf('open'), subgroupsOf('gone')]
    expect(completeSubgroups(board, [own], tellings)).toEqual([own, subgroupsOf('ward')])
    expect(completeSubgroups(board, [], tellings)).toEqual([subgroupsOf('open'), subgroupsOf('ward')])
  })
})
