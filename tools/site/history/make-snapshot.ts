import { rangeOf } from '../../../targets/statistics/scale.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { isRanked, isThere } from '../../../targets/board/board-cell.ts'
import type { BoardBenchmark } from '../../../targets/runs/board-run.ts'
import type { BenchmarkAbout } from '../about/benchmark-about.ts'
import type { RunFacts, SiteSuite } from '../site.ts'
import type { Snapshot, SnapshotCell } from './snapshot.ts'

/** What a later release needs of a suite to say what changed, and why. */
export const makeSnapshot = ({
  board,
  runs,
  benchmarks: abouts = [],
  models = [],
  release,
}: SiteSuite): Snapshot => {
  const facts = new Map(runs.map((run) => [run.facts.name, run.facts]))
  return {
    version: 2,
    suite: board.suite,
    release: release?.release ?? '',
    benchmarks: board.benchmarks.map(({ name, displayName, mainMetric }) => ({
      name,
      label: displayName,
      width: mainMetric.range === undefined ? null : rangeOf(mainMetric.range),
      ...(mainMetric.lowerIsBetter === undefined ? {} : { lowerIsBetter: mainMetric.lowerIsBetter }),
      measure: measureOf(mainMetric),
    })),
    models: board.rows.map((row) => {
      const price = models.find(({ deployment }) => deployment === row.model.deployment)?.price
      return {
        deployment: row.model.deployment,
        label: row.label,
        place: row.place?.rank ?? null,
        winRate: row.winRate,
        interval: row.rank?.winRate ?? null,
        price: price === undefined ? null : { input: price.input, output: price.output },
        cells: row.cells.map((cell, at): SnapshotCell | null => {
          if (!isThere(cell)) return null
          const about = abouts.find(({ benchmark }) => benchmark === board.benchmarks[at]?.name)
          const { interval, n, score } = cell
          const own = cell.runs.flatMap((run) => facts.get(run) ?? [])
          return { score: isRanked(cell) ? score : null, interval, n, ...conditionsOf(about, own) }
        }),
      }
    }),
  }
}

const measureOf = ({ name, range, lowerIsBetter }: BoardBenchmark['mainMetric']): string =>
  [
    name,
    range === undefined ? 'without ends' : `from ${range.low} to ${range.high}`,
    lowerIsBetter === undefined ? 'no direction' : lowerIsBetter ? 'less is better' : 'more is better',
  ].join(', ')

type Conditions = Pick<SnapshotCell, 'data' | 'protocol' | 'jury' | 'served' | 'errata'>

const conditionsOf = (about: BenchmarkAbout | undefined, runs: readonly RunFacts[]): Conditions => {
  const parts = (about?.data ?? []).flatMap((each) => each.parts)
  const isData = ([label]: readonly [string, string]): boolean => label.startsWith('data')
  const isShownOnly = ([label]: readonly [string, string]): boolean => label.startsWith('attributes')
  const asked = runs.map(({ spec }) =>
    spec.flatMap(([label, value]) =>
      label === 'Metrics'
        ? [[label, value.split('\n').map(withoutJudges)]]
        : HOW_ASKED.has(label)
          ? [[label, value]]
          : [],
    ),
  )
  return {
    data: digest(parts.filter(isData)),
    protocol: digest([
      parts.filter((part) => !isData(part) && !isShownOnly(part)),
      asked,
      about?.measures.map(({ name, version }) => [name, version]) ?? [],
      about?.jury?.criteria ?? [],
      about?.jury?.rubric ?? null,
    ]),
    jury: (about?.jury?.judges ?? []).map(({ name, deployment }) =>
      name === deployment ? name : `${name} (${deployment})`,
    ),
    served: [
      ...new Set(
        runs.flatMap(({ spec }) =>
          spec.flatMap(([label, value]) => (label === 'Served as' ? value.split('\n') : [])),
        ),
      ),
    ].sort(),
    errata: (about?.errata ?? []).flatMap(({ id, corrected }) => (corrected > 0 ? [id] : [])),
  }
}

/** Lines of a run's specification that say how it asks. */
const HOW_ASKED: ReadonlySet<string> = new Set([
  'Method',
  'Instructions',
  'Max train instances',
  'Train trials',
  'Max eval instances',
  'Temperature',
  'Max tokens',
  'Stop sequences',
])

/** A metric's line of a specification whoever judges: a changed jury is told as such. */
const withoutJudges = (line: string): string => {
  const [name = '', args] = line.split(/ (?=\{)/, 2)
  if (args === undefined) return line
  try {
    const { annotator_models: _, ...others } = JSON.parse(line.slice(name.length)) as Readonly<
      Record<string, unknown>
    >
    return `${name} ${JSON.stringify(others)}`
  } catch {
    // A number that JSON has no word for: the line as it stands.
    return line
  }
}

const digest = (value: unknown): string => digestOf<'text'>(JSON.stringify(value)).slice(0, 16)
