import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import { isEmptyAnnotation } from '../../targets/jury/annotation.ts'
import { judgeScores } from '../../targets/jury/judge-scores.ts'
import type { JudgementCount } from '../../targets/record/coverage.ts'
import type { RequestState } from '../../targets/record/request-state.ts'

/** What is read of a request state. */
type Judged = Pick<RequestState, 'annotations'> & { readonly instance: { readonly split?: string } }

interface HelmJury {
  readonly annotator: string
  readonly judges: readonly string[]
}

/** The judges who give a metric of a run of HELM's; undefined where none do. */
export const juryOf = (metrics: readonly ObjectSpec[], name: string): HelmJury | undefined => {
  const spec = metrics.find(
    ({ className, args }) => className.endsWith('.LLMJuryMetric') && args.get('metric_name') === name,
  )
  const annotator = spec?.args.get('scenario_name')
  const judges = spec?.args.get('annotator_models')
  return typeof annotator === 'string' && judges instanceof Map
    ? { annotator, judges: [...judges.keys()].map(String) }
    : undefined
}

/** HELM's files hold the judgements that could be read, and nothing of the others. */
export const countJudgements = async (
  states: AsyncIterable<Judged>,
  jury: HelmJury,
  split: string,
): Promise<JudgementCount> => {
  let [wanted, read] = [0, 0]
  for await (const { instance, annotations } of states) {
    if (instance.split !== split) continue
    wanted += jury.judges.length
    const annotation = annotations?.get(jury.annotator)
    if (!(annotation instanceof Map)) continue
    if (isEmptyAnnotation(annotation)) read += jury.judges.length
    else read += jury.judges.filter((judge) => isRead(annotation.get(judge))).length
  }
  return { wanted, read }
}

const isRead = (judgement: Parameters<typeof judgeScores>[0] | undefined): boolean =>
  judgement !== undefined && judgement !== null && judgeScores(judgement, 'float').kind === 'done'
