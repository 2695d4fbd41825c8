import type { Access } from '../../benchmarks/scenario/benchmark.ts'
import { toldMeasures } from '../../benchmarks/user-code/metric-spec.ts'
import type { Causes } from '../../targets/record/coverage.ts'
import type { RunFailure } from '../../targets/record/record.ts'
import type { Target } from '../../targets/record/target.ts'
import { runEntryOf } from '../../targets/entries/run-entry.ts'
import { leadsOf } from '../../targets/metrics/catalog.ts'
import { runTargets, type TargetResult } from '../../targets/scheduler/run-targets.ts'
import { countInstances, type CheckedInstances } from './count-instances.ts'
import { resolveTargets } from '../session/resolve-targets.ts'
import type { Session } from '../session/session.ts'
import { estimateTargets, type TargetsEstimate } from '../../targets/estimate/estimate-targets.ts'

/** A number of the trial; `mean` is absent where no instance has a value. */
interface TrialScore {
  readonly name: string
  readonly mean?: number
}

export interface Trial {
  readonly model: string
  /** The embedded judge that stood in for each judge; absent without a jury. */
  readonly judge?: string
  readonly instances: number
  /** Those with a value of the main metric. */
  readonly measured: number
  /** No stage failed, and each of them has that value. */
  readonly complete: boolean
  readonly failures: readonly Pick<RunFailure, 'instance' | 'stage' | 'code' | 'detail'>[]
  readonly causes: Causes
  /** The main metric first. */
  readonly scores: readonly TrialScore[]
}

export interface CheckedBenchmark {
  readonly benchmark: string
  readonly access: Access
  /** Why that is not what its declaration says. */
  readonly accessReason?: string
  readonly instances: CheckedInstances
  /** The first three, as the first priced model gets them. */
  readonly prompts: readonly string[]
  readonly estimate: TargetsEstimate
  readonly trial: Trial
}

interface CheckOptions {
  /** Models whose price is told. */
  readonly models: readonly string[]
  readonly maxEvalInstances: number
}

const MODEL = 'baseline/lexical-overlap'
const JUDGE = 'baseline/overlap-judge'
const TRIED = 2
const SHOWN = 3

/**
 * Reads a benchmark's declaration and all of its data, makes its prompts, prices a run and has two instances answered
 * by an embedded model, and read by an embedded judge. No server is asked.
 *
 * @param entry a run entry without its model
 * @param session over a store that nobody keeps
 * @throws ProblemError for whatever of it a run would refuse
 */
export const checkBenchmark = async (
  entry: string,
  { models, maxEvalInstances }: CheckOptions,
  session: Session,
): Promise<CheckedBenchmark> => {
  const [tried = noTarget(entry)] = await targetsOf(entry, [MODEL], TRIED, session)
  const { benchmark } = tried.spec
  const instances = await countInstances(benchmark)
  const prompts: string[] = []
  const priced = await targetsOf(entry, models, maxEvalInstances, session)
  const estimate = await estimateTargets(priced, session, ({ target, judge, request }) => {
    if (judge === null && target === priced[0] && prompts.length < SHOWN)
      prompts.push(request.messages.map(({ content }) => content).join('\n\n'))
  })
  const trial = await tryOut(withStandIns(tried, session), session)
  const { runName, access, accessReason } = benchmark
  const reason = accessReason === undefined ? {} : { accessReason }
  return { benchmark: runName, access, ...reason, instances, prompts, estimate, trial }
}

const noTarget = (entry: string): never => {
  throw new RangeError(`${entry} gives no run`)
}

const targetsOf = async (
  entry: string,
  models: readonly string[],
  maxEvalInstances: number,
  session: Session,
): Promise<readonly Target[]> => {
  const entries = models.map((model) =>
    runEntryOf(`${entry}${entry.includes(':') ? ',' : ':'}model=${model}`),
  )
  const found = await resolveTargets([{ suite: 'check', entries, options: { maxEvalInstances } }], session)
  return found.map(({ target }) => target)
}

const withStandIns = (target: Target, { registry }: Session): Target => {
  const deployment = registry.deployment(JUDGE)
  // Never the declared judges in its place: they would be asked.
  if (deployment === undefined) throw new RangeError(`${JUDGE} is not built in`)
  return { ...target, judges: target.judges.map((judge) => ({ ...judge, deployment })) }
}

const tryOut = async (target: Target, session: Session): Promise<Trial> => {
  let result: TargetResult | undefined
  await runTargets([target], session.env, {
    onResult: async (each) => {
      result = each
    },
    onProblem: (_, error) => {
      throw error
    },
  })
  if (result === undefined) throw new RangeError(`${target.spec.name} was stopped`)
  const { record } = result
  return {
    model: MODEL,
    ...(target.judges.length === 0 ? {} : { judge: JUDGE }),
    instances: record.coverage.evaluated,
    measured: record.coverage.measured,
    complete: record.failures.length === 0 && record.coverage.measured === record.coverage.evaluated,
    failures: record.failures.map(({ instance, stage, code, detail }) => ({ instance, stage, code, detail })),
    causes: record.causes,
    scores: scoresOf(target, result),
  }
}

/** The main metric, what each other metric object leads with, and the workspace's own. */
const scoresOf = ({ spec }: Target, { record }: TargetResult): readonly TrialScore[] => {
  const main = spec.benchmark.mainMetric.name
  const objects = spec.metrics.map(({ helm }) => helm)
  const told = [...leadsOf(objects), ...objects.flatMap(toldMeasures)].map(({ name }) => name)
  return [...new Set([main, ...told])].flatMap((name) => {
    const stat = record.stats.find((each) => each.name.name === name && each.name.split !== undefined)
    if (stat?.mean !== undefined) return [{ name, mean: stat.mean }]
    return name === main ? [{ name }] : []
  })
}
