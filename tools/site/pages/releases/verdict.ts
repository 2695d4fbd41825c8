import type { ReleaseDiff } from '../../history/diff-releases.ts'
import type { SnapshotModel } from '../../history/snapshot.ts'
import { formatValue, listText, plural } from '../../../../cache/words/number-text.ts'
import { inWords } from '../../content/metric-label.ts'
import { visibleText } from '../../visible-text.ts'
import { isolated } from '../leaderboard/isolated.ts'
import { ALPHA } from '../../../../targets/statistics/scale.ts'

/** Win rates that are nearer differ by rounding alone. */
const ROUNDING = 1e-9

/** Who moved most, and how much of it is beyond noise. */
export const verdictOf = (diff: ReleaseDiff, before: string): string => {
  const all = diff.moved.flatMap(({ now, before: old }) =>
    old?.winRate == null || now.winRate === null ? [] : [{ now, old, change: now.winRate - old.winRate }],
  )
  // Win rates over some of the benchmarks are no change of one over others.
  const placed = all.filter(({ now, old }) => now.place !== null && old.place !== null)
  const changes = (placed.length > 0 ? placed : all).toSorted(
    (a, b) => Math.abs(b.change) - Math.abs(a.change),
  )
  const [most] = changes
  const tested = diff.cells.flatMap(({ holm }) => holm ?? [])
  const sure = tested.filter((holm) => holm < ALPHA).length
  const same = diff.cells.filter(({ way }) => way === 'same').length
  const untested = diff.cells.length - tested.length - same
  const beyond = [
    tested.length === 0
      ? 'No score was tested'
      : `${sure} of ${plural(tested.length, 'score')} changed beyond noise`,
    ...(same === 0 ? [] : [`${same} on the same answers`]),
    ...(untested === 0 || tested.length + same === 0 ? [] : [`${untested} not tested`]),
  ]
    .join(', ')
    .concat('.')
  const rest = `${beyond}${cameAndWent(diff)}`
  if (most === undefined) return `No model has a win rate both now and in ${before}. ${rest}`
  if (Math.abs(most.change) < ROUNDING) return `No win rate moved since ${before}. ${rest}`
  const equals = changes.filter(({ change }) => Math.abs(most.change) - Math.abs(change) < ROUNDING)
  if (equals.length > 1) {
    const names = listText(
      equals.map(({ now }) => nameOf(now.label)),
      3,
    )
    const [cause = '', ...others] = new Set(equals.map(({ now }) => mostlyBy(diff, now.deployment)))
    return (
      `${names} moved most since ${before}, their win rates by ${formatValue(Math.abs(most.change))} each` +
      `${others.length === 0 ? cause : ''}. ${rest}`
    )
  }
  const [from, to] = [most.old.place, most.now.place]
  const places =
    from === null || to === null ? '' : from === to ? `, place ${to}` : `, place ${from} to ${to}`
  return (
    `${nameOf(most.now.label)} moved most since ${before}: win rate ${formatValue(most.old.winRate ?? 0)} to ` +
    `${formatValue(most.now.winRate ?? 0)}${places}${mostlyBy(diff, most.now.deployment)}. ${rest}`
  )
}

/** Its largest part, where several moved it. */
const mostlyBy = ({ parts }: ReleaseDiff, model: string): string => {
  const own = parts?.parts.get(model) ?? []
  const at = largestOf(own)
  if (at === undefined) return ''
  return `, ${own.filter((part) => part !== 0).length === 1 ? '' : 'mostly '}by ${parts?.causes[at] ?? ''}`
}

/** The part that is furthest from 0; undefined where none differs from it. */
export const largestOf = (parts: readonly number[]): number | undefined => {
  const most = Math.max(0, ...parts.map(Math.abs))
  return most === 0 ? undefined : parts.findIndex((part) => Math.abs(part) === most)
}

const cameAndWent = ({
  moved,
  newModels,
  gone,
  newBenchmarks,
  goneBenchmarks,
  otherMeasures,
}: ReleaseDiff): string => {
  const parts = [
    ...listed('new', newModels),
    ...listed(
      'gone',
      gone.map(({ label }) => label),
    ),
    ...listed('new benchmarks', newBenchmarks),
    ...listed('gone benchmarks', goneBenchmarks),
    ...listed(
      'other metrics or scales',
      otherMeasures.map(({ label }) => label),
    ),
    ...listed(
      'other prices',
      moved.flatMap(({ now, before }) =>
        before?.price && now.price && priceOf(before.price) !== priceOf(now.price) ? now.label : [],
      ),
    ),
  ]
  return parts.length === 0 ? '' : ` ${parts.join('. ')}.`
}

const priceOf = ({ input, output }: NonNullable<SnapshotModel['price']>): string => `${input} ${output}`

const listed = (what: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`${inWords(what)}: ${names.map(nameOf).join(', ')}`]

const nameOf = (label: string): string => isolated(visibleText(label))
