import { openRanks, type Board, type BoardRow } from '../../../../targets/board/board.ts'
import type { Interval } from '../../../../targets/statistics/intervals/interval.ts'
import { formatShare, rangeText } from '../../../compare/number-text.ts'
import { visibleText } from '../../visible-text.ts'
import { placeAxis } from '../../components/plot/axis.ts'
import { DotRow } from './dot-row.tsx'
import type { Drawing, FigureContent } from './figure.tsx'
import { shortened } from './labels.tsx'
import { ScaleLines } from './scale-lines.tsx'

const LABELS = 220
const SCALE = 480
const SHARES = 80
const HEAD = 28
const ROW = 22

/** Which ranks each model may hold. */
export const rankIntervals = ({ rows }: Board): FigureContent => {
  const known = rows.filter(({ rank }) => openRanks(rank) !== undefined)
  const reason = known[0]?.rank?.likeTheseReason ?? ''
  return {
    id: 'ranks',
    title: 'Which ranks are open',
    caption: `Each model’s place by win rate, and the ranks by average over the scales that paired tests leave open on these very benchmarks, with 95 % each. First is the share of draws around the averages in which it leads: a description, no confidence. ${
      reason === ''
        ? 'Ranks on benchmarks like these stand in the table.'
        : `Of benchmarks like these nothing is said: ${reason}.`
    }`,
    missing: 'Ranks need several models that have all benchmarks, and scales with ends.',
    drawing: known.length === 0 ? undefined : lines(known, rows.length),
    table: {
      head: [
        { text: 'Model' },
        { text: 'Place', number: true },
        { text: 'Ranks on these', number: true },
        { text: 'All at once', number: true },
        { text: 'Ranks on benchmarks like these', number: true },
        { text: 'First', number: true },
      ],
      rows: known.map(({ label, place, rank }) => [
        visibleText(label),
        place === null ? '–' : String(place.rank),
        ranksText(rank?.average?.onThese.marginal),
        ranksText(rank?.average?.onThese.simultaneous),
        ranksText(rank?.average?.likeThese?.marginal),
        rank?.average == null ? '–' : formatShare(rank.average.first),
      ]),
    },
  }
}

const ranksText = (ranks: Interval | undefined): string => (ranks === undefined ? '–' : rangeText(ranks))

const lines = (rows: readonly BoardRow[], places: number): Drawing => {
  const bottom = HEAD + rows.length * ROW
  const axis = placeAxis(places, { from: LABELS + 8, to: LABELS + SCALE - 8 })
  const right = LABELS + SCALE
  return {
    width: right + SHARES,
    height: bottom + 28,
    content: (
      <>
        <ScaleLines axis={axis} top={HEAD} bottom={bottom} format={String} />
        <text class="end soft" x={right + SHARES - 8} y={16}>
          first
        </text>
        {rows.map(({ label, place, rank }, index) => {
          const y = HEAD + index * ROW
          const open = openRanks(rank)
          return (
            <g key={index}>
              <text class="end" x={LABELS - 12} y={y + 15}>
                {shortened(visibleText(label), 32)}
              </text>
              {rank?.average == null || open === undefined || place === null ? null : (
                <>
                  <DotRow axis={axis} y={y + 11} value={place.rank} interval={open} />
                  <text class="end" x={right + SHARES - 8} y={y + 15}>
                    {formatShare(rank.average.first)}
                  </text>
                </>
              )}
            </g>
          )
        })}
      </>
    ),
  }
}
