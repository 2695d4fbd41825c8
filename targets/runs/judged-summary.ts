import type { Digest } from '../../cache/values/digest.ts'
import { judgeRun } from '../jury/study/dropout.ts'
import { JudgeCounter } from '../jury/judge-coverage.ts'
import { juryReading } from '../jury/stored-judgements.ts'
import type { RequestState } from '../record/request-state.ts'
import type { RecordView } from '../walk/modes/read.ts'
import type { Target } from '../record/target.ts'
import type { SharedEnv } from '../env/env.ts'
import { juryScoring } from './jury-scoring-of.ts'
import { storedJudgedRun, type JudgedSummary } from './stored-judged-run.ts'

/** Undefined for a run without a jury, and where judges grade the items of each instance's own rubric. */
export const judgedSummary = async (
  { target, digest }: { readonly target: Target; readonly digest: Digest<'record'> },
  env: SharedEnv,
  view: () => Promise<RecordView>,
): Promise<JudgedSummary | undefined> => {
  const { spec } = target
  const { jury } = spec.benchmark
  const reading = juryReading(target, env.profile)
  if (jury === undefined || reading === undefined || jury.grading !== undefined) return undefined
  return storedJudgedRun(digest, env.records, async () => {
    const counter = new JudgeCounter(reading)
    const run = judgeRun(countedBy(counter, (await view()).states()), {
      benchmark: spec.benchmark.runName,
      model: spec.adapter.modelDeployment,
      jury: juryScoring(target, jury, env.profile),
    })
    return { run, judges: counter.result() }
  })
}

/** The states as they come, counted on the way: reading them twice would cost as much again. */
function* countedBy(counter: JudgeCounter, states: Iterable<RequestState>): Iterable<RequestState> {
  for (const state of states) {
    counter.add(state)
    yield state
  }
}
