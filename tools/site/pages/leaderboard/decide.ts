import { formatCost, formatSeconds, listText, plural } from '../../../../cache/words/number-text.ts'
import type { BoardView, RowView } from './board/board-view.ts'
import { isolated, namesOf } from './isolated.ts'
import { limitOf, meetsLimits } from './limits.ts'
import type { LeaderboardState } from './state.ts'
import { chanceText, costOf, isPerThousand, isUntold, latencyOf, least, untoldText } from './tie.ts'

/** What a reader with limits should take, why, and what is unsure about it. */
interface Decision {
  readonly take?: RowView
  readonly reason: string
  readonly caveat: string
}

/** The cheapest of the allowed models that nobody allowed is surely ahead of. */
export const decide = (view: BoardView, state: LeaderboardState): Decision => {
  const ranked = view.all.filter(({ place }) => place !== null)
  const allowed = ranked.filter((row) => meetsLimits(row, state))
  const unlimited = { ...state, usd: '', seconds: '' }
  const ofOthers = ranked.filter((row) => meetsLimits(row, unlimited))
  const unknown = ofOthers.filter(
    (row) =>
      (limitOf(state.usd) !== undefined && costOf(row) === null) ||
      (limitOf(state.seconds) !== undefined && latencyOf(row) === null),
  )
  const leftOut =
    unknown.length === 0 ? '' : ` Left out, as price or latency is not known: ${namesOf(unknown)}.`
  if (ranked.length === 0 && view.all.length === 1)
    return { reason: 'There is only one model, and nothing to compare it with.', caveat: '' }
  if (ranked.length === 0) return { reason: 'No model is ranked on these benchmarks.', caveat: '' }
  if (allowed.length === 0)
    return { reason: `No model meets these limits.${closest(ofOthers)}`, caveat: leftOut.trim() }
  const best = view.hasRanks ? unbeaten(allowed) : []
  if (isUntold(view, best)) return untold(view, best, leftOut)
  const [likeliest] = best.toSorted((a, b) => (b.rank?.first ?? 0) - (a.rank?.first ?? 0))
  const take = least(best, costOf)?.row ?? likeliest
  if (take === undefined) return untested(allowed, leftOut)
  const others = best.filter((row) => row !== take)
  return {
    take,
    reason: reasonOf(view, take, allowed, others),
    caveat: `${caveatOf(take, likeliest)}${leftOut}`,
  }
}

const closest = (rows: readonly RowView[]): string => {
  const cheapest = least(rows, costOf)
  return cheapest === undefined
    ? ''
    : ` The cheapest is ${isolated(cheapest.row.label)}, ${formatCost(cheapest.value)}.`
}

/** Those that no allowed model is surely ahead of. */
const unbeaten = (allowed: readonly RowView[]): readonly RowView[] =>
  allowed.filter(
    ({ rank }) =>
      rank?.behind !== undefined && allowed.every(({ index }) => rank.behind?.has(index) !== true),
  )

const untested = (allowed: readonly RowView[], leftOut: string): Decision => {
  const best = Math.min(...allowed.map(({ place }) => place?.rank ?? Infinity))
  const leaders = allowed.filter(({ place }) => place?.rank === best)
  return {
    reason: `${namesOf(leaders)} ${leaders.length === 1 ? 'has' : 'share'} the best win rate of ${plural(allowed.length, 'allowed model')}.`,
    caveat: `How sure that is was not tested for these benchmarks, so none is recommended.${leftOut}`,
  }
}

/** A tie of this kind says nothing for the cheapest of it. */
const untold = (view: BoardView, best: readonly RowView[], leftOut: string): Decision => ({
  reason: `None is recommended: which of ${plural(best.length, 'model')} is best can’t be told, as ${untoldText(view)}.`,
  caveat: `Leave out ${listText(view.oneSource, 3)} below.${leftOut}`,
})

const reasonOf = (
  view: BoardView,
  take: RowView,
  allowed: readonly RowView[],
  others: readonly RowView[],
): string => {
  const [cost, latency] = [costOf(take), latencyOf(take)]
  const facts = [
    ...(cost === null ? [] : [`${formatCost(cost)}${isPerThousand(view) ? ' per 1,000' : ''}`]),
    ...(latency === null ? [] : [formatSeconds(latency)]),
  ].join(', ')
  const lead =
    allowed.length === 1
      ? 'the only ranked model within these limits'
      : others.length > 0
        ? `tied for best of ${plural(allowed.length, 'allowed model')}${cheapness(cost, others)}`
        : allowed.every((row) => row === take || row.rank?.behind?.has(take.index) === true)
          ? `the best of ${plural(allowed.length, 'allowed model')}`
          : `the only one of ${plural(allowed.length, 'allowed model')} that none of them is surely ahead of`
  return `${lead}${facts === '' ? '' : `, ${facts}`}.${others.length === 0 ? '' : ` Not told apart from it: ${namesOf(others)}.`}`
}

/** Said only where it tells the model from those that it is not told apart from. */
const cheapness = (cost: number | null, others: readonly RowView[]): string => {
  const prices = others.map(costOf)
  const known = prices.filter((price) => price !== null)
  if (cost === null || known.every((price) => price === cost)) return ''
  const place = known.includes(cost) ? 'as cheap as any' : 'the cheapest'
  return ` and ${place} of the tie${known.length < prices.length ? ' whose price is known' : ''}`
}

const caveatOf = (take: RowView, likeliest: RowView | undefined): string => {
  const own = chanceText(take)
  if (take.rank?.first == null) return 'Its chance to be first of all ranked is not known.'
  return likeliest === undefined || likeliest === take
    ? `Its chance to be first of all ranked is ${own}.`
    : `Its chance to be first of all ranked is ${own}, ${isolated(likeliest.label)}’s ${chanceText(likeliest)}.`
}
