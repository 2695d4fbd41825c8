import { present } from '../../../../cache/lists.ts'
import type { JSX } from 'preact'
import { FEWEST_BENCHMARKS } from '../../../../targets/statistics/benchmarks/like-these.ts'
import {
  formatChance,
  formatCost,
  formatCount,
  formatSeconds,
  listText,
  plural,
} from '../../../../cache/words/number-text.ts'
import type { BoardView, RowView } from './board/board-view.ts'
import { isolated, namesOf } from './isolated.ts'
import {
  chanceText,
  costOf,
  isPerThousand,
  latencyOf,
  isUntold,
  least,
  tieOf,
  untoldText,
  type Tie,
} from './tie.ts'

/** Models whose chances are drawn. */
const DRAWN = 4

/** Who is the best, as far as that is known; what it costs to ask them; and what is not known. */
export const headlineText = (
  view: BoardView,
): {
  readonly title: string
  /** Tied for first, where their chances are known. */
  readonly chances: readonly RowView[]
  readonly lines: readonly Line[]
} => {
  const tie = tieOf(view)
  const { rows } = tie
  return {
    title: titleOf(view, tie),
    chances: view.hasRanks && rows.length > 1 && rows[0]?.rank?.first != null ? rows.slice(0, DRAWN) : [],
    lines: [...picks(view, tie), ...[...caveats(view, tie), ...unasked(view)].map((text) => ({ text }))],
  }
}

/** The same on the page. */
export const Headline = ({ view }: { readonly view: BoardView }): JSX.Element => {
  const { title, chances, lines } = headlineText(view)
  return (
    <section class="headline" aria-labelledby="headline">
      <h1 id="headline">{title}</h1>
      {chances.length === 0 ? null : <Chances view={view} rows={chances} />}
      <p>{lines.map((line) => (line.strong ? <b key={line.text}>{line.text} </b> : `${line.text} `))}</p>
    </section>
  )
}

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'] as const

const titleOf = (view: BoardView, { rows, ranked }: Tie): string => {
  const { hasRanks, task, suite, all, compared } = view
  const on = task === '' ? suite : task
  const [first] = rows
  if (first === undefined && all.length === 1)
    return `${all.map(({ label }) => isolated(label)).join('')} is the only model on ${on}`
  if (first === undefined && compared === 0) return `Nobody is ranked on ${on}`
  if (first === undefined)
    return ranked.length === 0 ? `No model is measured in full on ${on}` : `Nobody leads ${on}`
  if (rows.length === 1)
    return hasRanks
      ? `${isolated(first.label)} is first on ${on}, by average`
      : `${isolated(first.label)} has the best win rate on ${on}`
  if (!hasRanks) return `${plural(rows.length, 'model')} share the best win rate on ${on}`
  if (isUntold(view, rows)) return `Who is first on ${on} can’t be told`
  const every = rows.length === 2 ? 'Both' : `All ${rows.length}`
  if (rows.length === ranked.length) return `${every} models ranked are tied for first on ${on}`
  const count = NUMBERS[rows.length] ?? formatCount(rows.length)
  return `${count} of ${plural(ranked.length, 'model')} are tied for first on ${on}`
}

const Chances = ({
  view,
  rows,
}: {
  readonly view: BoardView
  readonly rows: readonly RowView[]
}): JSX.Element => (
  <table class="chances">
    <caption class="unseen">Chance to be first</caption>
    <tbody>
      {rows.map((row) => (
        <tr key={row.key}>
          <th scope="row">{row.label}</th>
          {row.rank?.first == null ? null : <Chance first={row.rank.first} />}
          <td class="spent">
            {[costText(view, row), latencyText(row)].filter((text) => text !== '').join(' · ')}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Chance = ({ first }: { readonly first: number }): JSX.Element => (
  <>
    <td>
      <span class="chance" aria-hidden="true">
        <svg width="100%" height="8" preserveAspectRatio="none" viewBox="0 0 100 8" focusable="false">
          <rect class="chance-part" width={Math.round(first * 100)} height="8" />
        </svg>
      </span>
    </td>
    <td class="number">{formatChance(first)} to be first</td>
  </>
)

const costText = (view: BoardView, row: RowView): string => {
  const cost = costOf(row)
  if (cost !== null) return formatCost(cost)
  return view.all.some((each) => costOf(each) !== null) ? 'price not known' : ''
}

const latencyText = (row: RowView): string => {
  const latency = latencyOf(row)
  return latency === null ? '' : formatSeconds(latency)
}

interface Line {
  readonly text: string
  readonly strong?: boolean
}

const picks = (view: BoardView, { rows }: Tie): readonly Line[] => {
  if (rows.length === 0 || (view.hasRanks && isUntold(view, rows))) return []
  const cheapest = least(rows, costOf)
  const sameCost = rows.length > 1 && rows.every((row) => costOf(row) === cheapest?.value)
  const fastest = least(rows, latencyOf)
  const unpriced = rows.filter((row) => costOf(row) === null)
  const unit = isPerThousand(view) ? ' per 1,000 answers' : ' for all benchmarks'
  const alone = rows.length === 1
  return [
    ...(cheapest === undefined
      ? []
      : [
          {
            text: alone
              ? 'It costs'
              : sameCost
                ? 'Each costs'
                : `Cheapest in the tie: ${isolated(cheapest.row.label)},`,
            strong: !alone && !sameCost,
          },
          {
            text: `${formatCost(cheapest.value)}${unit}${unpriced.length === 0 ? '' : ` (price not known: ${namesOf(unpriced)})`}.`,
          },
        ]),
    ...(fastest === undefined
      ? []
      : [
          { text: alone ? 'It answers in' : `Fastest: ${isolated(fastest.row.label)},`, strong: !alone },
          { text: `${formatSeconds(fastest.value)}.` },
        ]),
  ]
}

/** Places go by win rate, ties by the tests of the averages: where the two name others, that is said. */
const byWinRate = ({ hasRanks }: BoardView, { rows, ranked }: Tie): readonly string[] => {
  const leaders = ranked.filter(({ place }) => place?.rank === 1)
  const isSame = leaders.length === rows.length && leaders.every((row) => rows.includes(row))
  const isWithin = rows.length > 1 && leaders.every((row) => rows.includes(row))
  if (!hasRanks || leaders.length === 0 || isSame || isWithin) return []
  const names = namesOf(leaders)
  return [
    leaders.length === 1 ? `By win rate ${names} leads.` : `By win rate ${names} share the first place.`,
  ]
}

/** What nobody was asked: clinicians about a jury, models about other work. */
const unasked = ({ unchecked, asked }: BoardView): readonly string[] =>
  present(
    unchecked.length !== 0 &&
      `No clinician checked the ${unchecked.length === 1 ? 'jury' : 'juries'} of ${unchecked.length < 3 ? listText(unchecked) : plural(unchecked.length, 'benchmark')} here.`,
    asked !== undefined && `${asked[0]} of ${asked[1]} subcategories of medical work are asked about.`,
  )

/** Benchmarks that decide no place, though they were chosen. */
const leftOut = ({ columns, compared, leftOut: names, lost }: BoardView): readonly string[] => {
  const without = names.length
  if (without === 0) return []
  if (lost !== '') return [`Nothing was measured: ${lost}.`]
  const undirected = columns.filter(({ lowerIsBetter }) => lowerIsBetter === undefined).length
  const causes = present(
    without > undirected &&
      'fewer than two models are measured in full (not run, requests failed, or judges’ replies could not be read)',
    undirected > 0 && 'nobody says what is better',
  ).join(', or ')
  const [is, each] = without === 1 ? ['is', 'it'] : ['are', 'each']
  const what =
    compared === 0 ? 'No benchmark compares anybody' : `Left out ${is} ${listText(names.map(isolated), 3)}`
  return [`${what}: on ${each} ${causes}.`]
}

const untestedText = ({ averaged, compared }: BoardView): string =>
  averaged === 0 && compared > 0
    ? 'How sure the order is can’t be told: none of these benchmarks has a scale with ends that all values lie on.'
    : 'How sure the order is was not tested for these benchmarks: nothing says who is tied.'

/** How likely the likeliest of a tie is the first, or why that is not told. */
const chanceOf = (view: BoardView, rows: readonly RowView[], over: string): string => {
  if (isUntold(view, rows)) return ` ${over}, and no chance can be told: ${untoldText(view)}`
  const [likeliest] = rows
  return likeliest?.rank?.first == null
    ? ` ${over}, and no chance can be told: too little, or nothing that varies, could be read of the same instances`
    : `: the likeliest has a chance of ${chanceText(likeliest)} ${over}`
}

const caveats = (view: BoardView, tie: Tie): readonly string[] => {
  const { rows, ranked, partial } = tie
  const { compared, averaged, hasRanks, likeTheseReason } = view
  const [likeliest] = rows
  if (rows.length === 0 && view.all.length === 1)
    return ['Places and win rates need a second model to compare it with; its scores stand below.']
  if (compared === 0) return leftOut(view)
  const isPart = hasRanks && averaged < compared
  const over = `over ${isPart ? `${formatCount(averaged)} of ` : ''}${plural(compared, 'benchmark')}`
  return present(
    ...byWinRate(view, tie),
    ...(hasRanks && likeliest !== undefined && rows.length > 1
      ? [`First place, by average over the scales, is not settled${chanceOf(view, rows, over)}.`]
      : [`${plural(ranked.length, 'model')} ranked over ${plural(compared, 'benchmark')}.`]),
    !hasRanks && ranked.length !== 0 && untestedText(view),
    isPart &&
      `Averages, ties and ranks rest on ${plural(averaged, 'benchmark')} alone: ${compared - averaged === 1 ? 'the other one has' : `the other ${formatCount(compared - averaged)} have`} no scale with ends that all values lie on.`,
    ...leftOut(view),
    view.unshared.length !== 0 &&
      `Models that were asked nothing alike on ${listText(view.unshared, 3)} are not told apart.`,
    ...((hasRanks ? averaged : compared) < FEWEST_BENCHMARKS
      ? [`Too few benchmarks to speak of others like them.`]
      : likeTheseReason === ''
        ? []
        : [`Of benchmarks like these nothing is said: ${likeTheseReason}.`]),
    partial.length !== 0 &&
      `Not ranked: ${listText(
        partial.map(
          ({ label, ranked: own }) => `${isolated(label)} (${own} of ${plural(compared, 'benchmark')})`,
        ),
        3,
      )}.`,
  )
}
