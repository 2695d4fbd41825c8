import type { JsonObject } from '../../../cache/values/json.ts'
import { createMoneyTally, type Money } from '../../../targets/spend/money-tally.ts'
import { STAGES, type Event, type StageName } from '../../../targets/event.ts'

/** An instance that failed at a stage. */
export type ToldFailure = Omit<
  Extract<Event, { readonly type: 'instance-failed' }>,
  'type' | 'trial' | 'retriable'
>

export type StoppedDeployment = Omit<Extract<Event, { readonly type: 'deployment-stopped' }>, 'type'>

/** Counts what happened: the object that `--json` prints, and the last lines of a run. */
export interface ProgressSummary {
  /** Forgets the failures so far: all are tried again. */
  readonly nextRound: () => void
  readonly on: (event: Event) => void
  readonly providerCalls: () => number
  readonly executed: () => number
  readonly money: () => Money
  /** Deployments that answered no call. */
  readonly stopped: () => readonly StoppedDeployment[]
  readonly failures: () => readonly ToldFailure[]
  readonly json: (targets: JsonObject) => JsonObject
}

export const createSummary = (): ProgressSummary => {
  const stages = Object.fromEntries(STAGES.map((stage) => [stage, { executed: 0, cached: 0 }])) as Record<
    StageName,
    { executed: number; cached: number }
  >
  const failures: ToldFailure[] = []
  const stopped: StoppedDeployment[] = []
  const money = createMoneyTally()
  let calls = 0
  return {
    nextRound: () => void failures.splice(0),
    on: (event) => {
      money.on(event)
      if (event.type === 'stage-results') {
        stages[event.stage].executed += event.executed
        stages[event.stage].cached += event.cached
      } else if (event.type === 'provider-call') calls += 1
      else if (event.type === 'deployment-stopped') {
        const { deployment, code, detail, remedy } = event
        stopped.push({ deployment, code, detail, remedy })
      } else if (event.type === 'instance-failed') {
        const { target, instance, stage, judge, code, detail } = event
        failures.push({ target, instance, stage, ...(judge === undefined ? {} : { judge }), code, detail })
      }
    },
    providerCalls: () => calls,
    executed: () => STAGES.reduce((sum, stage) => sum + stages[stage].executed, 0),
    money: money.result,
    stopped: () => stopped,
    failures: () => failures,
    json: (targets) => ({
      targets,
      stages: Object.fromEntries(STAGES.map((stage) => [stage, { ...stages[stage] }])),
      providerCalls: calls,
      failures: failures.map((each) => ({ ...each })),
      ...(stopped.length === 0 ? {} : { stopped: stopped.map((each) => ({ ...each })) }),
      ...moneyJson(money.result()),
    }),
  }
}

/** A sum that lacks a part is null, never too low. */
const moneyJson = ({
  spent,
  unknownCalls,
  uncertain,
  uncertainAttempts,
  saved,
  unknownReused,
  overruns,
  overrun,
  impossibleUsages,
}: Money): JsonObject => ({
  usd: unknownCalls > 0 ? null : spent,
  usdUncertain: uncertain,
  uncertainAttempts,
  usdSaved: unknownReused > 0 ? null : saved,
  ...(overruns > 0 ? { overruns, usdOverrun: overrun } : {}),
  ...(impossibleUsages > 0 ? { impossibleUsages } : {}),
})
