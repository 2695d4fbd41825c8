import type { ComparisonOptions } from '../../../targets/compare/compared-run.ts'
import type { FailIf } from '../../../targets/compare/fail-if.ts'
import type { KeyedTarget } from '../../../targets/scheduler/changed-targets.ts'
import type { Session } from '../../session/session.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { keyedTargets } from '../base.ts'
import type { Invocation } from '../verb.ts'
import { suitesOf } from '../common/suites.ts'

/** What one call asks for. */
export interface Job {
  readonly invocation: Invocation
  readonly workspace: Workspace
  readonly commit: string
  readonly clauses: readonly FailIf[]
  readonly wanted: ComparisonOptions
}

/** The pairs of this tree, of the suites that were asked for. */
export const targetsOf = async (
  { invocation, workspace }: Job,
  session: Session,
): Promise<readonly KeyedTarget[]> => keyedTargets(await suitesOf(invocation, { workspace }), session)
