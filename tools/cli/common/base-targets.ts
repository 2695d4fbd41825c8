import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { KeyedTarget } from '../../../targets/scheduler/changed-targets.ts'
import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import { targetKey } from '../../../targets/keys/keys.ts'
import { isBuiltIn, listSuites } from '../../session/suites.ts'
import { resolveTargets, type SuiteEntries } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { findWorkspace, type Workspace } from '../../session/workspace/workspace.ts'
import { suitesOf } from './suites.ts'
import { listFlag } from '../flags.ts'
import { checkOut } from './checkout.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'

/** What the invocation names in the workspace that it is called in, with the keys of now. */
export const headTargets = async (
  invocation: Invocation,
  session: Session,
): Promise<readonly KeyedTarget[]> => keyedTargets(await suitesOf(invocation, session), session)

/** An entry that nobody knows is not left out: what is to be compared must be whole. */
const keyedTargets = async (
  suites: readonly SuiteEntries[],
  session: Session,
): Promise<readonly KeyedTarget[]> => {
  const keyed: KeyedTarget[] = []
  for (const { suite, target } of await resolveTargets(suites.map(strictly), session))
    keyed.push({ suite, target, key: await targetKey(target, session.env.profile) })
  return keyed
}

const strictly = (suite: SuiteEntries): SuiteEntries => {
  const { onUnknown: _, ...options } = suite.options
  return { ...suite, options }
}

/**
 * The same suites as another commit declares them, in this workspace's store: records of the base are there as soon as
 * it was run anywhere with that store. The commit is checked out for as long as `use` takes.
 *
 * @throws ProblemError `git/…`
 */
export const withBase = async <T>(
  invocation: Invocation,
  workspace: Workspace,
  commit: string,
  use: (session: Session, targets: readonly KeyedTarget[]) => Promise<T>,
): Promise<T> => {
  const checkout = await checkOut(workspace.root, commit)
  try {
    const base = await baseWorkspace(workspace, checkout.workspace)
    return await withSession(
      invocation,
      { workspace: base, cwd: base.root, readOnly: true },
      async (session) =>
        use(session, await keyedTargets(await baseSuites(invocation, workspace, base), session)),
    )
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    throw new ProblemError(
      error.problems.map((problem) => ofBase(problem, commit, [checkout.workspace, workspace.root])),
      { cause: error, exitCode: error.exitCode },
    )
  } finally {
    await checkout.remove()
  }
}

/** A problem of the base's tree, by the paths of the one that stays. */
const ofBase = (problem: Problem, commit: string, [there, here]: readonly [string, string]): Problem => {
  const { message, where, remedy } = problem
  const file = where?.file?.replace(there, here)
  return {
    ...problem,
    message: `at ${commit}: ${message.replaceAll(there, here)}`,
    ...(where && { where: { ...where, ...(file !== undefined && { file }) } }),
    remedy: remedy.replaceAll(there, here),
  }
}

/** The base's declarations and defaults with this workspace's store, data and keys: those are in no commit. */
const baseWorkspace = async (here: Workspace, root: string): Promise<Workspace> => ({
  ...(await findWorkspace(root)),
  root,
  path: here.path,
})

/** The suites and files that are meant, as far as the base has them. */
const baseSuites = async (
  invocation: Invocation,
  { root }: Workspace,
  base: Workspace,
): Promise<readonly SuiteEntries[]> => {
  const { args, flags, cwd } = invocation
  const known = await listSuites(base.root)
  const names = args.filter((name) => known.has(name) || isBuiltIn(name))
  const files = listFlag(flags, 'confPaths')
    ?.map((file) => relative(root, resolve(cwd, file)))
    .filter((file) => existsSync(join(base.root, file)))
  const entries = listFlag(flags, 'runEntries') ?? []
  const isNamed = (files ?? []).length + entries.length > 0
  const isEmpty = files === undefined && (args.length > 0 ? names : [...known]).length === 0
  if (!isNamed && (files !== undefined || isEmpty)) return []
  const own = {
    ...flags,
    ...(files === undefined ? {} : { confPaths: files.length > 0 ? files : undefined }),
  }
  return suitesOf(
    { ...invocation, args: names, flags: own, cwd: base.root, strictHelm: false },
    { workspace: base },
  )
}
