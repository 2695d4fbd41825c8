import type { Jury } from '../../benchmarks/scenario/benchmark.ts'
import type { JuryScoring } from '../jury/jury-scoring.ts'
import { juryStat, llmJury } from '../metrics/llm-jury.ts'
import type { Profile } from '../profile.ts'
import type { Target } from '../record/target.ts'

/** How a run's jury scores: by the run's own metric. */
export const juryScoring = (
  { spec, judges }: Pick<Target, 'spec' | 'judges'>,
  { annotator }: Jury,
  profile: Profile,
): JuryScoring => {
  const metric = spec.metrics.find(({ helm }) => juryStat(helm) !== undefined)
  if (metric === undefined) throw new RangeError(`${spec.name} has a jury and no metric of it`)
  return {
    score: (state) => llmJury.evaluate(state, metric, spec.adapter, profile)[0]?.value ?? NaN,
    annotator,
    judges: judges.map(({ judge }) => judge.name),
  }
}
