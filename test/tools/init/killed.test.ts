import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killedIn } from '../../rig/killed-in.ts'
import { spawnMedmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

/** By path; what lies in two folders alike. */
const filesIn = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file.slice(root.length), readFileSync(file, 'utf8')]),
  )

const OWN = { '.gitignore': '/mine\n', NOTICE: 'Mine.\n' }

test.for(['.gitignore', 'package.json', 'main.conf'])(
  'init that is killed in the midst of %s leaves what was there, and the next one ends as if it had not been',
  async (name) => {
    const args = ['init', '.', '--force']
    const [cwd, whole] = [temporaryFolder(), temporaryFolder()]
    for (const root of [cwd, whole]) writeFiles(root, OWN)
    expect(
      (await spawnMedmake(args, { cwd, env: killedIn(new RegExp(name.replaceAll('.', '\\.'))) })).code,
    ).toBe(137)
    expect(filesIn(cwd)).toMatchObject({ '/.gitignore': '/mine\n' })
    for (const root of [cwd, whole])
      expect(await spawnMedmake(args, { cwd: root })).toMatchObject({ code: 0 })
    const named = (root: string): unknown => ({ ...filesIn(root), '/package.json': '' })
    expect(named(cwd)).toEqual(named(whole))
    expect(JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))).toHaveProperty('dependencies.medmake')
  },
)

test.for([
  ['nx.json', []],
  ['data.csv', []],
  ['medmake.yaml', ['--k8s']],
] as const)(
  'init that is killed in the midst of %s goes on where it was when it is run again, without --force',
  async ([name, flags]) => {
    const args = ['init', 'evals', ...flags]
    const [cwd, whole] = [temporaryFolder(), temporaryFolder()]
    expect(
      (await spawnMedmake(args, { cwd, env: killedIn(new RegExp(name.replace('.', '\\.'))) })).code,
    ).toBe(137)
    for (const root of [cwd, whole])
      expect(await spawnMedmake(args, { cwd: root })).toMatchObject({ code: 0, stderr: '' })
    expect(filesIn(cwd)).toEqual(filesIn(whole))
  },
)

test.for(['NOTICE', 'data.csv', 'benchmark.yaml'])(
  'benchmark new that is killed in the midst of %s is no benchmark yet, and can be done again',
  async (name) => {
    const args = ['benchmark', 'new', 'notes', '--yes', '--metrics', 'exact_match']
    const [cwd, whole] = [createWorkspace(OWN), createWorkspace(OWN)]
    expect(
      (await spawnMedmake(args, { cwd, env: killedIn(new RegExp(name.replace('.', '\\.'))) })).code,
    ).toBe(137)
    expect(filesIn(cwd)).toMatchObject({ '/NOTICE': expect.stringContaining('Mine.\n') })
    for (const root of [cwd, whole])
      expect(await spawnMedmake(args, { cwd: root })).toMatchObject({ code: 0 })
    expect(filesIn(cwd)).toEqual(filesIn(whole))
  },
)
