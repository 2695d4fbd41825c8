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
  const top = await git(
    workspace,
    ['rev-parse', '--show-toplevel'],
    'the workspace is in no git repository',
    'Run it in a clone of a repository that holds the workspace, where git is installed.',
  )
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
  const remove = async (): Promise<void> => {
    await git(workspace, ['worktree', 'remove', '--force', folder], `git can't remove ${folder}`)
    await rm(folder, { recursive: true, force: true })
  }
  const tree = join(folder, relative(top, workspace))
  try {
    await linkIgnored(workspace, tree)
  } catch (error) {
    await remove()
    throw error
  }
  return { workspace: tree, remove }
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

const NAME_COMMIT = 'Name a branch, tag or commit of this repository, e.g. --base main.'

const git = async (
  cwd: string,
  args: readonly string[],
  problem: string,
  remedy = NAME_COMMIT,
): Promise<string> => {
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
        remedy,
      },
      { cause: error },
    )
  }
}
