import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { bareEnvironment, medmake } from '../../rig/medmake.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const make = (cwd: string, name: string, ...flags: readonly string[]) =>
  medmake(['benchmark', 'new', name, ...flags], { cwd })
const check = (cwd: string, name: string, ...flags: readonly string[]) =>
  medmake(['benchmark', 'check', name, ...flags], { cwd })

interface Checked {
  readonly prompts: readonly string[] | null
  readonly instances: Readonly<Record<string, number>>
  readonly estimate: { readonly calls: number; readonly lines: readonly { readonly judge: string | null }[] }
  readonly trial: { readonly complete: boolean; readonly scores: readonly { readonly name: string }[] }
}
const found = ({ stdout }: { readonly stdout: string }): Checked => JSON.parse(stdout) as Checked
const read = (cwd: string, file: string): string => readFileSync(join(cwd, file), 'utf8')

describe('a new benchmark', () => {
  it('is whole with a metric of its own, a jury and a test, and its check leaves nothing behind', async () => {
    const cwd = createWorkspace()
    const flags =
      '--metrics jury_score,rouge_l --own-metric kept --access public --licence MIT --source Us'.split(' ')
    const made = await make(cwd, 'letters', ...flags, '--description', 'Sums up: "all".')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(read(cwd, 'benchmarks/letters/benchmark.yaml')).toMatch(/^max_tokens: 200$/m)
    expect(read(cwd, 'NOTICE')).toContain('benchmarks/letters holds data of: Us. Licence: MIT.\n')
    const checked = await check(cwd, 'letters', '--json')
    expect(checked.code, checked.stderr).toBe(0)
    const { prompts, instances, estimate, trial } = found(checked)
    expect(prompts).toHaveLength(3)
    expect(prompts?.[0]).toContain('Note: Three days of cough')
    expect(instances).toEqual({ evaluated: 3, train: 0, unanswered: 0, repeated: 0 })
    // The model's own calls, and those of MedHELM's three judges.
    expect(estimate).toMatchObject({ calls: 12 })
    expect(trial).toMatchObject({ complete: true, measured: 2, judge: 'baseline/overlap-judge' })
    expect(trial.scores.map(({ name }) => name)).toEqual(['kept', 'jury_score', 'rouge_1'])
    expect(existsSync(join(cwd, 'cache'))).toBe(false)
    expect(existsSync(join(cwd, 'benchmark_output'))).toBe(false)
  })

  it('is private unless it says otherwise, and a check shows its prompts only where it is asked to', async () => {
    const cwd = createWorkspace()
    await make(cwd, 'smoking')
    expect(read(cwd, 'benchmarks/smoking/benchmark.yaml')).toMatch(/^access: private$/m)
    expect(read(cwd, 'benchmarks/smoking/benchmark.yaml')).toMatch(/^max_tokens: 20$/m)
    expect(read(cwd, 'NOTICE')).toContain('Licence: unchecked.')
    const json = await check(cwd, 'smoking', '--json')
    expect(found(json).prompts).toBeNull()
    expect(json.stdout + json.stderr).not.toContain('Smokes ten')
    const text = await check(cwd, 'smoking')
    expect(text).toMatchObject({ code: 0 })
    expect(text.stdout).not.toContain('Smokes ten')
    expect((await check(cwd, 'smoking', '--include-restricted')).stdout).toContain('  | Note: Smokes ten')
  })

  it('begins with a table that is there, which the check then reads row by row', async () => {
    const cwd = createWorkspace({ 'in/own.csv': 'Age,note,correct_answer\n70,a,x\n70,a,x\n8,b,\n' })
    const made = await make(cwd, 'own', '--data', 'in/own.csv')
    expect(made.stderr).toContain('Empty cells: "correct_answer" in 1 of 3 rows, first in line 4.')
    expect(made.stderr).toContain('data.csv is private: a line /benchmarks/own/data.csv in .gitignore')
    expect(read(cwd, 'benchmarks/own/data.csv')).toBe(read(cwd, 'in/own.csv'))
    expect(read(cwd, 'benchmarks/own/prompt.txt')).toBe('Age: {Age}\nnote: {note}\n\nSay here what is asked.')
    const bad = await check(cwd, 'own')
    expect(bad).toMatchObject({ code: 2 })
    expect(bad.stderr).toContain('[benchmarks/answer]')
    const yaml = read(cwd, 'benchmarks/own/benchmark.yaml')
    const sized = async (instances: string) => {
      writeFiles(cwd, { 'benchmarks/own/benchmark.yaml': `${yaml}\nsize: { instances: ${instances} }\n` })
      return check(cwd, 'own', '--skip-bad-rows', '--json')
    }
    for (const size of ['3', '3, or_more: true'])
      expect((await sized(size)).stderr).toContain('mend `size`, or fetch the data again')
    expect((await sized('1, or_more: true')).stderr).not.toContain('size')
    const skipped = await sized('2')
    expect(skipped.code, skipped.stderr).toBe(0)
    expect(skipped.stderr).not.toContain('size')
    expect(found(skipped).instances).toMatchObject({ evaluated: 2, repeated: 1, skipped: { count: 1 } })
  })

  it('takes judges by their deployments where a jury is asked, and its price is for the models that are named', async () => {
    const server = await fakeServer()
    const cwd = createWorkspace({ 'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/j']) })
    await make(cwd, 'read', '--metrics', 'jury_score', '--judges', 'fake/j', '--access', 'public')
    const checked = await check(cwd, 'read', '--models-to-run', 'fake/a', '--json')
    expect(checked.code, checked.stderr).toBe(0)
    expect(found(checked).estimate).toMatchObject({ calls: 6, unpriced: ['fake/a', 'fake/j'] })
    expect(server.journal().requests).toBe(0)
    const unasked = await make(cwd, 'other', '--judges', 'fake/j')
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('Add --metrics jury_score')])
    const unknown = await make(cwd, 'other', '--metrics', 'jury_score', '--judges', 'fake/k')
    expect(unknown).toMatchObject({ code: 2 })
    expect(unknown.stderr).toContain('Did you mean "fake/')
  })

  it('takes judges that are declared where --local-path or medmake.yaml says', async () => {
    const server = await fakeServer()
    const cwd = createWorkspace({ 'keys/model_deployments.yaml': modelsYaml(server, ['fake/j']) })
    const flags = ['--metrics', 'jury_score', '--judges', 'fake/j', '--yes']
    expect(await make(cwd, 'unread', ...flags)).toMatchObject({ code: 2 })
    expect(await make(cwd, 'flagged', ...flags, '--local-path', 'keys')).toMatchObject({ code: 0 })
    writeFiles(cwd, { 'medmake.yaml': 'local_path: keys\n' })
    expect(await make(cwd, 'configured', ...flags)).toMatchObject({ code: 0 })
  })

  it('is refused by name, metric or folder before anything is written', async () => {
    const cwd = createWorkspace({ 'benchmarks/there/benchmark.yaml': 'mine' })
    for (const [args, code] of [
      [['a b'], 'benchmarks/bad-name'],
      [['../up'], 'benchmarks/bad-name'],
      [['there'], 'benchmarks/exists'],
      [['new', '--metrics', 'exact_mach'], 'benchmarks/unknown-metric'],
      [['new', '--own-metric', 'exact_match'], 'benchmarks/bad-name'],
      [['new', '--access', 'secret'], 'cli/bad-flag'],
      [['new', '--data', 'none.csv'], 'benchmarks/missing-file'],
      [[], 'cli/missing-argument'],
    ] as const) {
      const refused = await medmake(['benchmark', 'new', ...args], { cwd })
      expect([args, refused.code, refused.stderr]).toEqual([args, 2, expect.stringContaining(code)])
    }
    expect(existsSync(join(cwd, 'NOTICE'))).toBe(false)
    expect(read(cwd, 'benchmarks/there/benchmark.yaml')).toBe('mine')
  })

  it('comes with a test that fails once its data is spoilt', async () => {
    const cwd = createWorkspace({ 'package.json': '{"private": true}' })
    await make(cwd, 'tested', '--access', 'public')
    mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true })
    symlinkSync(packageRoot(), join(cwd, 'node_modules/medmake'))
    writeFiles(cwd, {
      'node_modules/.bin/medmake': `#!/bin/sh\nexec "${process.execPath}" "${packageRoot()}/dist/medmake.js" "$@"\n`,
    })
    await execa('chmod', ['+x', join(cwd, 'node_modules/.bin/medmake')])
    const run = () =>
      execa(process.execPath, ['--test'], { cwd, env: bareEnvironment(), extendEnv: false, reject: false })
    expect(await run()).toMatchObject({ exitCode: 0 })
    writeFiles(cwd, { 'benchmarks/tested/data.csv': 'note,correct_answer\n,\n' })
    expect(await run()).toMatchObject({ exitCode: 1 })
  })
})

describe('a built-in benchmark', () => {
  it('tells of code under a name that is not looked for, and why it is not as public as it says', async () => {
    const cwd = createWorkspace()
    await make(cwd, 'smoking')
    const open = read(cwd, 'benchmarks/smoking/benchmark.yaml').replace('access: private', 'access: public')
    const coded = `name: coded
description: Invented.
access: public
protocols:
  - version: own-1
    data: {}
    adapter: { method: generation, max_train_instances: 0 }
    metrics: [exact_match]
    main_metric: { name: exact_match, split: test }
`
    writeFiles(cwd, {
      'benchmarks/copied/benchmark.yaml': open.replace('name: smoking', 'name: copied'),
      'benchmarks/copied/prompt.txt': read(cwd, 'benchmarks/smoking/prompt.txt'),
      'benchmarks/copied/data.csv': read(cwd, 'benchmarks/smoking/data.csv'),
      'benchmarks/coded/benchmark.yaml': coded,
      'benchmarks/coded/scenario.cts': 'export const instances = () => []',
    })
    expect((await check(cwd, 'copied')).stdout).toContain(
      'copied, private, since data.csv is data of smoking\n',
    )
    expect((await check(cwd, 'coded')).stderr).toContain(
      'scenario.cts is no name that code is looked for under [code/ending]',
    )
    rmSync(join(cwd, 'benchmarks/coded/scenario.cts'))
    symlinkSync(join(cwd, 'nowhere.ts'), join(cwd, 'benchmarks/coded/scenario.js'))
    expect((await check(cwd, 'coded')).stderr).toContain('scenario.js is a link that leads nowhere')
    writeFiles(cwd, { 'benchmarks/copied/scenario.ts': 'export const instances = () => []' })
    expect(await check(cwd, 'copied')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'scenario.ts lies beside a declaration whose instances come from its dataset_file: it would never be used [benchmarks/unused-scenario]',
      ) as string,
    })
  })

  it('is shown by its name whatever is wrong with others', async () => {
    const cwd = createWorkspace()
    await make(cwd, 'smoking')
    writeFiles(cwd, { 'benchmarks/begun/benchmark.yaml': 'name: [' })
    const shown = await medmake(['benchmark', 'show', 'smoking'], { cwd })
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^smoking: /) as string })
    expect(await medmake(['benchmark', 'show', 'smokin'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "smoking"?') as string,
    })
  })

  it('is checked with its arguments, and one that cannot run here says why', async () => {
    const cwd = createWorkspace()
    const checked = await check(cwd, 'demo_multiple_choice', '--json')
    expect(found(checked).trial).toMatchObject({ complete: true })
    const refused = await check(cwd, 'vqa_rad')
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain('it needs')
  })
})

it.each([
  ['', 'empty-file'],
  ['prompt,context,label\n', 'no-instances'],
  ['letter,label\n', 'missing-column'],
])('a table without rows, %j, is no benchmark', async (text, code) => {
  const cwd = createWorkspace({ 'none.csv': text })
  const asked = 'synt_written_consent:data_path=none.csv'
  const run = await medmake(['run', '-r', `${asked},model=baseline/lead`], { cwd })
  for (const refused of [await check(cwd, asked), run])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`[benchmarks/${code}]`)])
})

describe('on a terminal', () => {
  const answers = ['asked', 'What is asked.', 'secret', 'public', 'nothing', 'exact_match', 'Me', 'MIT']

  it('what no flag says is asked for, until an answer is one of the choices', async () => {
    const cwd = createWorkspace({ 'benchmarks/taken/benchmark.yaml': '' })
    const { exitCode, stdout } = await onTerminal(cwd, ['two words', 'taken', ...answers])
    expect(exitCode, stdout).toBe(0)
    expect(stdout.match(/Who may see its texts/g)).toHaveLength(2)
    expect(stdout.match(/Its name/g)).toHaveLength(3)
    for (const told of [
      'is no name for a benchmark',
      'benchmark taken already',
      'there is no metric "nothing"',
    ])
      expect(stdout).toContain(told)
    expect(read(cwd, 'benchmarks/asked/benchmark.yaml')).toMatch(/^access: public\nlicence: "MIT"$/m)
    expect(read(cwd, 'NOTICE')).toContain('benchmarks/asked holds data of: Me. Licence: MIT.')
    expect(await check(cwd, 'asked')).toMatchObject({ code: 0 })
  })

  it('nothing is written where it is closed before the end', async () => {
    const cwd = createWorkspace()
    const { exitCode, stdout } = await onTerminal(cwd, answers.slice(0, 3))
    expect(exitCode).toBe(2)
    expect(stdout).toContain('[cli/not-answered]')
    expect(existsSync(join(cwd, 'benchmarks'))).toBe(false)
  })
})

/**
 * Types lines into `benchmark new` behind a terminal of its own once it asks, and ends the input. Before, the terminal
 * would take the end by its own rules, and lose it when the program changes them.
 */
const onTerminal = (cwd: string, lines: readonly string[]) => {
  const running = execa(
    'script',
    ['-qec', `"${process.execPath}" "${packageRoot()}/dist/medmake.js" benchmark new`, '/dev/null'],
    { cwd, env: bareEnvironment(), extendEnv: false, reject: false },
  )
  let shown = ''
  const type = (chunk: unknown): void => {
    shown += String(chunk)
    if (!shown.includes('Its name')) return
    running.stdout.off('data', type)
    running.stdin.end(`${lines.map((line) => `${line}\n`).join('')}\u0004`)
  }
  running.stdout.on('data', type)
  return running
}
