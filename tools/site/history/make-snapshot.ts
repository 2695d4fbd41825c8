import { rangeOf } from '../../../targets/statistics/scale.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { isRanked, isThere } from '../../../targets/board/board-cell.ts'
import type { BoardBenchmark } from '../../../targets/runs/board-run.ts'
import type { BenchmarkAbout } from '../about/benchmark-about.ts'
import type { RunFacts, SiteSuite } from '../site.ts'
import { isShown } from '../../../targets/access/suppress-small.ts'
import { scenarioOf } from '../../../targets/runs/board-metric.ts'
import { ValuePacker } from './packed-runs.ts'
import type { Snapshot, SnapshotCell, SnapshotScenario } from './snapshot.ts'

/**
 * What a later release needs of a suite to say what changed, and why.
 * @param isTold whether values by instance of a benchmark may be in it; a site tells those of public ones
 */
export const makeSnapshot = (
  { board, runs, benchmarks: abouts = [], models = [], release, runValues }: SiteSuite,
  isTold: (benchmark: BoardBenchmark) => boolean = isShown,
): Snapshot => {
  const facts = new Map(runs.map((run) => [run.facts.name, run.facts]))
  const packer = new ValuePacker()
  const snapshot: Snapshot = {
    version: 3,
    suite: board.suite,
    release: release?.release ?? '',
    benchmarks: board.benchmarks.map(({ name, displayName, mainMetric }) => ({
      name,
      label: displayName,
      width: mainMetric.range === undefined ? null : rangeOf(mainMetric.range),
      ...(mainMetric.lowerIsBetter === undefined ? {} : { lowerIsBetter: mainMetric.lowerIsBetter }),
      measure: measureOf(mainMetric),
      scale: {
        isBinary: mainMetric.isBinary,
        ...(mainMetric.range && { range: { ...mainMetric.range } }),
      },
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
          const benchmark = board.benchmarks[at]
          const values = benchmark && isTold(benchmark) ? runValues : undefined
          return {
            score: isRanked(cell) ? score : null,
            interval,
            n,
            ...conditionsOf(about, own),
            ...(own.every(({ made }) => made) && { runs: own.map((run) => keptRun(run, values, packer)) }),
          }
        }),
      }
    }),
  }
  return packer.lists.length === 0 ? snapshot : { ...snapshot, instances: packer.lists }
}

const keptRun = (
  { name, source, made, spec }: RunFacts,
  values: SiteSuite['runValues'],
  packer: ValuePacker,
): SnapshotScenario => {
  const [{ target, rows } = { target: '', rows: '' }, own] = [made, values?.get(name)]
  return {
    scenario: scenarioOf(name),
    rows,
    areMeans: spec.some(([label, value]) => label === 'Train trials' && value !== '1'),
    ...(own ? { told: packer.pack(own) } : { kept: { record: source, target } }),
  }
}

const measureOf = ({ name, range, lowerIsBetter }: BoardBenchmark['mainMetric']): string =>
  [
    name,
    range === undefined ? 'without ends' : `from ${range.low} to ${range.high}`,
    lowerIsBetter === undefined ? 'no direction' : lowerIsBetter ? 'less is better' : 'more is better',
  ].join(', ')

const conditionsOf = (about: BenchmarkAbout | undefined, runs: readonly RunFacts[]) => {
  const parts = (about?.data ?? []).flatMap((each) => each.parts)
  const isData = ([label]: readonly [string, string]): boolean => label.startsWith('data')
  const isShownOnly = ([label]: readonly [string, string]): boolean => label.startsWith('attributes')
  const told = (wanted: string): string[] =>
    [
      ...new Set(
        runs.flatMap(({ spec }) =>
          spec.flatMap(([label, value]) => (label === wanted ? value.split('\n') : [])),
        ),
      ),
    ].sort()
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
      about?.measures.flatMap(({ name, version }) =>
        version.startsWith(OWN_CODE) ? [] : [[name, version]],
      ) ?? [],
      about?.code ?? [],
      about?.jury?.criteria ?? [],
      about?.jury?.digest ?? null,
    ]),
    jury: (about?.jury?.judges ?? []).map(({ name, deployment }) =>
      name === deployment ? name : `${name} (${deployment})`,
    ),
    judgedBy: (about?.jury?.judges ?? []).map(({ modelString }) => modelString),
    served: told('Served as'),
    profiles: told('Profile'),
    errata: (about?.errata ?? []).flatMap(({ id, corrected }) => (corrected > 0 ? [id] : [])),
  }
}

/** How their versions begin. A release holds no code of a workspace's metrics: their measures are not told of it, their digests are. */
const OWN_CODE = 'code'

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
