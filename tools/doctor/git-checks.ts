import { existsSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import { execa } from 'execa'
import { fine, note, trouble, type DoctorCheck } from './check.ts'

/** A path that must not get into git, and what it holds. */
export interface KeptOut {
  readonly path: string
  readonly holds: string
}

/** Whether git would take along what is none of its business. Paths that are not there yet count, too. */
export const gitChecks = async (
  workspace: string,
  kept: readonly KeptOut[],
): Promise<readonly DoctorCheck[]> => {
  const inside = kept
    .map(({ path, holds }) => ({ path: relative(workspace, path), holds }))
    .filter(({ path }) => path !== '' && !path.startsWith('..') && !isAbsolute(path))
  const answers = await Promise.all(
    inside.map(async (each) => ({ ...each, ...(await ask(workspace, each.path)) })),
  )
  if (answers.some(({ ignored }) => ignored === undefined))
    return [note('git', 'the workspace is in no git repository, or git is not installed')]
  const exposed = answers.filter(({ ignored, tracked }) => ignored === false || tracked)
  if (exposed.length === 0) return [fine('git', 'stores, outputs, keys and restricted data are ignored')]
  return exposed.map(({ path, holds, tracked }) => {
    const remedy = `Add /${path} to .gitignore${tracked ? ` and run \`git rm -r --cached ${path}\`` : ''}.`
    const text = `${path} holds ${holds}, and git ${tracked ? 'has it' : 'would take it'}`
    return tracked || existsSync(`${workspace}/${path}`)
      ? trouble('git', text, remedy)
      : note('git', text, remedy)
  })
}

interface Answer {
  /** Undefined where git can't tell. */
  readonly ignored: boolean | undefined
  readonly tracked: boolean
}

const ask = async (cwd: string, path: string): Promise<Answer> => {
  const git = (...args: string[]) => execa('git', args, { cwd, reject: false })
  // Patterns that end in a slash match folders only, and a path that is not there counts as a file.
  const [plain, folder, listed] = await Promise.all([
    git('check-ignore', '-q', '--no-index', path),
    git('check-ignore', '-q', '--no-index', `${path}/`),
    git('ls-files', '--', path),
  ])
  const codes = new Set([plain.exitCode, folder.exitCode])
  const ignored = codes.has(0) ? true : codes.has(1) ? false : undefined
  return { ignored, tracked: listed.exitCode === 0 && listed.stdout !== '' }
}
