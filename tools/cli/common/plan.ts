import { plural } from '../../../cache/words/number-text.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { STAGES } from '../../../targets/event.ts'
import { planInTurn, type TargetPlan } from '../../../targets/scheduler/plan-target.ts'
import type { SuiteTarget } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { boolFlag } from '../flags.ts'
import { failedExit, tellFailed } from '../output/print-problems.ts'
import type { Invocation } from '../verb.ts'

/** `medmake run --dry-run`: what would run, in results and calls. */
export const printPlan = async (
  targets: readonly SuiteTarget[],
  session: Session,
  { flags, print, warn }: Invocation,
): Promise<ExitCode> => {
  const plans: TargetPlan[] = []
  const unread: ProblemError[] = []
  const plan = planInTurn(session.env)
  for (const { target } of targets)
    try {
      plans.push(await plan(target))
    } catch (error) {
      // `medmake run` goes on without it, too.
      if (!(error instanceof ProblemError)) throw error
      unread.push(error)
    }
  if (boolFlag(flags, 'json')) print(JSON.stringify(planJson(plans)))
  else print(planText(plans))
  tellFailed(unread, warn)
  if (unread.length > 0) warn(`${unread.length} of ${targets.length} runs cannot be built.`)
  return failedExit(unread) ?? EXIT.done
}

export const planJson = (plans: readonly TargetPlan[]): object => ({
  targets: plans.map(({ target, fresh, stages, calls }) => ({
    name: target.spec.name,
    fresh,
    stages,
    calls,
  })),
  calls: totalCalls(plans),
})

const totalCalls = (plans: readonly TargetPlan[]): number => plans.reduce((sum, { calls }) => sum + calls, 0)

export const planText = (plans: readonly TargetPlan[]): string => {
  const stale = plans.filter(({ fresh }) => !fresh)
  const lines = stale.map(({ target, stages, calls }) => {
    const parts = STAGES.map(
      (stage) => `${stage} ${stages[stage].execute}/${stages[stage].execute + stages[stage].cached}`,
    )
    return `${target.spec.name}\n  would run: ${parts.join(', ')}; ${plural(calls, 'call')}`
  })
  return [
    ...lines,
    `${plural(plans.length, 'target')}: ${plans.length - stale.length} fresh, ${stale.length} to build, at most ${plural(totalCalls(plans), 'provider call')}`,
  ].join('\n')
}
