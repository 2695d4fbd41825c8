import { readComparedRun, type ComparedRun } from '../../../targets/compare/compared-run.ts'
import { compareRuns } from '../../../targets/compare/compare-runs.ts'
import { gatedPlace, gateRuns } from '../../../targets/compare/gate-runs.ts'
import { concerns, failuresOf } from '../../../targets/compare/fail-if.ts'
import type { ChangedTarget, Changes } from '../../../targets/scheduler/changed-targets.ts'
import { differences, discreetDifferences } from '../../../targets/scheduler/explain.ts'
import type { TargetResult } from '../../../targets/scheduler/run-targets.ts'
import type { Target } from '../../../targets/record/target.ts'
import type { CiOutcome, CiReport } from '../../compare/ci-report.ts'
import { sessionRuns } from '../../session/built-run.ts'
import type { Session } from '../../session/session.ts'
import { differenceText } from '../output/difference-text.ts'
import { boolFlag } from '../flags.ts'
import type { ProgressSummary } from '../output/progress.ts'
import { refuseUnknownSource } from '../compare/action.ts'
import { declaredAs, type Base, type Job } from './base.ts'

export interface BuiltPairs {
  readonly results: ReadonlyMap<Target, TargetResult>
  readonly failed: ReadonlyMap<Target, unknown>
}

interface Findings {
  readonly base: Base
  readonly built: BuiltPairs
  readonly calls: readonly number[]
  readonly job: Job
  readonly session: Session
  readonly summary: ProgressSummary
}

/** Every changed pair beside its base: values of what both have, and the gate over them. */
export const compareWithBase = async (
  { changed, beside, removed, total }: Changes,
  { base, built, calls, job, session, summary }: Findings,
): Promise<CiReport> => {
  const { clauses, wanted, commit, invocation } = job
  const allow = boolFlag(invocation.flags, 'allowFailures')
  const run = sessionRuns(session)
  const pairs = []
  const compared = []
  for (const [index, change] of changed.entries()) {
    const { suite, target } = change.head
    const before = change.base && base.runs.get(change.base.key.digest)
    const outcome = outcomeOf(change, before, { built, allow })
    const result = built.results.get(target)
    if (outcome === 'compared' && before !== undefined && result !== undefined)
      compared.push({
        a: before,
        b: await readComparedRun(run({ suite, ...result }), {
          ...wanted,
          ...(change.base !== undefined &&
            base.released.has(change.base.key.digest) && { acrossSources: declaredAs(change.head) }),
        }),
      })
    pairs.push({ suite, run: target.spec.name, why: whyOf(change), calls: calls[index] ?? 0, outcome })
  }
  refuseUnknownSource(
    compared.map(({ b }) => b),
    wanted,
  )
  const comparisons = compareRuns(compared)
  // A benchmark's loss is over all its runs, where any that changed can be compared.
  const places = new Set(
    comparisons.flatMap(({ isMain, result, deploymentB, ...each }) =>
      isMain && result !== null ? [gatedPlace({ ...each, deployment: deploymentB })] : [],
    ),
  )
  const same = beside.flatMap(({ suite, key, target }) => {
    const { benchmark, adapter } = target.spec
    if (!places.has(gatedPlace({ suite, benchmark: benchmark.name, deployment: adapter.modelDeployment })))
      return []
    const own = base.runs.get(key.digest)
    if (own !== undefined) return [{ a: own, b: { ...own, suite } }]
    invocation.warn(
      `${target.spec.name}: it did not change and the base has no finished result: losses leave it out.`,
    )
    return []
  })
  return {
    base: commit,
    total,
    pairs,
    removed,
    providerCalls: summary.providerCalls(),
    judged: comparisons.map((comparison) => ({ comparison, broken: failuresOf(comparison, clauses) })),
    gate: gateRuns([...compared, ...same], job.workspace.config.pooled_margin),
    decidedBy: clauses.length > 0 ? 'clauses' : 'gate',
    idle: clauses
      .filter((clause) => comparisons.length > 0 && !comparisons.some((each) => concerns(clause, each)))
      .map(({ text }) => text),
  }
}

const outcomeOf = (
  { head, base }: ChangedTarget,
  before: ComparedRun | undefined,
  { built, allow }: { readonly built: BuiltPairs; readonly allow: boolean },
): CiOutcome => {
  const result = built.results.get(head.target)
  if (built.failed.has(head.target)) return 'failed'
  if (result === undefined || !(result.record.complete || allow)) return 'incomplete'
  if (base === undefined) return 'new'
  return before === undefined ? 'base not built' : 'compared'
}

const whyOf = ({ head, base }: ChangedTarget): string => {
  if (base === undefined) return 'new'
  const { access } = head.target.spec.benchmark
  const [first, ...more] = discreetDifferences(differences(base.key.key, head.key.key), access)
  if (first === undefined) return ''
  return differenceText(first) + (more.length > 0 ? `, and ${more.length} more` : '')
}
