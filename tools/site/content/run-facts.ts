import { present } from '../../../cache/lists.ts'
import { str } from '../../../benchmarks/python/numbers/number.ts'
import type { ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import { shownAdapter, shownObject } from '../../../targets/access/discreet-texts.ts'
import { boardCell } from '../../../targets/board/board-cell.ts'
import { isShown } from '../../../targets/access/suppress-small.ts'
import type { BoardRun } from '../../../targets/runs/board-run.ts'
import { placeText, type CountedRows } from '../../../targets/record/instance-ref.ts'
import type { JudgeCoverage } from '../../../targets/jury/judge-coverage.ts'
import { sumCoverage } from '../../../targets/record/coverage.ts'
import { driftText, type RunRecord } from '../../../targets/record/record.ts'
import type { Run } from '../../../targets/runs/run.ts'
import { formatCount } from '../../../cache/words/number-text.ts'
import type { RunFacts } from '../site.ts'
import { measureNamed } from '../../../targets/metrics/catalog.ts'
import { metricLabel } from './metric-label.ts'
import { spentLines, type PriceOf } from './spent-lines.ts'

/** Failures that a run's page quotes in full. */
const DETAILS = 50

/** What a page says of a run besides its scores. */
export type PageSource = Pick<
  Run,
  | 'suite'
  | 'scenario'
  | 'adapter'
  | 'metrics'
  | 'annotators'
  | 'groups'
  | 'failures'
  | 'record'
  | 'usage'
  | 'source'
>

/**
 * What a run's page says above its instances. Of other than public benchmarks no argument, prompt text, id or detail is told.
 * @param judges empty where no jury was asked, or nothing tells of it
 */
export const runFacts = (
  described: PageSource,
  run: BoardRun,
  {
    judges = [],
    priceOf = () => undefined,
  }: { readonly judges?: readonly JudgeCoverage[]; readonly priceOf?: PriceOf } = {},
): RunFacts => {
  const { suite, usage, source, record } = described
  const { benchmark, model } = run
  const cell = boardCell([run], benchmark)
  const mayShow = isShown(benchmark)
  return {
    suite,
    name: run.name,
    model,
    benchmark: {
      name: benchmark.name,
      displayName: benchmark.displayName,
      access: benchmark.access,
      mainMetric: benchmark.mainMetric.name,
      mainMetricLabel: benchmark.mainMetric.displayName,
      ...(benchmark.mainMetric.isBinary && {
        wrongScore: benchmark.mainMetric.lowerIsBetter === true ? 1 : 0,
      }),
    },
    score: {
      value: cell.value,
      score: cell.score,
      interval: cell.interval,
      n: cell.n,
      asked: cell.asked,
      calibrated: cell.calibrated,
    },
    coverage: {
      ...sumCoverage([cell]),
      floor: cell.floor,
      causes: cell.causes,
    },
    judges,
    spent: usage === undefined ? [] : spentLines(usage, model.deployment, priceOf),
    spec: specFacts(described, run, mayShow),
    metrics: metricFacts(run, described.metrics, mayShow),
    failures: cell.failures,
    failureDetails: mayShow
      ? described.failures.slice(0, DETAILS).map(({ instance, stage, judge, code, detail }) => ({
          instance,
          stage,
          ...(judge === undefined ? {} : { judge }),
          code,
          detail,
        }))
      : [],
    source,
    ...(record && { made: { target: record.target, rows: record.rowsDigest } }),
  }
}

const specFacts = (
  described: PageSource,
  { model, benchmark }: BoardRun,
  mayShow: boolean,
): RunFacts['spec'] =>
  present(
    ['Model', [model.name, model.creator, model.access].filter((part) => part !== '').join(', ')],
    ['Deployment', model.deployment],
    ['Scenario', mayShow ? objectText(described.scenario) : described.scenario.className],
    ...adapterFacts(shownAdapter(described.adapter, benchmark)),
    ['Metrics', described.metrics.map((metric) => objectText(shownObject(metric, benchmark))).join('\n')],
    described.annotators !== undefined && [
      'Annotators',
      described.annotators.map(({ className }) => className).join('\n'),
    ],
    ['Groups', described.groups.join(', ')],
    ...(described.record === undefined ? [] : recordFacts(described.record, mayShow)),
  )

/** A sub-split may be one patient's, and called so: of texts that are not public it is left to the subgroups. */
const metricFacts = (
  { stats }: BoardRun,
  specs: PageSource['metrics'],
  mayShow: boolean,
): RunFacts['metrics'] =>
  stats.flatMap(({ name, count, sum }) =>
    count === 0 || name.perturbation !== undefined || (name.subSplit !== undefined && !mayShow)
      ? []
      : [
          {
            name: name.name,
            label: metricLabel(name.name, specs),
            split: [name.split, name.subSplit].filter(Boolean).join('/'),
            value: sum / count,
            isCount: measureNamed(name.name, specs)?.unit === 'count',
          },
        ],
  )

const objectText = ({ className, args }: ObjectSpec): string =>
  args.size === 0 ? className : `${className} ${dumps(args)}`

const adapterFacts = (adapter: PageSource['adapter']): RunFacts['spec'] =>
  present(
    ['Method', adapter.method],
    adapter.instructions !== '' && ['Instructions', adapter.instructions],
    ['Max train instances', str(adapter.maxTrainInstances)],
    ['Train trials', str(adapter.numTrainTrials)],
    adapter.maxEvalInstances !== undefined && ['Max eval instances', formatCount(adapter.maxEvalInstances)],
    ['Temperature', str(adapter.temperature)],
    ['Max tokens', formatCount(adapter.maxTokens)],
    adapter.stopSequences.length !== 0 && [
      'Stop sequences',
      adapter.stopSequences.map((stop) => JSON.stringify(stop)).join(', '),
    ],
  )

const recordFacts = (
  { profile, errata, skippedRows, served, omitted, drift = [] }: NonNullable<PageSource['record']>,
  mayShow: boolean,
): RunFacts['spec'] => [
  ['Profile', profile],
  ...errataFacts(errata),
  ...rowsFact('Rows skipped', skippedRows, mayShow),
  ...rowsFact('Rows read in part', skippedRows?.inPart, mayShow),
  ...(served.length === 0 ? [] : [['Served as', served.join('\n')] as const]),
  ...(drift.length === 0 ? [] : [['Warning', drift.map(driftText).join('\n')] as const]),
  ...(omitted.length === 0 ? [] : [['Not computed', omitted.join('\n')] as const]),
]

const rowsFact = (name: string, rows: CountedRows | undefined, mayShow: boolean): RunFacts['spec'] =>
  rows === undefined || rows.count === 0
    ? []
    : [[name, [formatCount(rows.count), ...(mayShow ? rows.listed.map(placeText) : [])].join('\n')]]

/** Absent: all faults of the benchmark are as HELM has them. */
const errataFacts = (errata: RunRecord['errata']): RunFacts['spec'] =>
  present(
    errata !== undefined &&
      errata.corrected.length !== 0 && ['Errata corrected', errata.corrected.join(', ')],
    errata !== undefined &&
      errata.uncorrected.length !== 0 && ['Errata not corrected', errata.uncorrected.join(', ')],
  )
