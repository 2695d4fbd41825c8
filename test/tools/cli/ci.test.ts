import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { fullYaml } from '../../rig/full-yaml.ts'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'
import { answer } from '../../targets/statistics/oracle.ts'
import { departure } from '../../targets/statistics/oracle/departure.ts'

type Fields = Parameters<typeof departure>[0]

const ROWS = 24
const rows = Array.from({ length: ROWS }, (_, row) => `question ${row},A`)
const csv = (lines: readonly string[]): string => `question,correct_answer\n${lines.join('\n')}\n`
const benchmark = (name: string): Readonly<Record<string, string>> => ({
  [`benchmarks/${name}/benchmark.yaml`]: `name: ${name}\ndescription: Letters.\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{name: exact_match}]\n`,
  [`benchmarks/${name}/prompt.txt`]: `${name}: {question}`,
  [`benchmarks/${name}/data.csv`]: csv(rows),
})

interface Report {
  readonly total: number
  readonly providerCalls: number
  readonly pairs: readonly { readonly run: string; readonly why: string; readonly outcome: string }[]
  readonly judged: readonly {
    readonly runB: string
    readonly unpairedB: number
    readonly result: { readonly n: number; readonly difference: number; readonly p: number }
    readonly broken: readonly string[]
  }[]
  readonly removed: readonly string[]
  readonly gate?: {
    readonly pooled: object
    readonly rows: readonly { readonly upper: number }[]
    readonly familyLevel: number
    readonly verdict: string
  }
}

let root = ''
let server: Awaited<ReturnType<typeof fakeServer>>

const git = (...args: readonly string[]): Promise<unknown> =>
  execa('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root })
const commit = async (message: string): Promise<void> => {
  await git('add', '-A')
  await git('commit', '-qm', message)
}
const ci = (...flags: readonly string[]): ReturnType<typeof medmake> =>
  medmake(['ci', '--base', 'main', ...flags], { cwd: root })
const reportOf = async (...flags: readonly string[]): Promise<Report & { readonly code: number }> => {
  const { code, stdout, stderr } = await ci('--format', 'json', ...flags)
  if (stdout === '') throw new Error(stderr)
  return { ...(JSON.parse(stdout) as Report), code }
}
const ROUGHER = { 'benchmarks/one/prompt.txt': 'one, badly put: {question}' }

let built = ''

beforeAll(async () => {
  // A badly put question is answered wrongly, but for every fourth.
  server = await fakeServer({
    answer: ({ prompt }) =>
      prompt.includes('badly') && Number(/question (\d+)/.exec(prompt)?.[1]) % 4 !== 0 ? 'B' : 'A',
  })
  root = createWorkspace({
    '.gitignore': 'cache/\nbenchmark_output/\n*.xml\n',
    'models/fake.yaml': modelsYaml(server, ['fake/a']),
    ...benchmark('one'),
    ...benchmark('two'),
    'targets/main.conf': 'entries: [{description: "one:model=fake/a"}, {description: "two:model=fake/a"}]',
  })
  await git('init', '-q', '-b', 'main')
  await commit('Start')
  expect((await medmake(['run'], { cwd: root })).code).toBe(0)
  await git('checkout', '-q', '-b', 'change')
  built = root
})

// Each test has a copy of its own.
beforeEach(() => {
  root = temporaryFolder()
  cpSync(built, root, { recursive: true, verbatimSymlinks: true })
})

describe('a branch', () => {
  it('that changes no result costs nothing and passes', async () => {
    writeFiles(root, {
      'benchmarks/one/benchmark.yaml': `# a comment\n${benchmark('one')['benchmarks/one/benchmark.yaml']}`,
    })
    await commit('Comment')
    expect(await reportOf('--max-calls', '0')).toMatchObject({
      code: 0,
      total: 2,
      pairs: [],
      providerCalls: 0,
    })
    expect((await ci()).stdout).toContain('### medmake: nothing changed')
    expect((await ci('--format', 'text')).stdout).toMatch(/^nothing changed: 0 of 2 pairs differ/)
  })

  it('with a worse prompt is a regression, and says why it was run', async () => {
    writeFiles(root, ROUGHER)
    await commit('Rough')
    const report = await reportOf('--junit', 'report.xml')
    expect(report).toMatchObject({ code: 3, total: 2, providerCalls: ROWS })
    expect(report.pairs).toMatchObject([{ run: 'one:model=fake_a', outcome: 'compared' }])
    expect(report.pairs[0]?.why).toMatch(/^instances\..* → /)
    expect(report.judged).toMatchObject([
      { result: { n: ROWS, difference: -0.75, test: 'mid-p' }, broken: [] },
    ])
    expect(report).toMatchObject({
      decidedBy: 'gate',
      gate: {
        verdict: 'regressed',
        rows: [{ benchmark: 'one', n: ROWS, loss: 0.75, margin: null, verdict: 'regressed' }],
      },
    })
    const junit = readFileSync(join(root, 'report.xml'), 'utf8')
    expect(junit).toContain('tests="3" failures="2" errors="0" skipped="0"')
    expect(junit).toContain('name="one:model=fake_a exact_match"')
    const again = await ci()
    expect(again.code).toBe(3)
    expect(again.stdout).toMatch(/### medmake: regression[^]*0 provider calls[^]*−0\.750[^]*What changed/)
    expect(again.stdout).toMatch(/\| model *\| scenario[^]*\| fake\/a *\| one/)
    expect((await reportOf('--fail-if', 'any worsens > 0.8')).code).toBe(0)
    // A misspelt one, or one that nothing gives, would never hold.
    const stderr = expect.stringContaining('The main metrics here: exact_match.') as string
    for (const name of ['exact_mach', 'rouge_l'])
      expect(await ci('--fail-if', `${name} drops > 0`)).toMatchObject({ code: 2, stderr })
  })

  it('is held to declared margins: settled, left open, or broken', async () => {
    const withMargin = (margin: number): Readonly<Record<string, string>> => ({
      'benchmarks/one/benchmark.yaml': `${benchmark('one')['benchmarks/one/benchmark.yaml']}margin: ${margin}\n`,
    })
    const other = { 'benchmarks/one/prompt.txt': 'one, in other words: {question}' }
    writeFiles(root, { ...withMargin(0.1), ...other })
    const open = await reportOf()
    expect(open).toMatchObject({
      code: 6,
      gate: { verdict: 'inconclusive', rows: [{ loss: 0, margin: 0.1, verdict: 'inconclusive' }] },
    })
    // Tango's limit of no loss among 24 without a difference.
    expect(open.gate?.rows[0]?.upper).toBeCloseTo(0.138, 3)
    expect((await ci()).stdout).toContain('### medmake: inconclusive')
    expect((await ci('--allow-inconclusive')).code).toBe(0)
    writeFiles(root, withMargin(0.2))
    expect(await reportOf()).toMatchObject({ code: 0, gate: { verdict: 'not worse' } })
    writeFiles(root, { ...withMargin(0.2), ...ROUGHER })
    expect(await reportOf()).toMatchObject({ code: 3, gate: { verdict: 'regressed' } })
    writeFiles(root, { 'medmake.yaml': 'margins: { one: 0.95 }\n' })
    expect(await reportOf()).toMatchObject({ code: 3, gate: { rows: [{ verdict: 'not worse' }] } })
  })

  it('is not built for a margin that bears any loss, and told of one that nothing is held to', async () => {
    const one = fullYaml({ name: 'one', main: 'num_output_tokens', top: ['margin: 3'] })
    writeFiles(root, { 'benchmarks/one/benchmark.yaml': one, 'medmake.yaml': 'margins: { two: 1 }\n' })
    const { code, stderr } = await ci()
    expect(code).toBe(2)
    expect(stderr).toContain('one: nothing is held to its margin, as its scale has no ends.')
    expect(stderr).toContain('two: a margin of 1 bears any loss on a scale from 0 to 1 [ci/wide-margin]')
  })

  it('is told the numbers of the reference’s gate', async () => {
    const other = { 'benchmarks/two/prompt.txt': 'two, in other words: {question}' }
    writeFiles(root, {
      ...ROUGHER,
      ...other,
      'medmake.yaml': 'margins: { one: 0.1, two: 0.2 }\npooled_margin: 0.3\n',
    })
    const { gate } = await reportOf()
    const right = Array.from({ length: ROWS }, () => 1)
    const unit = { lo: 0, hi: 1, lower_is_better: false, binary: true, a: right }
    const wanted = answer('gate', {
      benchmarks: [
        { name: 'one', ...unit, b: right.map((_, row) => Number(row % 4 === 0)), margin: 0.1 },
        { name: 'two', ...unit, b: right, margin: 0.2 },
      ],
      alpha: 0.025,
      pooled_share: 0.5,
      pooled_margin: 0.3,
    }) as Record<'pooled' | 'benchmarks', object> & {
      readonly family_level: number
      readonly verdict: string
    }
    const { pooled, rows = [], familyLevel, verdict } = gate ?? {}
    expect(rows).toHaveLength(2)
    for (const [at, row] of (wanted.benchmarks as readonly Fields[]).entries()) {
      const { loss, p, upper, holm, verdict: own } = row
      expect(departure({ loss, p, upper, holm, verdict: own }, rows[at])).toBeUndefined()
    }
    const { loss, p, upper, verdict: own } = wanted.pooled as Fields
    expect(departure({ loss, p, upper, verdict: own }, pooled)).toBeUndefined()
    expect([familyLevel, verdict]).toEqual([wanted.family_level, wanted.verdict])
  })

  it('that asks more than it may is refused with the number', async () => {
    writeFiles(root, ROUGHER)
    const before = server.journal().requests
    const { code, stderr } = await ci('--max-calls', '5')
    expect(code).toBe(4)
    expect(stderr).toMatch(/may take 24 provider calls, more than --max-calls 5 \[ci\/too-many-calls\]/)
    expect(server.journal().requests).toBe(before)
  })

  it('with other rows is compared on those that both have', async () => {
    writeFiles(root, { 'benchmarks/one/data.csv': csv(['a new question,A', ...rows.slice(0, -2)]) })
    const report = await reportOf()
    expect(report).toMatchObject({ code: 0, providerCalls: 1 })
    expect(report.judged).toMatchObject([
      { unpairedA: 2, unpairedB: 1, result: { n: ROWS - 2, difference: 0, p: 1 } },
    ])
    // Counted rows have the ids of those that stood there before.
    writeFiles(root, { 'benchmarks/one/data.csv': csv(rows.map((row) => `badly put ${row}`)) })
    expect(await reportOf()).toMatchObject({ code: 1, judged: [{ unpairedA: ROWS, result: null }] })
  })

  it('that alters one of a benchmark’s runs is held to what the benchmark lost', async () => {
    await git('checkout', '-q', 'main')
    writeFiles(root, {
      'benchmarks/parts/benchmark.yaml': `name: parts
description: Letters.
access: public
margin: 0.3
protocols:
  - version: medmake-1
    arguments: { part: { default: none } }
    data: { rows: { path: 'data-{part}.csv', format: csv } }
    instances:
      - { from: rows, split: test, input: '{question}', references: [{ text: '{correct_answer}', correct: true }] }
    adapter: { method: generation, max_train_instances: 0, max_tokens: 5 }
    metrics: [exact_match]
    main_metric: { name: exact_match, split: test }
`,
      'benchmarks/parts/data-old.csv': csv(rows),
      'benchmarks/parts/data-young.csv': csv(rows.map((row) => `young ${row}`)),
      'targets/main.conf':
        'entries: [{description: "parts:part=old,model=fake/a"}, {description: "parts:part=young,model=fake/a"}]',
    })
    await commit('Two runs')
    expect((await medmake(['run'], { cwd: root })).code).toBe(0)
    await git('checkout', '-q', '-B', 'change')
    writeFiles(root, {
      'medmake.yaml': 'pooled_margin: 0.3\n',
      'benchmarks/parts/data-old.csv': csv(rows.map((row, at) => (at < 12 ? `badly put ${row}` : row))),
    })
    // Nine of 24 answers of one run are wrong now, none of the other's.
    expect(await reportOf()).toMatchObject({
      code: 0,
      pairs: [{ outcome: 'compared' }],
      judged: [{ result: { n: ROWS, difference: -9 / 24 } }],
      gate: {
        rows: [{ n: 2 * ROWS, loss: 9 / 48, margin: 0.3, verdict: 'not worse' }],
        pooled: { n: 2 * ROWS, loss: 9 / 48 },
        verdict: 'not worse',
      },
    })
  })

  it('is compared over data that git ignores, which the base reads where it lies', async () => {
    await git('checkout', '-q', 'main')
    const data = 'benchmarks/one/data.csv'
    writeFiles(root, { '.gitignore': `cache/\nbenchmark_output/\n/${data}\n` })
    await git('rm', '-q', '--cached', data)
    await commit('Keep texts out')
    await git('checkout', '-q', '-B', 'change')
    writeFiles(root, ROUGHER)
    await commit('Rough')
    const report = await reportOf()
    expect([report.code, report.pairs.map(({ outcome }) => outcome)]).toEqual([3, ['compared']])
    expect(readFileSync(join(root, data), 'utf8')).toBe(csv(rows))
  })

  it('whose base can’t be read says so by paths that stay', async () => {
    await git('rm', '-q', '-r', 'benchmarks/two')
    await git('checkout', '-q', '-B', 'main')
    await commit('Without two')
    await git('checkout', '-q', '-B', 'change')
    writeFiles(root, benchmark('two'))
    const { code, stderr } = await ci()
    expect([code, stderr]).toEqual([2, expect.stringContaining('at main: there is no benchmark "two"')])
    expect(stderr).toContain(join(root, 'targets/main.conf'))
  })

  it('with a new pair and one gone says so', async () => {
    writeFiles(root, {
      ...benchmark('three'),
      'targets/main.conf':
        'entries: [{description: "one:model=fake/a"}, {description: "three:model=fake/a"}]',
    })
    const report = await reportOf()
    expect(report).toMatchObject({ code: 0, judged: [], removed: ['two:model=fake_a'] })
    expect(report.pairs).toMatchObject([{ run: 'three:model=fake_a', why: 'new', outcome: 'new' }])
    const { stdout } = await ci()
    expect(stdout).toContain('### medmake: nothing was compared')
    expect(stdout).not.toContain('no regression')
  })

  it('whose base was never run is not passed', async () => {
    writeFiles(root, ROUGHER)
    const { code, stdout } = await ci('--store', 'cache/another')
    expect(code).toBe(1)
    expect(stdout).toMatch(/not compared: one:model=fake_a: the base has no finished result/)
    expect(stdout).toContain('### medmake: nothing was compared')
  })

  it('whose base only a release holds is compared with that', async () => {
    expect(
      (await medmake(['release', 'create', 'base', '--include-text', 'one', 'two'], { cwd: root })).code,
    ).toBe(0)
    const empty = ['--store', 'cache/another', '--from', 'base']
    writeFiles(root, ROUGHER)
    const report = await reportOf(...empty)
    expect(report).toMatchObject({
      code: 3,
      pairs: [{ outcome: 'compared' }],
      judged: [{ result: { n: ROWS } }],
    })
    // The same words as the base, and another question to the model: gated alike, whatever holds the base.
    const { 'benchmarks/one/benchmark.yaml': yaml = '', ...rest } = benchmark('one')
    const longer = yaml.replace('max_tokens: 5', 'max_tokens: 6')
    writeFiles(root, { ...rest, 'benchmarks/one/benchmark.yaml': longer })
    const { gate } = await reportOf(...empty)
    expect(gate).toMatchObject({ ungated: [], rows: [{ loss: 0, verdict: 'inconclusive' }] })
    expect((await reportOf()).gate).toEqual(gate)
    // Where the store was kept, and the vault beside it was not.
    rmSync(join(root, 'cache/store-vault'), { recursive: true })
    writeFiles(root, ROUGHER)
    const unkept = await ci('--from', 'base')
    expect([unkept.code, unkept.stderr]).toEqual([3, expect.stringContaining('at main: the store no longer')])
    expect(await reportOf()).toMatchObject({ code: 1, pairs: [{ outcome: expect.any(String) as string }] })
  })

  it('is not compared with a release of another declaration', async () => {
    writeFiles(root, ROUGHER)
    expect((await medmake(['run'], { cwd: root })).code).toBe(0)
    expect((await medmake(['release', 'create', 'other'], { cwd: root })).code).toBe(0)
    const { code, stderr } = await ci('--store', 'cache/another', '--from', 'other')
    expect(code).toBe(1)
    expect(stderr).toContain('one:model=fake_a: the release holds it as another declaration')
  })

  it('some of whose requests fail is incomplete', async () => {
    const broken = await fakeServer({
      answer: ({ prompt }) =>
        prompt.includes('question 3') ? { status: 400, body: { error: { message: 'no' } } } : 'A',
    })
    writeFiles(root, { ...ROUGHER, 'models/fake.yaml': modelsYaml(broken, ['fake/a']) })
    const report = await reportOf()
    expect(report).toMatchObject({ code: 1, pairs: [{ outcome: 'incomplete' }] })
  })
})

describe('affected', () => {
  it('in a clone of one commit alone, as CI makes it, says how to come by the base, and that goes', async () => {
    const folder = temporaryFolder()
    const cwd = join(folder, 'clone')
    await execa('git', ['clone', '-q', '--depth=1', '-b', 'change', `file://${root}`, cwd])
    const { code, stderr } = await medmake(['affected', '--base', 'origin/main'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('`git fetch origin main`, and --base FETCH_HEAD')
    await execa('git', ['fetch', '-q', 'origin', 'main'], { cwd })
    expect(await medmake(['affected', '--base', 'FETCH_HEAD'], { cwd })).toMatchObject({ code: 0 })
  })

  it('says outside of a repository where to run it', async () => {
    const { code, stderr } = await medmake(['affected'], { cwd: createWorkspace() })
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/no git repository[^]*in a clone of a repository/),
    ])
  })

  it('asks the base for as many instances as it asks this tree', async () => {
    const { stdout } = await medmake(['affected', '-m', '5'], { cwd: root })
    expect(stdout).toContain('0 of 2 pairs differ from main')
  })

  it('tells pairs, calls and what is gone as Markdown', async () => {
    writeFiles(root, { ...ROUGHER, 'targets/main.conf': 'entries: [{description: "one:model=fake/a"}]' })
    const { stdout } = await medmake(['affected', '--format', 'markdown'], { cwd: root })
    expect(stdout).toMatch(/^\*\*1 of 1 pairs\*\* differ .* at most \*\*24 provider calls\*\*\.\n\n\| pair/)
    expect(stdout).toMatch(/^\| `one:model=fake_a` \| .* \| 24 \|\n\nRemoved: `two:model=fake_a`$/m)
  })

  it('does not take the other suites for removed', async () => {
    writeFiles(root, { 'targets/small.conf': 'entries: [{description: "one:model=fake/a"}]' })
    await commit('Second suite')
    const { stdout } = await medmake(['affected', 'small', '--base', 'change'], { cwd: root })
    expect(stdout).toContain('0 of 1 pairs differ')
    expect(stdout).not.toContain('removed')
  })
})
