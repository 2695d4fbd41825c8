import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { execa, ExecaError } from 'execa'
import { temporaryFolder } from '../../../cache/files/write.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'

/** A second working tree of the repository at another commit, for as long as it is needed. */
interface Checkout {
  /** The workspace's folder in that tree. */
  readonly workspace: string
  remove(): Promise<void>
}

/** @throws ProblemError `git/…` when the folder is in no repository or the commit is unknown */
export const checkOut = async (workspace: string, commit: string): Promise<Checkout> => {
  const top = await git(workspace, ['rev-parse', '--show-toplevel'], 'the workspace is in no git repository')
  const sha = await git(
    workspace,
    ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`],
    `git knows no commit ${commit}`,
  )
  const folder = temporaryFolder('base')
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
