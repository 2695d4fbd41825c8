import { discreetFailures } from '../../access/discreet-texts.ts'
import { hasTokenizer } from '../../../models/tokenizers/tokenizer.ts'
import { metricFor } from '../../metrics/catalog.ts'
import { StatsAggregator } from '../../metrics/scoring/aggregate-run.ts'
import type { Profile } from '../../profile.ts'
import type { Causes, Coverage } from '../../record/coverage.ts'
import { type RunRecord, COLUMN, RowTable } from '../../record/record.ts'
import { annotationColumns } from '../../stages/annotations.ts'
import type { InstanceRef } from '../../record/instance-ref.ts'
import { createRequestReader, WalkTally } from './run-tally.ts'
import type { RequestAt, RequestResult } from '../walk.ts'
import type { Target } from '../../record/target.ts'

/** What a record says of its run beside the results. */
type RecordParts = Pick<RunRecord, 'target' | 'instances' | 'skippedRows'>

/** Gathers what a run's requests gave, in their order, and sums it up in a record. */
interface Collector {
  readonly rows: RowTable
  take(result: RequestResult, at: RequestAt): void
  record(parts: RecordParts): RunRecord
}

export const createCollector = (
  target: Target,
  requests: number,
  refs: readonly InstanceRef[],
  profile: Profile,
): Collector => {
  const { spec } = target
  const rows = new RowTable(COLUMN.judgements + annotationColumns(target) + spec.metrics.length, requests)
  const aggregator = new StatsAggregator(spec.metrics.map(metricFor))
  const own = new StatsAggregator([{}])
  const tally = new WalkTally(target, refs.length)
  const read = createRequestReader(target, profile)
  return {
    rows,
    take: (result, at) => {
      const context = { instance: at.ref, trainTrialIndex: at.trial }
      const reading = read(result, at.ref.split)
      tally.add(result, reading, at)
      fillRow(rows, at.row, result)
      own.add(context, [reading.ownPoints])
      if (result.metrics !== undefined)
        aggregator.add(
          context,
          result.metrics.map(({ points }) => points),
        )
    },
    record: ({ target: digest, instances, skippedRows }) => {
      const { stats, omitted } = aggregator.result()
      const { counts } = tally
      const failures = discreetFailures(tally.failures, spec.benchmark.access, refs)
      return {
        target: digest,
        name: spec.name,
        profile,
        ...(spec.benchmark.errata === undefined ? {} : { errata: spec.benchmark.errata }),
        instances,
        rows: rows.length,
        columns: rows.columns,
        rowsDigest: rows.digest(),
        complete: !failures.some(({ retriable }) => retriable),
        failures,
        coverage: tally.coverage(),
        causes: { ...tally.causes(), ...rowCauses(target, refs, skippedRows) },
        ...(skippedRows === undefined ? {} : { skippedRows }),
        counts,
        // HELM drops a stat whose sum is NaN when it writes; JSON could not hold it either.
        stats: stats.filter(({ sum }) => !Number.isNaN(sum)),
        ownStats: own.result().stats.filter(({ name }) => name.perturbation === undefined),
        omitted: [...nothingAsked(spec, tally.coverage()), ...notComputed(target, omitted)],
        ...tally.served(),
        usage: tally.usage(),
      }
    },
  }
}

/** A score of nothing has no other cause that could be told. */
const nothingAsked = (
  { benchmark: { mainMetric } }: Target['spec'],
  { evaluated }: Coverage,
): readonly string[] =>
  evaluated > 0 ? [] : [`${mainMetric.name}: no instance of the split ${mainMetric.split} was evaluated`]

const notComputed = (
  target: Target,
  omitted: readonly { readonly names: string; readonly reason: string }[],
): readonly string[] => [
  ...omitted.map(({ names, reason }) => `${names}: ${reason}`),
  ...new Set(target.spec.metrics.flatMap((spec) => metricFor(spec).omits?.(spec) ?? [])),
  ...lackingTokenizer(target),
]

const fillRow = (rows: RowTable, index: number, result: RequestResult): void => {
  rows.set(index, COLUMN.prompt, result.prompt.digest)
  if (result.completion !== undefined) rows.set(index, COLUMN.completion, result.completion.digest)
  for (const [judge, { digest }] of result.judgements.entries())
    if (digest !== undefined) rows.set(index, COLUMN.judgements + judge, digest)
  const first = rows.columns - (result.metrics?.length ?? 0)
  for (const [metric, { digest }] of (result.metrics ?? []).entries()) rows.set(index, first + metric, digest)
}

/** Without its tokenizer a prompt is sent whole: whether the model's window cut it is not known, and the record says so. */
const lackingTokenizer = ({ deployment }: Target): readonly string[] =>
  deployment.tokenizerName === undefined || hasTokenizer(deployment)
    ? []
    : [
        `num_prompt_tokens, prompt_truncated: ${deployment.name} counts by ${deployment.tokenizerName}, which is not at hand; prompts were sent whole.`,
      ]

/** Rows that were skipped or cut, and those that say the same as one before them where the workspace could leave them out. */
const rowCauses = (
  { spec }: Target,
  refs: readonly InstanceRef[],
  skipped: RunRecord['skippedRows'],
): Causes => {
  const repeated = refs.length - new Set(refs.map(({ digest }) => digest)).size
  return {
    ...(skipped === undefined || skipped.count === 0 ? {} : { 'row-skipped': skipped.count }),
    ...(skipped?.inPart === undefined ? {} : { 'row-in-part': skipped.inPart.count }),
    ...(repeated === 0 || spec.benchmark.isOwn !== true ? {} : { 'row-repeated': repeated }),
  }
}
