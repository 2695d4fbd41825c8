import type { JSX } from 'preact'
import { openRanks } from '../../../../targets/board/board-ranks.ts'
import type { Board } from '../../../../targets/board/board.ts'
import { place, placeText } from '../../../../targets/compare/ranks/rank-place.ts'
import { rangeText, orDash } from '../../../../cache/words/number-text.ts'
import { placeAxis } from '../../components/plot/axis.ts'
import { exactChance, exactRange, exactValue } from '../../components/exact.tsx'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { MARK_PIXELS } from '../../components/plot/mark.tsx'
import { ModelLink } from '../../components/links.tsx'

interface BoardFigureProps {
  readonly board: Board
  readonly root: string
}

/** Which ranks each model may hold. */
export const RankIntervals = ({ board, root }: BoardFigureProps): JSX.Element => {
  const known = board.rows.filter(({ rank }) => openRanks(rank) !== undefined)
  const reason = known[0]?.rank?.likeTheseReason ?? ''
  if (known.length === 0) return <p class="missing">{untestedText(board)}</p>
  const means = known.map(({ average }) => average ?? undefined)
  return (
    <>
      <p>
        Each model’s rank by average, the mean share of the benchmarks’ scales, and the ranks that paired
        tests leave open to it on these very benchmarks, with 95 % each. First is the share of draws around
        the averages in which it leads: a description, no confidence. Places on the board go by win rate.
        {reason === '' ? '' : ` Of benchmarks like these nothing is said: ${reason}.`}
      </p>
      <DataTable
        label="Which ranks are open"
        head={[
          'Model',
          { text: 'Rank, and ranks that are open', axis: placeAxis(board.rows.length, MARK_PIXELS) },
          ...numeric('Average', '95 % interval', 'Rank', 'Ranks on these', 'All at once'),
          ...(reason === '' ? numeric('On benchmarks like these') : []),
          ...numeric('First', 'Place by win rate'),
        ]}
        rows={known.map(({ model, average, averageInterval, place: byWinRate, rank }) => {
          const own = place(average ?? undefined, means, false)
          return [
            <ModelLink board={board} deployment={model.deployment} root={root} />,
            own === null ? [] : [{ value: own.rank, interval: openRanks(rank) ?? null }],
            exactValue(average),
            exactRange(averageInterval),
            orDash(own, placeText),
            orDash(rank?.average?.onThese.marginal, rangeText),
            orDash(rank?.average?.onThese.simultaneous, rangeText),
            ...(reason === '' ? [orDash(rank?.average?.likeThese?.marginal, rangeText)] : []),
            exactChance(rank?.average?.first),
            orDash(byWinRate, placeText),
          ]
        })}
      />
    </>
  )
}

const untestedText = ({ rows, averageColumns }: Board): string => {
  if (averageColumns.length === 0)
    return 'No benchmark has a scale with ends on which two models are ranked, so there are no averages to rank.'
  return rows.filter(({ place: own }) => own !== null).length < 2
    ? 'Ranks need two models that have all benchmarks.'
    : 'How sure the order is was not tested: the values of the instances are not at hand.'
}
