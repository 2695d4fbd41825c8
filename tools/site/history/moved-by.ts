import {
  winRateParts,
  type ScoredRelease,
  type WinRateParts,
} from '../../../targets/compare/win-rate-parts.ts'
import type { Snapshot, SnapshotCell } from './snapshot.ts'

/** Where nothing of the conditions differs: of judges none tells whether they are what they were. */
export const answersOf = ({ jury }: SnapshotCell): string =>
  jury.length > 0 ? 'other answers or verdicts' : 'other answers'
const SEVERAL = 'several at once'

/**
 * What moved the win rates of models that two releases have; of those alone whose parts add up to the change that both tell.
 * @param causesOf what was not the same of two scores
 * @param isAlike whether both measure a benchmark alike: else it is one that went, and another that came
 */
export const movedBy = (
  before: Snapshot,
  now: Snapshot,
  {
    causesOf,
    isAlike,
  }: {
    readonly causesOf: (before: SnapshotCell, now: SnapshotCell) => readonly string[]
    readonly isAlike: (benchmark: string) => boolean
  },
): WinRateParts | undefined => {
  const old = scoredOf(before, (name) => (isAlike(name) ? name : `${name}, as it was`))
  const own = scoredOf(now)
  const partsBy = (named: (causes: readonly string[]) => string | undefined): WinRateParts | undefined =>
    winRateParts(old, own, (model, benchmark) => {
      const [earlier, later] = [cellIn(before, model, benchmark), cellIn(now, model, benchmark)]
      const causes = earlier === undefined || later === undefined ? [] : causesOf(earlier, later)
      return (causes.length === 0 ? later && answersOf(later) : named(causes)) ?? ''
    })
  const made =
    partsBy((causes) => causes.join(' and ')) ??
    partsBy(([only, ...more]) => (more.length > 0 ? SEVERAL : only))
  if (made === undefined) return undefined
  const rateIn = ({ models }: Snapshot, name: string): number | null =>
    models.find(({ deployment }) => deployment === name)?.winRate ?? null
  const borne = [...made.parts].filter(([name, parts]) => {
    const [from, to] = [rateIn(before, name), rateIn(now, name)]
    const sum = parts.reduce((total, part) => total + part, 0)
    return from !== null && to !== null && Math.abs(sum - (to - from)) < SAME
  })
  return borne.length === 0 || made.causes.length === 0 ? undefined : { ...made, parts: new Map(borne) }
}

/** Sums in another order differ in the last digits. */
const SAME = 1e-9

const cellIn = (
  { models, benchmarks }: Snapshot,
  model: string,
  benchmark: string,
): SnapshotCell | undefined =>
  models.find(({ deployment }) => deployment === model)?.cells[
    benchmarks.findIndex(({ name }) => name === benchmark)
  ] ?? undefined

const scoredOf = (
  release: Snapshot,
  called: (benchmark: string) => string = (name) => name,
): ScoredRelease => {
  const names = new Map(release.benchmarks.map(({ name }) => [called(name), name]))
  return {
    models: release.models.map(({ deployment }) => deployment),
    benchmarks: release.benchmarks.map(({ name, lowerIsBetter }) => ({
      name: called(name),
      ...(lowerIsBetter === undefined ? {} : { lowerIsBetter }),
    })),
    scoreOf: (model, benchmark) => cellIn(release, model, names.get(benchmark) ?? '')?.score ?? undefined,
  }
}
