import type { JSX } from 'preact'
import { useWidth } from '../../client/use-width.ts'
import { formatCount, formatPoints } from '../../../../cache/words/number-text.ts'
import { linearAxis } from '../../components/plot/axis.ts'
import { fittedNames } from '../../components/plot/fitted-names.ts'
import { ScaleLines } from '../../components/plot/scale-lines.tsx'
import { fitted, textWidth } from '../../components/plot/text-width.ts'
import type { ForestRow } from './forest-rows.ts'

interface ForestProps {
  readonly rows: readonly ForestRow[]
  readonly root: string
  readonly labels: readonly [a: string, b: string]
}

const HEAD = 28
const ROW = 24
const FOOT = 26
const NARROW = 520
/** Pixels of what stands beside a model's name in the head. */
const BETTER = 64

/** Paired differences over all benchmarks: a dot and its interval each, on one axis. */
export const Forest = ({ rows, root, labels: [a, b] }: ForestProps): JSX.Element => {
  const { place, width = 0 } = useWidth()
  const drawn = rows.filter(({ points }) => points !== null)
  if (drawn.length === 0)
    return (
      <div ref={place} class="forest missing">
        No benchmark has a difference to draw.
      </div>
    )
  const isNarrow = width < NARROW
  const labels = drawn.map(({ label }) => label)
  // So that many axis numbers have room, too.
  const left = isNarrow ? 116 : Math.min(Math.max(120, width * 0.3), 16 + Math.max(...labels.map(textWidth)))
  const right = isNarrow ? 24 : 116
  const reach = reachOf(drawn)
  const axis = linearAxis({ from: -reach, to: reach }, { from: left, to: width - right }, isNarrow ? 4 : 8)
  const bottom = HEAD + drawn.length * ROW
  const middle = axis.at(0)
  const names = fittedNames(labels, left - 12)
  return (
    <div ref={place} class="forest">
      {width === 0 ? null : (
        <svg
          class="drawing"
          role="group"
          aria-label="Paired differences"
          width={width}
          height={bottom + FOOT}
        >
          <text class="soft end" x={middle - 8} y={14}>
            {isNarrow ? '◂ A better' : `◂ ${fitted(a, middle - left - BETTER)} better`}
          </text>
          <text class="soft" x={middle + 8} y={14}>
            {isNarrow ? 'B better ▸' : `${fitted(b, width - right - middle - BETTER)} better ▸`}
          </text>
          {isNarrow ? null : (
            <text class="soft end" x={width} y={14}>
              A · tied · B
            </text>
          )}
          <ScaleLines axis={axis} top={HEAD - 4} bottom={bottom} format={forestTick} />
          <line class="axis" x1={middle} x2={middle} y1={HEAD - 4} y2={bottom} />
          {drawn.map((row, at) => (
            <ForestMark
              key={row.key}
              row={row}
              y={HEAD + at * ROW + ROW / 2}
              at={axis.at}
              left={left}
              width={width}
              label={names.get(row.label) ?? ''}
              href={root + row.href}
              isNarrow={isNarrow}
            />
          ))}
        </svg>
      )}
    </div>
  )
}

/** Of differences of a hundredth or two ticks stand closer than that. */
export const forestTick = (tick: number): string => formatPoints(tick, Number.isInteger(tick) ? 0 : 1)

const reachOf = (drawn: readonly ForestRow[]): number =>
  drawn.reduce(
    (most, { points }) =>
      Math.max(most, ...[points?.difference, points?.low, points?.high].map((end) => Math.abs(end ?? 0))),
    1,
  )

interface MarkProps {
  readonly row: ForestRow
  readonly y: number
  readonly at: (value: number) => number
  readonly left: number
  readonly width: number
  readonly label: string
  readonly href: string
  readonly isNarrow: boolean
}

const ForestMark = ({ row, y, at, left, width, label, href, isNarrow }: MarkProps): JSX.Element | null => {
  const { points, better, tally } = row
  if (points === null) return null
  const isSure = better === 'a' || better === 'b'
  const x = at(points.difference)
  const mark = `mark ${points.difference < 0 ? 'for-a' : 'for-b'}${isSure ? '' : ' hollow'}`
  return (
    <a href={href} class="forest-row">
      <title>{markText(row)}</title>
      <rect class="hit" x={0} y={y - ROW / 2} width={width} height={ROW} />
      <text class="end" x={left - 10} y={y + 4} aria-hidden="true">
        {label}
      </text>
      {points.low === null || points.high === null ? null : (
        <line
          class={`range${better === 'unranked' || better === 'inconclusive' ? ' dotted' : ''}`}
          x1={at(points.low)}
          x2={at(points.high)}
          y1={y}
          y2={y}
        />
      )}
      {points.difference < 0 ? (
        <rect class={mark} x={x - 4} y={y - 4} width={8} height={8} />
      ) : (
        <circle class={mark} cx={x} cy={y} r={4.5} />
      )}
      {isNarrow || tally === null ? null : (
        <text class="soft end" x={width} y={y + 4} aria-hidden="true">
          {[tally.a, tally.tied, tally.b].map(formatCount).join(' · ')}
        </text>
      )}
    </a>
  )
}

const MEANING: Readonly<Record<ForestRow['better'], string>> = {
  a: 'A is better',
  b: 'B is better',
  neither: 'no difference found',
  inconclusive: 'inconclusive: what could not be read leaves it open',
  unranked: 'not measured in full, decides nothing',
  untested: 'not tested',
}

/** Everything that a mark stands for. */
export const markText = ({ label, points, better, n, tally }: ForestRow): string => {
  const ends =
    points === null || points.low === null || points.high === null
      ? ''
      : ` (${formatPoints(points.low)} to ${formatPoints(points.high)})`
  const difference = points === null ? '' : ` ${formatPoints(points.difference)}${ends},`
  const counts =
    tally === null
      ? ''
      : `; ${formatCount(tally.a)} for A, ${formatCount(tally.tied)} tied, ${formatCount(tally.b)} for B`
  return `${label}:${difference} n ${formatCount(n)}${counts}; ${MEANING[better]}`
}
