import type { JSX } from 'preact'
import { openRanks, type Board } from '../../../../targets/board/board.ts'
import type { Interval } from '../../../../targets/statistics/intervals/interval.ts'
import { rangeText } from '../../../compare/number-text.ts'
import { placeAxis } from '../../components/plot/axis.ts'
import { exactChance } from '../../components/exact.tsx'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { MARK_PIXELS } from '../../components/plot/mark.tsx'
import { modelPath } from '../../paths.ts'
import { visibleText } from '../../visible-text.ts'

interface BoardFigureProps {
  readonly board: Board
  readonly root: string
}

/** Which ranks each model may hold. */
export const RankIntervals = ({ board, root }: BoardFigureProps): JSX.Element => {
  const known = board.rows.filter(({ rank }) => openRanks(rank) !== undefined)
  const reason = known[0]?.rank?.likeTheseReason ?? ''
  if (known.length === 0)
    return <p class="missing">Ranks need several models that have all benchmarks, and scales with ends.</p>
  return (
    <>
      <p>
        Each model’s place by win rate, and the ranks by average over the scales that paired tests leave open
        on these very benchmarks, with 95 % each. First is the share of draws around the averages in which it
        leads: a description, no confidence.
        {reason === '' ? '' : ` Of benchmarks like these nothing is said: ${reason}.`}
      </p>
      <DataTable
        label="Which ranks are open"
        head={[
          'Model',
          { text: 'Place, and ranks that are open', axis: placeAxis(board.rows.length, MARK_PIXELS) },
          ...numeric('Place', 'Ranks on these', 'All at once'),
          ...(reason === '' ? numeric('On benchmarks like these') : []),
          ...numeric('First'),
        ]}
        rows={known.map(({ model, label, place, rank }) => [
          <a href={root + modelPath(board.suite, model.deployment)}>{visibleText(label)}</a>,
          place === null ? [] : [{ value: place.rank, interval: openRanks(rank) ?? null }],
          place === null ? '–' : String(place.rank),
          ranksText(rank?.average?.onThese.marginal),
          ranksText(rank?.average?.onThese.simultaneous),
          ...(reason === '' ? [ranksText(rank?.average?.likeThese?.marginal)] : []),
          exactChance(rank?.average?.first),
        ])}
      />
    </>
  )
}

const ranksText = (ranks: Interval | undefined): string => (ranks === undefined ? '–' : rangeText(ranks))
