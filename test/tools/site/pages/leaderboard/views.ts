import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { Headline } from '../../../../../tools/site/pages/leaderboard/headline.tsx'
import { boardView, type BoardView } from '../../../../../tools/site/pages/leaderboard/board/board-view.ts'
import { makeBoardData } from '../../../../../tools/site/pages/leaderboard/board/make-board-data.ts'
import type { BoardData } from '../../../../../tools/site/pages/leaderboard/board/board-data.ts'
import { DEFAULT_STATE, type LeaderboardState } from '../../../../../tools/site/pages/leaderboard/state.ts'
import type { SiteSuite } from '../../../../../tools/site/site.ts'
import type { Board } from '../../../../../targets/board/board.ts'

/** As the page gets it: through JSON. */
export const dataOf = (suite: SiteSuite): BoardData =>
  JSON.parse(JSON.stringify(makeBoardData(suite))) as BoardData

export const viewOf = (board: Board, some: Partial<LeaderboardState> = {}): BoardView =>
  boardView(dataOf({ board, runs: [] }), { ...DEFAULT_STATE, ...some })

export const headlineOf = (view: BoardView): string =>
  renderToString(h(Headline, { view }))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** The whole board’s ranks, set by hand: model by model in the order of the rows. */
export const withRanks = (
  board: Board,
  ranks: readonly (readonly [low: number, high: number, first: number | null, behind?: readonly number[]])[],
): Board => ({
  ...board,
  rows: board.rows.map((row, at) => {
    const [low, high, first, behind = low === 1 ? [] : [0, low - 2]] = ranks[at] ?? [1, 1, 0]
    return {
      ...row,
      rank: {
        winRate: { low: 0, high: 1 },
        winRateLikeThese: null,
        likeTheseReason: '',
        behind,
        average: {
          likeTheseInterval: null,
          likeThese: null,
          first,
          onThese: { marginal: { low, high }, simultaneous: { low, high } },
        },
      },
    }
  }),
})
