import type { PyValue } from '../../benchmarks/python/value.ts'
import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import { isEmptyAnnotation } from '../../targets/jury/annotation.ts'
import { judgeScores } from '../../targets/jury/judge-scores.ts'
import { juryStat } from '../../targets/metrics/llm-jury.ts'
import type { JudgementCount } from '../../targets/record/coverage.ts'
import type { RequestState } from '../../targets/record/request-state.ts'

/** What is read of a request state. */
type Judged = Pick<RequestState, 'annotations'> & { readonly instance: { readonly split?: string } }

export interface HelmJury {
  readonly annotator: string
  /** Absent where the metric does not name them: all whose judgements are in the file, then. */
  readonly judges?: readonly string[]
}

/**
 * The judges who give a metric of a run of HELM's; undefined where none do.
 * @param declared the benchmark's jury: earlier juries' metrics were a class a benchmark
 */
export const juryOf = (
  metrics: readonly ObjectSpec[],
  name: string,
  declared?: { readonly metric: string; readonly annotator: string },
): HelmJury | undefined => {
  const spec = metrics.find((spec) => juryStat(spec) === name)
  const annotator = spec?.args.get('scenario_name')
  const judges = spec?.args.get('annotator_models')
  return typeof annotator === 'string' && judges instanceof Map
    ? { annotator, judges: [...judges.keys()].map(String) }
    : declared?.metric === name
      ? { annotator: declared.annotator }
      : undefined
}

/** HELM's files hold the judgements that could be read, and nothing of the others. */
export const countJudgements = async (
  states: AsyncIterable<Judged>,
  { annotator, judges }: HelmJury,
  split: string,
): Promise<JudgementCount> => {
  const read = new Map((judges ?? []).map((judge) => [judge, 0]))
  let [answers, blank] = [0, 0]
  for await (const { instance, annotations } of states) {
    if (instance.split !== split) continue
    answers += 1
    const annotation = annotations?.get(annotator)
    if (!(annotation instanceof Map)) continue
    if (isEmptyAnnotation(annotation)) blank += 1
    else
      for (const [judge, judgement] of annotation)
        if (isRead(judgement) && (judges === undefined || read.has(judge)))
          read.set(judge, (read.get(judge) ?? 0) + 1)
  }
  const counted = [...read.values()].reduce((sum, count) => sum + count, 0)
  return { wanted: answers * read.size, read: counted + blank * read.size }
}

const isRead = (judgement: PyValue): boolean =>
  judgement instanceof Map && judgeScores(judgement, 'float').kind === 'done'
