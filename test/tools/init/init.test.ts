import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { packageSource } from '../../../tools/cli/init/action.ts'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { writeFiles } from '../../rig/workspace.ts'

const dependencies = (folder: string): unknown =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: unknown }).dependencies

describe('medmake init', () => {
  it('makes a workspace that depends on the clone it came from, and runs', async () => {
    const cwd = temporaryFolder()
    const made = await medmake(['init', 'my $& evals'], { cwd })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toContain("  cd 'my $& evals'\n  npm install\n  npx medmake run\n")
    const folder = join(cwd, 'my $& evals')
    expect(dependencies(folder)).toMatchObject({
      medmake: `file:${relative(realpathSync(folder), packageRoot())}`,
    })
    expect(readFileSync(join(folder, '.npmrc'), 'utf8')).toBe('ignore-scripts=true\n')
    expect(existsSync(join(folder, '.gitignore'))).toBe(true)
    expect(existsSync(join(folder, 'gitignore'))).toBe(false)
    expect(await medmake(['run', '--dry-run'], { cwd: folder })).toMatchObject({ code: 0 })
  })

  it('keeps Git for Windows from changing the line ends of what keys are made of', async () => {
    const cwd = temporaryFolder()
    expect(await medmake(['init', 'a'], { cwd })).toMatchObject({ code: 0 })
    const checkOut =
      'git -C a init -q && git -C a add . && git -C a -c user.name=a -c user.email=a@b commit -qm a && git clone -q -c core.autocrlf=true a b'
    await execa(checkOut, { cwd, shell: true })
    const isChanged = (file: string): boolean => readFileSync(join(cwd, 'b', file), 'utf8').includes('\r')
    const kept = ['benchmarks/smoking_status/data.csv', 'models/local.yaml', 'targets/main.conf']
    expect(['README.md', ...kept].filter(isChanged)).toEqual(['README.md'])
  })

  it('names the package for the folder, in what npm takes', async () => {
    const cwd = temporaryFolder()
    for (const [folder, name] of [
      ['./-My  ward: notes-', 'my-ward-notes'],
      ['§', 'my-evals'],
    ] as const) {
      expect(await medmake(['init', folder], { cwd })).toMatchObject({ code: 0 })
      expect(JSON.parse(readFileSync(join(cwd, folder, 'package.json'), 'utf8'))).toMatchObject({ name })
    }
  })

  it('tells a command that goes into a folder whose name begins with a dash', async () => {
    const { stdout } = await medmake(['init', './-y'], { cwd: temporaryFolder() })
    expect(stdout).toContain('\n  cd ./-y\n')
  })

  it('leaves every file alone that is there', async () => {
    const cwd = temporaryFolder()
    const own = { env: 'mine', gitignore: 'mine', npmrc: 'mine', '.env': 'MINE=1\n', 'package.json': '{}\n' }
    writeFiles(cwd, own)
    expect(await medmake(['init', '.', '--force'], { cwd })).toMatchObject({ code: 0 })
    for (const [file, text] of Object.entries(own)) expect(readFileSync(join(cwd, file), 'utf8')).toBe(text)
    expect(existsSync(join(cwd, 'targets/main.conf'))).toBe(true)
  })

  it('takes a folder that holds what npm put there, and no other that is not empty', async () => {
    const cwd = temporaryFolder()
    const own = { 'package.json': '{"name":"mine"}', 'package-lock.json': '{}', '.gitignore': 'node_modules' }
    writeFiles(cwd, { ...own, 'README.md': 'mine', 'medmake-0.1.0.tgz': '' })
    expect(await medmake(['init', '.'], { cwd })).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toBe('{"name":"mine"}')
    expect(readFileSync(join(cwd, 'README.md'), 'utf8')).toBe('mine')
    // What would carry results and keys into the repository is added to its own rules.
    expect(readFileSync(join(cwd, '.gitignore'), 'utf8').split('\n')).toEqual(
      'node_modules .nx/ /cache/ /benchmark_output/ /prod_env/credentials.conf .env.local '.split(' '),
    )
    const refused = await medmake(['init', '.'], { cwd })
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain('[cli/not-empty]')
  })
})

describe('what a workspace depends on', () => {
  const installed = (resolved?: string): string => {
    const root = temporaryFolder()
    const packages = { 'node_modules/medmake': { version: '1.2.3', ...(resolved && { resolved }) } }
    writeFiles(root, { 'evals/node_modules/.package-lock.json': JSON.stringify({ packages }) })
    return root
  }

  it.each([
    ['the tarball', 'file:../medmake-1.2.3.tgz', (root: string) => `file:${root}/medmake-1.2.3.tgz`],
    ['the version of a registry', 'https://r.example/npm/medmake/-/medmake-1.2.3.tgz', () => '1.2.3'],
    ['the version where no registry is told', undefined, () => '1.2.3'],
    [
      'a commit',
      'git+ssh://git@h.example/medmake.git#0a1b',
      () => 'git+ssh://git@h.example/medmake.git#0a1b',
    ],
    ['an address', 'https://h.example/medmake-1.2.3.tgz', () => 'https://h.example/medmake-1.2.3.tgz'],
  ])('is %s that it was installed from', async (_, resolved, expected) => {
    const root = installed(resolved)
    const source = await packageSource(join(root, 'evals/node_modules/medmake'), '1.2.3')
    expect(source).toBe(expected(root))
  })

  it('is the installed folder where npm left no note, as of a global install: a registry may hold another medmake', async () => {
    const root = join(temporaryFolder(), 'lib/node_modules/medmake')
    expect(await packageSource(root, '1.2.3')).toBe(`file:${root}`)
  })
})
