import type { Board, BoardRow } from '../../../../targets/aggregate/board.ts'
import { formatShare } from '../../format.ts'
import { visibleText } from '../../visible-text.ts'
import { placeAxis } from './axis.ts'
import { DotRow } from './dot-row.tsx'
import type { Drawing, FigureContent } from './figure.tsx'
import { shortened } from './labels.tsx'
import { ScaleLines } from './scale-lines.tsx'
import { rangeText } from '../leaderboard/summary-columns.ts'

const LABELS = 220
const SCALE = 480
const SHARES = 80
const HEAD = 28
const ROW = 22

/** How sure each model's place is. */
export const rankIntervals = ({ rows }: Board): FigureContent => {
  const known = rows.filter(({ rank }) => rank !== null)
  return {
    id: 'ranks',
    title: 'How sure the places are',
    caption:
      'Each model’s place by win rate, with the middle 95 % of the places that it takes when benchmarks and instances are resampled, and how often it then comes first or among the first three. Models whose lines overlap can’t be told apart by place.',
    missing: 'Places are resampled for suites with several models and benchmarks; this one has too few.',
    drawing: known.length === 0 ? undefined : lines(known, rows.length),
    table: {
      head: [
        { text: 'Model' },
        { text: 'Place', number: true },
        { text: 'Middle 95 %', number: true },
        { text: 'First', number: true },
        { text: 'First three', number: true },
      ],
      rows: known.map(({ label, place, rank }) => [
        visibleText(label),
        place === null ? '–' : String(place.rank),
        rank === null ? '–' : rangeText(rank.places),
        rank === null ? '–' : formatShare(rank.first),
        rank === null ? '–' : formatShare(rank.topThree),
      ]),
    },
  }
}

const lines = (rows: readonly BoardRow[], places: number): Drawing => {
  const bottom = HEAD + rows.length * ROW
  const axis = placeAxis(places, { from: LABELS + 8, to: LABELS + SCALE - 8 })
  const right = LABELS + SCALE
  return {
    width: right + 2 * SHARES,
    height: bottom + 28,
    content: (
      <>
        <ScaleLines axis={axis} top={HEAD} bottom={bottom} format={String} />
        <text class="end soft" x={right + SHARES - 8} y={16}>
          first
        </text>
        <text class="end soft" x={right + 2 * SHARES - 8} y={16}>
          first three
        </text>
        {rows.map(({ label, place, rank }, index) => {
          const y = HEAD + index * ROW
          return (
            <g key={index}>
              <text class="end" x={LABELS - 12} y={y + 15}>
                {shortened(visibleText(label), 32)}
              </text>
              {rank === null || place === null ? null : (
                <>
                  <DotRow axis={axis} y={y + 11} value={place.rank} interval={rank.places} />
                  <text class="end" x={right + SHARES - 8} y={y + 15}>
                    {formatShare(rank.first)}
                  </text>
                  <text class="end" x={right + 2 * SHARES - 8} y={y + 15}>
                    {formatShare(rank.topThree)}
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
