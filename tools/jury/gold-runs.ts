import { wholeScores } from '../../targets/jury/study/dropout.ts'
import { dropoutInput } from '../../targets/runs/judged-summary.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { groupBy } from '../../cache/lists.ts'
import { scenarioOf } from '../../targets/runs/board-metric.ts'
import { goldOf, goldReport, type GoldReport, type GoldScores } from '../../targets/jury/gold-check.ts'
import type { RequestState } from '../../targets/record/request-state.ts'
import { goldJudge, type GoldJudge } from '../../targets/walk/modes/gold.ts'
import type { Session } from '../session/session.ts'
import { askEach, callsByJudge, type JudgeFailure } from './ask-each.ts'
import { isRankedRun, type JudgedTarget } from './judged-runs.ts'

/** A run's instances with their references, its scores as the board ranks by them, and the judge that reads the references. */
interface GoldAnswers extends GoldScores {
  readonly benchmark: string
  readonly judge: GoldJudge
  readonly instances: readonly Instance[]
}

/**
 * @param wanted the judge's name; the jury's first unless given
 * @throws ProblemError `jury/unknown-judge`
 */
export const goldRun = async (
  run: JudgedTarget,
  wanted: string | undefined,
  session: Pick<Session, 'env' | 'workspace'>,
): Promise<GoldAnswers> => {
  const { target, view } = run
  const names = target.judges.map(({ judge }) => judge.name)
  const name = wanted ?? names[0] ?? ''
  if (!names.includes(name)) throw unknownJudge(name, names)
  const of = dropoutInput(run, session.env.profile)
  const instances: Instance[] = []
  const states = notedBy(instances, of.split, view.states())
  const [scores = new Map<string, number>()] = wholeScores(states, of, [undefined]).scores
  return {
    benchmark: scenarioOf(target.spec.name),
    model: target.spec.adapter.modelDeployment,
    judge: await goldJudge(target, name, session.env),
    instances,
    scores,
    isRanked: isRankedRun(run, session),
  }
}

/** The states as they come, the evaluated instances noted on the way: reading them twice would cost as much again. */
function* notedBy(
  instances: Instance[],
  split: string,
  states: Iterable<RequestState>,
): Iterable<RequestState> {
  for (const state of states) {
    if (state.trainTrialIndex === 0 && state.instance.split === split) instances.push(state.instance)
    yield state
  }
}

const unknownJudge = (name: string, names: readonly string[]): ProblemError =>
  new ProblemError({
    code: 'jury/unknown-judge',
    message: `there is no judge ${name}`,
    where: { field: '--judge' },
    remedy: `${suggestion(name, names)}Judges: ${names.join(', ')}.`,
  })

/** Calls that are still to be made: models share instances, and each reference is asked about once. */
export const countGoldCalls = (runs: readonly GoldAnswers[]): ReadonlyMap<string, number> =>
  callsByJudge(
    runs.map(({ judge, instances }) => [
      judge.name,
      instances.flatMap((instance) => judge.missing(instance) ?? []),
    ]),
  )

interface GoldChecks {
  readonly benchmarks: readonly GoldReport[]
  readonly failures: readonly JudgeFailure[]
}

/** Asks what is not in the store. Undefined when it was stopped on the way. */
export const askGold = async (
  runs: readonly GoldAnswers[],
  { env }: Pick<Session, 'env'>,
): Promise<GoldChecks | undefined> => {
  const failures: JudgeFailure[] = []
  const reports: GoldReport[] = []
  for (const [benchmark, own] of groupBy(runs, (run) => run.benchmark)) {
    const instances = [
      ...new Map(
        own.flatMap((run) => run.instances.map((each) => [String(each.id), { each, run }])),
      ).values(),
    ].filter(({ each }) => goldOf(each) !== undefined)
    const verdicts = new Map<string, boolean | undefined>()
    const isWhole = await askEach(
      instances,
      ({ each, run }) => run.judge.ask(each),
      (verdict, { each, run }) => {
        if (verdict === undefined) return
        if (verdict.failure === undefined) verdicts.set(String(each.id), verdict.isReasonable)
        else failures.push({ judge: run.judge.name, cause: verdict.failure })
      },
      env.stop,
    )
    if (!isWhole) return undefined
    reports.push(goldReport({ benchmark, judge: own[0]?.judge.name ?? '' }, verdicts, own))
  }
  return { benchmarks: reports, failures }
}
