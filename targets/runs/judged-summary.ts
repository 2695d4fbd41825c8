import type { Digest } from '../../cache/values/digest.ts'
import { asJson } from '../../cache/stored-shape.ts'
import type { Store } from '../../cache/store.ts'
import { judgeRun, type DropoutOf, type JudgedScores } from '../jury/study/dropout.ts'
import type { ReadMean } from '../jury/study/standings.ts'
import { JudgeCounter, type JudgeCoverage } from '../jury/judge-coverage.ts'
import { juryReading, type JuryReading } from '../jury/stored-judgements.ts'
import type { RequestState } from '../record/request-state.ts'
import type { RecordView } from '../walk/modes/read.ts'
import type { Target } from '../record/target.ts'
import type { SharedEnv } from '../env/env.ts'
import type { Jury } from '../../benchmarks/scenario/benchmark.ts'
import type { JuryScoring } from '../jury/jury-scoring.ts'
import { juryStat, llmJury } from '../metrics/llm-jury.ts'
import type { Profile } from '../profile.ts'

/** Raised when the same judgements give another summary. */
const VERSION = 4

/** What a site tells of a run's judgements. */
export interface JudgedSummary {
  readonly run: JudgedScores
  readonly judges: readonly JudgeCoverage[]
}

interface Stored {
  readonly run: Omit<JudgedScores, 'without'> & {
    readonly without: readonly (readonly [judge: string, mean: ReadMean])[]
  }
  readonly judges: readonly JudgeCoverage[]
}

/** Undefined for a run without a jury, and where judges grade the items of each instance's own rubric. */
export const judgedSummary = async (
  { target, digest }: { readonly target: Target; readonly digest: Digest<'record'> },
  env: SharedEnv,
  view: () => Promise<RecordView>,
): Promise<JudgedSummary | undefined> => {
  const summary = summaryOf(target, env.profile)
  if (summary === undefined) return undefined
  return storedJudgedRun(digest, env.records, async () => {
    const read = await view()
    return summary({ asked: read.asked, states: read.states() })
  })
}

type Read = Parameters<typeof judgeRun>[0]

/** The same of states at hand. */
export const judgedOf = (target: Target, profile: Profile, read: Read): JudgedSummary | undefined =>
  summaryOf(target, profile)?.(read)

const summaryOf = (target: Target, profile: Profile): ((read: Read) => JudgedSummary) | undefined => {
  const { jury } = target.spec.benchmark
  const reading = juryReading(target, profile)
  if (jury === undefined || reading === undefined || jury.grading !== undefined) return undefined
  return ({ asked, states }) => {
    const counter = new JudgeCounter(reading)
    const counted = { asked, states: countedBy(counter, states) }
    return {
      run: judgeRun(counted, dropoutInput({ target, jury, reading }, profile)),
      judges: counter.result(),
    }
  }
}

/** How a built run is scored without each of its judges. */
export const dropoutInput = (
  { target, jury, reading }: { readonly target: Target; readonly jury: Jury; readonly reading: JuryReading },
  profile: Profile,
): DropoutOf => {
  const { benchmark, adapter } = target.spec
  return {
    benchmark: benchmark.runName,
    model: adapter.modelDeployment,
    jury: juryScoring(target, jury, profile),
    reading,
    split: benchmark.mainMetric.split,
  }
}

/** The states as they come, counted on the way: reading them twice would cost as much again. */
function* countedBy(counter: JudgeCounter, states: Iterable<RequestState>): Iterable<RequestState> {
  for (const state of states) {
    counter.add(state)
    yield state
  }
}

/** Kept by the record's digest: judgements are many, boards are often made. */
const storedJudgedRun = async (
  digest: string,
  store: Store,
  judged: () => Promise<JudgedSummary>,
): Promise<JudgedSummary> => {
  const id = `judged:${VERSION}:${digest}`
  const known = store.get('files', id) as Stored | undefined
  if (known !== undefined) return { ...known, run: { ...known.run, without: new Map(known.run.without) } }
  const made = await judged()
  // No mean without a judgement, and nothing that would be dear to read again.
  if (made.run.requests === 0) return made
  const kept: Stored = { ...made, run: { ...made.run, without: [...made.run.without] } }
  await store.put('files', id, asJson(kept))
  return made
}

/** How a run's jury scores: by the run's own metric. */
const juryScoring = (
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
