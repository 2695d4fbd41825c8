import type { StageName } from '../event.ts'
import { RunAggregator } from '../metrics/aggregate-run.ts'
import { hasTokenizer } from '../../models/tokenizers/tokenizer.ts'
import type { RunFailure, RunRecord } from '../record/record.ts'
import { RowTable } from '../record/rows.ts'
import { annotationColumns } from '../stages/annotations.ts'
import type { InstanceRef } from '../stages/instances.ts'
import type { RequestResult } from './request-pipeline.ts'
import type { Target } from './target.ts'

/** What a record says of its run beside the results. */
export type RecordParts = Pick<RunRecord, 'target' | 'instances' | 'profile'>

/** Gathers what a run's requests gave, in their order, and sums it up in a record. */
export interface Collector {
  readonly rows: RowTable
  take(result: RequestResult, index: number): void
  record(parts: RecordParts): RunRecord
}

export const createCollector = (
  target: Target,
  requests: number,
  refs: readonly InstanceRef[],
): Collector => {
  const { spec } = target
  const rows = new RowTable(2 + annotationColumns(target) + spec.metrics.length, requests)
  const aggregator = new RunAggregator(spec.metrics.map(({ metric }) => metric))
  const notes = createNotes(refs.length)
  return {
    rows,
    take: (result, index) => {
      const ref = refs[index % refs.length]
      if (ref === undefined) throw new RangeError(`no request ${index}`)
      const trial = Math.floor(index / refs.length)
      notes.add(result, String(ref.id), trial)
      fillRow(rows, index, result)
      if (result.metrics !== undefined)
        aggregator.add(
          { instance: ref, trainTrialIndex: trial },
          result.metrics.map(({ points }) => points),
        )
    },
    record: ({ target: digest, instances, profile }) => {
      const { stats, omitted } = aggregator.result()
      const { failures, counts, served, usage } = notes
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
        counts,
        // HELM drops a stat whose sum is NaN when it writes; JSON could not hold it either.
        stats: stats.filter(({ sum }) => !Number.isNaN(sum)),
        omitted: [
          ...omitted.map(({ names, reason }) => `${names}: ${reason}`),
          ...(lacksEncoder(target) ? [NO_ENCODER] : []),
          ...lackingTokenizer(target),
        ],
        served: [...served].sort(),
        usage,
      }
    },
  }
}

interface Notes {
  readonly failures: RunFailure[]
  readonly counts: Record<StageName, number>
  readonly served: Set<string>
  readonly usage: { inputTokens: number; outputTokens: number }
  add(result: RequestResult, instance: string, trial: number): void
}

/** Counts, failures and what the providers said of themselves. */
const createNotes = (instances: number): Notes => {
  const failures: RunFailure[] = []
  const counts = { instances, prompts: 0, completions: 0, annotations: 0, metrics: 0 }
  const served = new Set<string>()
  const usage = { inputTokens: 0, outputTokens: 0 }
  return {
    failures,
    counts,
    served,
    usage,
    add: (result, instance, trial) => {
      counts.prompts += 1
      counts.completions += result.completion === undefined ? 0 : 1
      counts.annotations += result.judgements.filter(({ digest }) => digest !== undefined).length
      counts.metrics += result.metrics?.length ?? 0
      for (const { stage, judge, cause, retriable } of result.failures) {
        const { code, detail } = cause
        failures.push({
          instance,
          trial,
          stage,
          ...(judge === undefined ? {} : { judge }),
          code,
          detail,
          retriable,
        })
      }
      const reply = result.completion?.stored.reply
      const fingerprint = reply?.systemFingerprint === undefined ? '' : ` (${reply.systemFingerprint})`
      if (reply?.model !== undefined) served.add(`${reply.model}${fingerprint}`)
      usage.inputTokens += reply?.usage?.inputTokens ?? 0
      usage.outputTokens += reply?.usage?.outputTokens ?? 0
    },
  }
}

const NO_ENCODER =
  'BERTScore-P, BERTScore-R, BERTScore-F: medmake.yaml names no encoder (bert_score); HELM computes these on a GPU only.'

const lacksEncoder = ({ spec }: Target): boolean =>
  spec.metrics.some(({ metric, bertScore }) => metric === 'summarization' && bertScore === undefined)

/** Row layout: prompt, completion, one column a judge, one a metric object. */
const fillRow = (rows: RowTable, index: number, result: RequestResult): void => {
  rows.set(index, 0, result.prompt)
  if (result.completion !== undefined) rows.set(index, 1, result.completion.digest)
  for (const [judge, { digest }] of result.judgements.entries())
    if (digest !== undefined) rows.set(index, 2 + judge, digest)
  const first = rows.columns - (result.metrics?.length ?? 0)
  for (const [metric, { digest }] of (result.metrics ?? []).entries()) rows.set(index, first + metric, digest)
}

/** Without its tokenizer a prompt is sent whole: whether the model's window cut it is not known, and the record says so. */
const lackingTokenizer = ({ deployment: { name, tokenizerName } }: Target): readonly string[] =>
  tokenizerName === undefined || hasTokenizer(tokenizerName)
    ? []
    : [
        `num_prompt_tokens, prompt_truncated: ${name} counts by ${tokenizerName}, which is not at hand; prompts were sent whole.`,
      ]
