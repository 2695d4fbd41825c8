import { curveBumpX, line } from 'd3-shape'
import type { JSX } from 'preact'
import { fittedNames } from '../../components/plot/fitted-names.ts'
import { fitted } from '../../components/plot/text-width.ts'

/** A model's places over the releases, the first first; null where it has none. */
interface SlopeLine {
  readonly label: string
  /** Absent for a model that is gone. */
  readonly href: string | undefined
  readonly places: readonly (number | null)[]
  /** By two places or more, from the last release but one. */
  readonly isMoved: boolean
  /** The release before lacks it. */
  readonly isNew: boolean
}

const ROW = 24
const TOP = 28
/** Shares of the width: names, the lines between them, names. */
const FROM = 36
const TO = 64

/**
 * Places over releases: names at both ends, where they have a row each, so that none covers another one. As wide as there
 * is room: lines are drawn on a plane that stretches, texts stand on one that does not.
 */
export const Slope = ({
  lines,
  releases,
}: {
  readonly lines: readonly SlopeLine[]
  readonly releases: readonly string[]
}): JSX.Element => {
  const seats = releases.map((_, at) => seatsOf(lines.map(({ places }) => places[at] ?? null)))
  const rows = Math.max(...seats.map((taken) => Math.max(0, ...taken.map((seat) => seat ?? 0))))
  const height = TOP + rows * ROW
  const x = (at: number): number => FROM + ((TO - FROM) * at) / Math.max(1, releases.length - 1)
  const path = line<readonly [number, number]>(
    ([at]) => x(at),
    ([, seat]) => heightOf(seat) ?? 0,
  ).curve(curveBumpX)
  const last = releases.length - 1
  const names = namesOf(lines)
  return (
    <div class="table-scroll" role="region" aria-label="Places over the releases" tabIndex={0}>
      <svg
        class="drawing slope"
        width="100%"
        height={height}
        role="group"
        aria-label={`Places: ${releases.join(', ')}`}
      >
        {releases.map((release, at) => (
          <text
            key={at}
            class={at === 0 ? 'end soft' : at === last ? 'soft' : 'middle soft'}
            x={`${x(at)}%`}
            y="14"
          >
            {fitted(release, 122)}
          </text>
        ))}
        <svg viewBox={`0 0 100 ${height}`} width="100%" height={height} preserveAspectRatio="none">
          {lines.map(({ label, places, isMoved }, index) => {
            const points = places.flatMap((_, at): readonly (readonly [number, number])[] => {
              const seat = seats[at]?.[index] ?? null
              return seat === null ? [] : [[at, seat]]
            })
            const drawn = points.length < 2 ? null : path(points)
            return drawn === null ? null : (
              <path key={label} class={isMoved ? 'slope-line moved' : 'slope-line'} d={drawn} />
            )
          })}
        </svg>
        {lines.map((each, index) => (
          <Names
            key={each.label}
            of={each}
            name={names.get(each.label) ?? ''}
            heights={[seats[0], seats[last]].map((of) => heightOf(of?.[index]))}
          />
        ))}
      </svg>
    </div>
  )
}

const namesOf = (lines: readonly SlopeLine[]): ReadonlyMap<string, string> =>
  fittedNames(
    lines.map(({ label }) => label),
    204,
  )

const heightOf = (seat: number | null | undefined): number | null =>
  seat == null ? null : TOP + (seat - 0.5) * ROW

/** A model's name and place at both ends. */
const Names = ({
  of: { href, places, isNew },
  name,
  heights: [left = null, right = null],
}: {
  readonly of: SlopeLine
  /** As long as there is room. */
  readonly name: string
  /** At the left and at the right. */
  readonly heights: readonly (number | null)[]
}): JSX.Element => {
  const names = (
    <>
      {left === null ? null : (
        <text class="end" x={`${FROM - 2}%`} y={left + 4}>
          {name} {places[0]}
        </text>
      )}
      {right === null ? null : (
        <text x={`${TO + 2}%`} y={right + 4}>
          {places.at(-1)} {name}
          {isNew ? ' (new)' : ''}
        </text>
      )}
    </>
  )
  return href === undefined ? names : <a href={href}>{names}</a>
}

/** A row for each model that has a place: those that share one stand below each other. */
const seatsOf = (places: readonly (number | null)[]): readonly (number | null)[] => {
  const order = places
    .flatMap((place, index) => (place === null ? [] : [{ place, index }]))
    .toSorted((a, b) => a.place - b.place || a.index - b.index)
  const seats = places.map((): number | null => null)
  for (const [at, { index }] of order.entries()) seats[index] = at + 1
  return seats
}
