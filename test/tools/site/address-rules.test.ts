import { describe, expect, test } from 'vitest'
import { limit, oneOf, pageNumber, readAddress, someOf } from '../../../tools/site/address-rules.ts'
import { makeBoardData } from '../../../tools/site/pages/leaderboard/board/make-board-data.ts'
import { leaderboardRules } from '../../../tools/site/pages/leaderboard/rules.ts'
import { DEFAULT_STATE, type LeaderboardState } from '../../../tools/site/pages/leaderboard/state.ts'
import { runRules } from '../../../tools/site/pages/run/rules.ts'
import { DEFAULT_RUN_STATE } from '../../../tools/site/pages/run/state.ts'
import { madeUpBoard } from '../../bench/made-up-board.ts'

const data = makeBoardData({ board: madeUpBoard({ models: 12, benchmarks: 20 }), runs: [] })

describe('what an address may name', () => {
  test('is one of what there is, some of it, a limit, or a page up to the last', () => {
    const isLetter = (text: string): boolean => /^[ab]$/.test(text)
    expect(['a', 'c', 'a b'].map(oneOf('letter', isLetter).faults)).toEqual([
      [],
      ['There is no letter c here.'],
      ['There is no letter a b here.'],
    ])
    expect(someOf('letter', isLetter).faults('a  c b \u202Ed')).toEqual([
      'There is no letter c here.',
      'There is no letter ⟨U+202E⟩d here.',
    ])
    expect(limit((text) => text === '1').faults('1')).toEqual([])
    expect(
      ['1', '3', '4', '0', '-1', '1.5', 'two', ''].map((text) => pageNumber(3).faults(text).length),
    ).toEqual([0, 0, 1, 1, 1, 1, 1, 1])
  })

  test('of a board is told where it lacks it, each once, and nothing of what it has', () => {
    const read = (some: Partial<LeaderboardState>, unknown: readonly string[] = []) =>
      readAddress({ ...DEFAULT_STATE, ...some }, DEFAULT_STATE, leaderboardRules(data), unknown)
    const lacked = (some: Partial<LeaderboardState>) => read(some).faults
    const [column, model] = [data.columns[0], data.models[0]]
    const key = `benchmark:${column?.key}`
    const here = {
      only: column?.key ?? '',
      pin: model?.key ?? '',
      at: `${model?.key} ${key}`,
      sort: `-${key}`,
    }
    for (const task of [column?.category ?? '', `${column?.category}/${column?.subcategory}`])
      expect(lacked({ ...here, task })).toEqual([])
    expect(lacked({ at: `${model?.key} win`, sort: 'cost' })).toEqual([])
    expect(
      lacked({
        task: 'Astrology',
        only: `${column?.key} x`,
        at: 'm benchmark:y',
        pin: 'm',
        sort: '-benchmark:z',
      }),
    ).toEqual(
      ['task Astrology', 'benchmark x', 'benchmark z', 'model m', 'benchmark y'].map(
        (name) => `There is no ${name} here.`,
      ),
    )
    const wrong = {
      access: 'none',
      usd: 'abc',
      seconds: '-1',
      hosting: 'moon',
      sort: '-colour',
      open: `${column?.category}|Astrology`,
      q: 'anything may be looked for',
      weights: 'heavy',
      creator: 'nobody',
    }
    const { state, faults } = read(wrong, ['show'])
    expect(faults).toEqual([
      'There is no data access none here.',
      'abc is not a number that can be a limit: it is none.',
      '-1 is not a number that can be a limit: it is none.',
      'There is no hosting moon here.',
      'There is no column colour here.',
      'There is no category Astrology here.',
      'There are no weights heavy here.',
      'There is no creator nobody here.',
      'The address asks for show, which this page does not know.',
    ])
    // What is a whole gives way; what a field shows, or of what a part is known, stays.
    const { usd, seconds, open, q } = wrong
    expect(state).toEqual({ ...DEFAULT_STATE, usd, seconds, open, q })
  })

  test('of a run depends on what tells its requests apart', () => {
    const read = (hasWrong: boolean, isApart: boolean) =>
      readAddress(
        { ...DEFAULT_RUN_STATE, show: 'wrong', sort: 'apart', size: '7', from: 'x', page: '99' },
        DEFAULT_RUN_STATE,
        runRules({ hasWrong, isApart }),
      )
    const others = ['x is not a number that can be a limit: it is none.', 'There is no page size 7 here.']
    expect(read(true, true).faults.toSorted()).toEqual(others.toSorted())
    const { state, faults } = read(false, false)
    expect(faults.toSorted()).toEqual(
      ['There is no choice wrong here.', 'There is no order apart here.', ...others].toSorted(),
    )
    expect(state).toEqual({ ...DEFAULT_RUN_STATE, from: 'x', page: '99' })
  })
})
