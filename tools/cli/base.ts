import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { KeyedTarget } from '../../targets/scheduler/changed-targets.ts'
import { targetKey } from '../../targets/keys/target-key.ts'
import { isBuiltIn } from '../session/suites.ts'
import { listSuites } from '../session/suites.ts'
import { resolveTargets, type SuiteEntries } from '../session/resolve-targets.ts'
import type { Session } from '../session/session.ts'
import { findWorkspace, type Workspace } from '../session/workspace/workspace.ts'
import { suitesOf } from './common/suites.ts'
import { listFlag } from './flags.ts'
import type { Invocation } from './verb.ts'
import { withSession } from './with-session.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { execa, ExecaError } from 'execa'
import { ProblemError } from '../../cache/problems/problem.ts'

/**
 * What the invocation's flags name, with the keys of now. An entry that nobody knows is not left out: what is to be compared
 * must be whole.
 */
export const keyedTargets = async (
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
  } finally {
    await checkout.remove()
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

/** A second working tree of the repository at another commit, for as long as it is needed. */
interface Checkout {
  /** The workspace's folder in that tree. */
  readonly workspace: string
  remove(): Promise<void>
}

/** @throws ProblemError `git/…` when the folder is in no repository or the commit is unknown */
const checkOut = async (workspace: string, commit: string): Promise<Checkout> => {
  const top = await git(workspace, ['rev-parse', '--show-toplevel'], 'the workspace is in no git repository')
  const sha = await git(
    workspace,
    ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`],
    `git knows no commit ${commit}`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'medmake-base-'))
  await git(
    workspace,
    ['worktree', 'add', '--detach', '--force', folder, sha],
    `git can't check out ${commit}`,
  )
  return {
    workspace: join(folder, relative(top, workspace)),
    remove: async () => {
      await git(workspace, ['worktree', 'remove', '--force', folder], `git can't remove ${folder}`)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const git = async (cwd: string, args: readonly string[], problem: string): Promise<string> => {
  try {
    const { stdout } = await execa('git', args, { cwd })
    return stdout.trim()
  } catch (error) {
    if (!(error instanceof ExecaError)) throw error
    throw new ProblemError(
      {
        code: 'git/failed',
        message: [problem, error.stderr ?? ''].filter((part) => part !== '').join(': '),
        where: { field: '--base' },
        remedy: 'Name a branch, tag or commit of this repository, e.g. --base main.',
      },
      { cause: error },
    )
  }
}
