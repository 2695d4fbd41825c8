import { LostValueError } from '../../../cache/problems/lost-value.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import {
  readComparedRun,
  type ComparedRun,
  type ComparisonOptions,
} from '../../../targets/compare/compared-run.ts'
import type { FailIf } from '../../../targets/compare/fail-if.ts'
import { refuseVain } from './refuse-vain.ts'
import { changedTargets, type KeyedTarget } from '../../../targets/scheduler/changed-targets.ts'
import { builtRun, sessionRuns } from '../../session/built-run.ts'
import { headTargets, withBase } from '../common/base-targets.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { PROFILES } from '../../../targets/profile.ts'
import { boolFlag, choiceFlag, listFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { withSources } from '../../sources/result-source.ts'
import { outputPathOf } from '../common/session-flags.ts'

export interface Job {
  readonly invocation: Invocation
  readonly workspace: Workspace
  readonly commit: string
  readonly clauses: readonly FailIf[]
  readonly wanted: ComparisonOptions
}

/** What the base is, as far as this tree is compared with it. */
export interface Base {
  readonly targets: readonly KeyedTarget[]
  /** Values of the targets that changed, or stand beside such, and were built; by their own keys. */
  readonly runs: ReadonlyMap<Digest<'target'>, ComparedRun>
  /** Of these, those that a release told. */
  readonly released: ReadonlySet<Digest<'target'>>
}

/** Reads everything of the base that is needed, so that its tree can be gone while this one is built. */
export const readBase = async (job: Job): Promise<Base> => {
  const { invocation, workspace, commit, wanted } = job
  const head = await withSession(invocation, { workspace, readOnly: true }, (session) =>
    headTargets(invocation, session),
  )
  refuseVain(job, head)
  return withBase(invocation, workspace, commit, async (session, targets) => {
    const runs = new Map<Digest<'target'>, ComparedRun>()
    const lacking: KeyedTarget[] = []
    const { changed, beside } = changedTargets(head, targets)
    for (const base of [...changed.flatMap((each) => each.base ?? []), ...beside]) {
      const built = await builtRun(base, session, boolFlag(invocation.flags, 'allowFailures'))
      const run =
        built && (await readComparedRun(sessionRuns(session)(built), wanted).catch(withoutLost(job)))
      if (run === undefined) lacking.push(base)
      else runs.set(base.key.digest, run)
    }
    const released = await releasedBase(lacking, job)
    return { targets, runs: new Map([...runs, ...released]), released: new Set(released.keys()) }
  })
}

/** What the base's record stands on may be gone, as where the vault was not kept: a release may have it. */
const withoutLost =
  ({ invocation: { warn }, commit }: Job) =>
  (error: unknown): undefined => {
    if (!(error instanceof LostValueError)) throw error
    for (const { message } of error.problems) warn(`at ${commit}: ${message}`)
  }

export const declaredAs = ({
  target: { deployment },
  key: { key },
}: Pick<KeyedTarget, 'target' | 'key'>): NonNullable<ComparisonOptions['acrossSources']> => ({
  deployment,
  key,
})

/** What releases hold of the base's runs, each known by its key: another declaration's results are not the base's. */
const releasedBase = async (
  lacking: readonly KeyedTarget[],
  { invocation: { flags, cwd, warn }, workspace, wanted }: Job,
): Promise<ReadonlyMap<Digest<'target'>, ComparedRun>> => {
  const places = {
    workspace,
    cwd,
    outputPath: outputPathOf(flags, cwd, workspace),
    profile: choiceFlag(flags, 'profile', PROFILES),
  }
  return withSources(listFlag(flags, 'from') ?? [], places, async (sources) => {
    const runs = new Map<Digest<'target'>, ComparedRun>()
    const held = sources.flatMap((source) => source.runs)
    for (const { target, key } of sources.length === 0 ? [] : lacking) {
      const { name } = target.spec
      const found = held.find(({ card }) => card?.target.digest === key.digest)
      if (found?.run.asked !== undefined)
        runs.set(
          key.digest,
          await readComparedRun(found.run, { ...wanted, acrossSources: declaredAs({ target, key }) }),
        )
      else if (found !== undefined) warn(`${name}: the release holds no values by instance.`)
      else if (held.some(({ run }) => run.name === name))
        warn(`${name}: the release holds it as another declaration, or another version, made it.`)
    }
    return runs
  })
}
