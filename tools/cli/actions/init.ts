import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { packageRoot } from '../../../cache/package-root.ts'
import { EXIT, ProblemError } from '../../../cache/problem.ts'
import { boolFlag } from '../flags.ts'
import type { Action } from '../verb.ts'

/** `medmake init`: copies the template workspace; what is there already stays as it is. */
export const initAction: Action = async ({ args, flags, cwd, print }) => {
  const folder = resolve(cwd, args[0] ?? '.')
  const present = await readdir(folder).catch(() => [] as string[])
  if (present.length > 0 && !boolFlag(flags, 'force'))
    throw new ProblemError({
      code: 'cli/not-empty',
      message: `${folder} is not empty`,
      where: { file: folder },
      remedy: 'Name a new folder, or add --force: files that exist are left as they are.',
    })
  await mkdir(folder, { recursive: true })
  const template = join(packageRoot(), 'tools/init/template')
  await cp(template, folder, { recursive: true, force: false, errorOnExist: false })
  await placeDotFiles(folder, template)
  await namePackage(folder)
  const shown = relative(cwd, folder) || '.'
  print(`made a workspace in ${shown}`)
  print(`${shown === '.' ? '' : `  cd ${shown}\n`}  npx medmake run\n  npx medmake report`)
  return EXIT.done
}

/** npm leaves files called .gitignore out of packages, so the template holds them under other names. */
const DOT_FILES: Readonly<Record<string, string>> = { gitignore: '.gitignore', env: '.env' }

const placeDotFiles = async (folder: string, template: string): Promise<void> => {
  for (const [from, to] of Object.entries(DOT_FILES)) {
    await cp(join(template, from), join(folder, to), { force: false, errorOnExist: false })
    const { rm } = await import('node:fs/promises')
    await rm(join(folder, from), { force: true })
  }
}

/** The workspace depends on the version that made it. */
const namePackage = async (folder: string): Promise<void> => {
  const file = join(folder, 'package.json')
  const text = await readFile(file, 'utf8')
  const own = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }
  const filled = text
    .replace('"name": "my-evals"', () => `"name": ${JSON.stringify(packageName(folder))}`)
    .replace('"medmake": "*"', `"medmake": "${own.version}"`)
  if (filled !== text) await writeFile(file, filled)
}

const packageName = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'my-evals'
