import { CODE } from '../../../cache/package-root.ts'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import type { JsonObject } from '../../../cache/values/json.ts'
import { STAGES, type StageName } from '../../../targets/event.ts'
import { keepingFor } from '../../../targets/env/env.ts'
import {
  causeOfMiss,
  differences,
  discreetDifferences,
  type Difference,
} from '../../../targets/scheduler/explain.ts'
import type { TargetPlan } from '../../../targets/scheduler/plan-target.ts'
import { readLastBuild } from '../../../targets/record/trace.ts'
import { isBuiltIn, listSuites } from '../../session/suites.ts'
import type { SuiteTarget } from '../../session/resolve-targets.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { planWithCost, type CachedCost } from '../../../targets/estimate/cached-cost.ts'
import { differenceText } from '../output/difference-text.ts'
import { boolFlag } from '../flags.ts'
import { failedExit, tellFailed } from '../output/print-problems.ts'
import { createLostRecords, withSession } from '../with-session.ts'
import type { Action } from '../verb.ts'
import { targetsOf } from '../common/suites.ts'
import { countText, listText, plural } from '../../../cache/words/number-text.ts'
import { usdOrUnknown } from '../../spend/money-text.ts'

/** `medmake explain <run or suite>`: hits, misses and, for a miss, the first field that differs from the last build. */
export const explainAction: Action = async (invocation) => {
  const { args, flags, cwd, print, warn } = invocation
  const workspace = await findWorkspace(cwd)
  const wanted = args[0] ?? ''
  // Beside entries it is one of these.
  const isOfEntries = flags['confPaths'] !== undefined || flags['runEntries'] !== undefined
  const isSuite = !isOfEntries && (isBuiltIn(wanted) || (await listSuites(workspace.root)).has(wanted))
  const lost = createLostRecords()
  return withSession(invocation, { workspace, readOnly: true, lost }, async (session) => {
    const targets = await targetsOf({ ...invocation, args: isSuite ? [wanted] : [] }, session)
    const unread: ProblemError[] = []
    for (const { target } of isSuite ? targets : pick(targets, wanted)) {
      const before = lost.count()
      const found = await planWithCost(target, session.env).catch((error: unknown) => {
        if (!(error instanceof ProblemError)) throw error
        unread.push(error)
      })
      if (found === undefined) continue
      const { plan, cost } = found
      const { name, benchmark } = target.spec
      const last = readLastBuild(name, (await keepingFor(benchmark, session.env)).store)
      const changes = last && discreetDifferences(differences(last.key, plan.key.key), benchmark.access)
      const code = last && last.code !== CODE.digest ? { before: last.code, after: CODE.digest } : null
      if (boolFlag(flags, 'json'))
        print(JSON.stringify({ ...asJson(plan, changes), cost, code, lost: lost.count() - before }))
      else
        print(
          [
            asText(plan, changes, lost.count() > before),
            ...cachedCostText(cost),
            ...(code === null ? [] : [codeText(code)]),
          ].join('\n'),
        )
    }
    tellFailed(unread, warn)
    return failedExit(unread) ?? EXIT.done
  })
}

/** Results hang on the stages' versions, not on the code: that it changed is worth knowing all the same. */
const codeText = ({ before, after }: { readonly before: string; readonly after: string }): string =>
  `  code: ${before} → ${after}; only a stage's version makes it run again`

/** Targets of that run name, or all whose name begins with it. */
const pick = (targets: readonly SuiteTarget[], wanted: string): readonly SuiteTarget[] => {
  const names = targets.map(({ target }) => target.spec.name)
  const exact = targets.filter(({ target }) => target.spec.name === wanted)
  const found = exact.length > 0 ? exact : targets.filter(({ target }) => target.spec.name.startsWith(wanted))
  if (found.length > 0) return found
  throw new ProblemError({
    code: 'cli/unknown-run',
    message: `no run is called ${wanted}`,
    remedy: `${suggestion(wanted, names)}Name a suite, a run or the beginning of one: ${listText(names, 10)}.`,
  })
}

const asText = (plan: TargetPlan, changes: readonly Difference[] | undefined, isLost: boolean): string => {
  const name = plan.target.spec.name
  if (plan.fresh) return `${name}\n  fresh: every stage is a hit`
  const lines = STAGES.map((stage) => {
    const { execute, cached } = plan.stages[stage]
    if (execute === 0) return `  ${stage}: hit (${cached})`
    return `  ${stage}: miss (${execute} of ${execute + cached}): ${reason(stage, changes, isLost)}`
  })
  if (STAGES.every((stage) => plan.stages[stage].execute === 0))
    lines.push(`  record: miss: ${reason('metrics', changes, isLost)}`)
  return [name, ...lines, `  at most ${plural(plan.calls, 'provider call')}`].join('\n')
}

/** @param isLost the store lists results of the run that it can't give */
const reason = (stage: StageName, changes: readonly Difference[] | undefined, isLost: boolean): string => {
  if (changes === undefined) return isLost ? 'lost, as the store is damaged' : 'never built'
  const cause = causeOfMiss(stage, changes)
  if (cause !== undefined) return differenceText(cause)
  return isLost ? 'lost, as the store is damaged' : 'unfinished or failed before'
}

const asJson = (plan: TargetPlan, changes: readonly Difference[] | undefined): JsonObject => ({
  run: plan.target.spec.name,
  fresh: plan.fresh,
  built: changes !== undefined,
  stages: Object.fromEntries(STAGES.map((stage) => [stage, { ...plan.stages[stage] }])),
  calls: plan.calls,
  changes: (changes ?? []).map((change) => ({ ...change })),
})

/** Lines of `explain`; none where nothing was ever paid. */
const cachedCostText = ({ calls, usd, from, to, unrecorded, again }: CachedCost): readonly string[] => [
  ...(calls === 0
    ? []
    : [
        `  its stored replies once cost ${usdOrUnknown(usd)} USD: ${countText(calls)} calls, ${from === to ? from : `${from} to ${to}`}`,
      ]),
  ...(unrecorded === 0
    ? []
    : [`  ${countText(unrecorded)} stored replies are in no ledger: imported, or older than it`]),
  ...(again === undefined || calls + unrecorded === 0
    ? []
    : [`  saved by the cache in each run: ${usdOrUnknown(again)} USD at today's prices`]),
]
