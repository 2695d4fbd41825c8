import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
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
  const tree = join(folder, relative(top, workspace))
  await linkIgnored(workspace, tree)
  return {
    workspace: tree,
    remove: async () => {
      await git(workspace, ['worktree', 'remove', '--force', folder], `git can't remove ${folder}`)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * What git ignores is in no commit, patients' texts above all: the other tree reads those that lie here. Links, as no copy
 * of them may lie elsewhere; removing a tree removes links and follows none.
 */
const linkIgnored = async (workspace: string, tree: string): Promise<void> => {
  const asked = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']
  const listed = await git(workspace, asked, 'git can’t say what it ignores')
  for (const name of listed.split('\0').filter((each) => each !== '')) {
    const place = join(tree, name).replace(/[\\/]$/, '')
    if (existsSync(place)) continue
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(workspace, name), place)
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
