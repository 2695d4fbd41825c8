import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { execa, execaSync, ExecaError } from 'execa'
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
  // Where a signal ends the process, or the repository lists the tree for months.
  const forget = (): void =>
    void execaSync('git', ['worktree', 'remove', '--force', folder], { cwd: workspace, reject: false })
  process.once('exit', forget)
  const remove = async (): Promise<void> => {
    process.off('exit', forget)
    await git(workspace, ['worktree', 'remove', '--force', folder], `git can't remove ${folder}`)
    await rm(folder, { recursive: true, force: true })
  }
  const tree = join(folder, relative(top, workspace))
  try {
    await linkIgnored(top, folder)
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
const linkIgnored = async (top: string, tree: string): Promise<void> => {
  const asked = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']
  const listed = await git(top, asked, 'git can’t say what it ignores')
  for (const name of listed.split('\0').filter((each) => each !== '')) {
    const path = name.replace(/\/$/, '')
    const [from, place] = [join(top, path), join(tree, path)]
    if (existsSync(place)) continue
    mkdirSync(dirname(place), { recursive: true })
    if (basename(place) === 'node_modules' && lstatSync(from).isDirectory())
      linkPackages(from, place, { top, tree })
    else symlinkSync(from, place)
  }
}

/** Packages of the repository itself are the other tree's own. */
const linkPackages = (
  from: string,
  place: string,
  roots: { readonly top: string; readonly tree: string },
): void => {
  mkdirSync(place)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, link] = [join(from, entry.name), join(place, entry.name)]
    const real =
      entry.isSymbolicLink() && existsSync(source) ? relative(roots.top, realpathSync(source)) : '..'
    const isOwn = !isAbsolute(real) && !['..', 'node_modules'].some((part) => real.split(sep).includes(part))
    if (entry.isDirectory() && entry.name.startsWith('@')) linkPackages(source, link, roots)
    else symlinkSync(isOwn ? join(roots.tree, real) : source, link)
  }
}

const NAME_COMMIT =
  'Name a branch, tag or commit of this clone, e.g. --base main. Where a CI job’s clone holds no other than its own: `git fetch origin main`, and --base FETCH_HEAD.'

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
