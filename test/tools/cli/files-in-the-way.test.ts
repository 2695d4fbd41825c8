import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { plainBenchmark } from '../../faults/fault-workspace.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { bareEnvironment, medmake, spawnMedmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const RUN = 'benchmark_output/runs/main/plain:model=baseline_first-choice'

const buildOnce = async (access: string): Promise<string> => {
  const { 'benchmarks/plain/benchmark.yaml': yaml = '', ...files } = plainBenchmark('plain')
  const root = createWorkspace({
    ...files,
    'benchmarks/plain/benchmark.yaml': yaml.replace('access: public', `access: ${access}`),
    'targets/main.conf': 'entries: [{description: "plain:model=baseline/first-choice", priority: 1}]\n',
  })
  expect((await medmake(['run'], { cwd: root })).code).toBe(0)
  return root
}

const made = new Map<string, Promise<string>>()

/** A copy of what was built once: each test spoils its own. */
const built = async (access: string): Promise<string> => {
  const once = made.get(access) ?? buildOnce(access)
  made.set(access, once)
  const root = temporaryFolder()
  cpSync(await once, root, { recursive: true, verbatimSymlinks: true })
  return root
}

const file = (path: string): void => {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'in the way')
}

const folder = (path: string): void => {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(join(path, 'in the way'), { recursive: true })
}

describe.each(['public', 'private'])('of a %s benchmark', (access) => {
  test.each([
    ['run', 'benchmark_output', file],
    ['run', 'benchmark_output/runs/main', file],
    ['run', RUN, file],
    ['run', `${RUN}/stats.json`, folder],
    ['report', 'benchmark_output/site', file],
    ['report', 'benchmark_output/site/index.html', folder],
  ])('%s names what lies at %s in the place of its own', async (verb, place, put) => {
    const root = await built(access)
    put(join(root, place))
    const { code, stderr } = await medmake([verb], { cwd: root })
    expect(stderr).toContain('[system/unusable-path]')
    expect(stderr).toContain(`error ${join(root, place)}`)
    expect(stderr).toContain('Move away what lies there')
    expect(stderr).not.toMatch(/^ +at /m)
    expect(code).toBe(2)
    rmSync(join(root, place), { recursive: true })
    expect((await medmake([verb], { cwd: root })).code).toBe(0)
  })
})

test('a run of which no file was ever written has none of an earlier state', async () => {
  const root = createWorkspace({
    ...plainBenchmark('plain'),
    'targets/main.conf': 'entries: [{description: "plain:model=baseline/first-choice"}]\n',
  })
  folder(join(root, `${RUN}/scenario_state.json`))
  const { code, stderr } = await medmake(['run'], { cwd: root })
  expect(code).toBe(2)
  expect(existsSync(join(root, RUN, '.medmake-reading.json'))).toBe(true)
  expect(stderr).not.toContain('earlier state')
})

test('a run whose files can be put nowhere pays for nothing', async () => {
  const server = await fakeServer()
  const root = createWorkspace({
    ...plainBenchmark('plain'),
    'models/m.yaml': modelsYaml(server, ['fake/a']),
    'targets/main.conf': 'entries: [{description: "plain:model=fake/a"}]\n',
  })
  file(join(root, 'benchmark_output/runs'))
  const { code, stderr } = await medmake(['run'], { cwd: root })
  expect(stderr).toContain(`error ${join(root, 'benchmark_output/runs')}`)
  expect(code).toBe(2)
  expect(server.journal().requests).toBe(0)
})

test.each([
  'targets/main.conf',
  'models/own.yaml',
  'medmake.yaml',
  'prod_env/credentials.conf',
  'prod_env/model_metadata.yaml',
  'targets/metrics/own.js',
])('a pipe that nobody writes to is named in the place of %s, and not waited for', async (place) => {
  const root = await built('public')
  file(join(root, place))
  rmSync(join(root, place))
  execFileSync('mkfifo', [join(root, place)])
  const { code, stderr } = await spawnMedmake(['run'], { cwd: root })
  expect(stderr).toContain(place)
  expect(stderr).toContain('it is a pipe, a device or a file of the kernel')
  expect(code).toBe(2)
})

/** The tests' folders are for their owner only. */
const letThrough = (root: string): void => chmodSync(dirname(root), 0o711)

// Whoever may do anything may look everywhere: as such the program runs as nobody.
test.skipIf(process.getuid?.() !== 0)(
  'a folder that may not be looked at is named, and not taken for empty',
  () => {
    const root = createWorkspace({
      ...plainBenchmark('plain'),
      'models/own.yaml': 'models: []\n',
      'targets/main.conf': 'entries: [{description: "plain:model=baseline/first-choice", priority: 1}]\n',
    })
    const program = join(packageRoot(), 'dist/medmake.js')
    letThrough(root)
    const run = (): string =>
      execFileSync(
        'bash',
        [
          '-c',
          `chown -R 65534 . && setpriv --reuid=65534 --clear-groups ${process.execPath} ${program} estimate 2>&1; true`,
        ],
        {
          cwd: root,
          env: { ...bareEnvironment(), HOME: root },
          encoding: 'utf8',
        },
      )
    for (const place of ['models', 'targets', 'benchmarks/plain']) {
      chmodSync(join(root, place), 0)
      const told = run()
      expect(told).toMatch(/\[(?:system\/unusable-path|benchmarks\/unreadable-file)\]/)
      expect(told).toContain(`${root}/${place}`)
      chmodSync(join(root, place), 0o755)
    }
  },
)

test.skipIf(process.getuid?.() !== 0)(
  'of a vault that another user keeps, the open store is told, and that the vault was left out',
  async () => {
    const root = await built('private')
    const vault = join(root, 'cache/store-vault')
    const program = join(packageRoot(), 'dist/medmake.js')
    letThrough(root)
    execFileSync('chmod', ['-R', 'a+rwX', root])
    execFileSync('chmod', ['-R', 'go=', vault])
    const asNobody = async (...args: readonly string[]) =>
      execa('setpriv', ['--reuid=65534', '--clear-groups', process.execPath, program, ...args], {
        cwd: root,
        env: { ...bareEnvironment(), HOME: root },
        extendEnv: false,
        reject: false,
      })
    for (const mode of [0o700, 0o755]) {
      chmodSync(vault, mode)
      for (const args of [['spend'], ['cache', 'stats'], ['cache', 'verify', '--json']]) {
        const { exitCode, stdout, stderr } = await asNobody(...args)
        expect([exitCode, stdout !== ''], stderr).toEqual([1, true])
        expect(stderr.match(/left out: this user may not read the vault/g)).toHaveLength(1)
        expect(stderr).toContain('It is for its owner alone')
      }
    }
    const verified = await asNobody('cache', 'verify', '--json')
    expect(JSON.parse(verified.stdout)).toMatchObject({ sound: true, vault: null })
    const refused = await asNobody('cache', 'gc', '--dry-run')
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('cache/not-your-vault')])
  },
)

test.each([
  ['a pipe', (path: string): unknown => execFileSync('mkfifo', [path])],
  ['a folder', (path: string): unknown => mkdirSync(path)],
])('%s in the place of a vault’s header is named, with a code and a remedy that helps', async (_, put) => {
  const root = await built('private')
  const header = join(root, 'cache/store-vault/vault.json')
  rmSync(header)
  put(header)
  const doctor = await medmake(['doctor'], { cwd: root })
  expect(doctor.stdout).toMatch(
    /PROBLEM vault: .*vault\.json: the store can't be used: .*\[cache\/not-accessible\]\n +move away what lies there/,
  )
  const spent = await medmake(['spend'], { cwd: root })
  expect([spent.code, spent.stderr]).toEqual([1, expect.stringContaining('move away what lies there')])
  const verified = await medmake(['cache', 'verify'], { cwd: root })
  expect(verified.stderr).toContain('what lies in the vault was left out: the store can')
  expect(verified.code).toBe(1)
  rmSync(header, { recursive: true })
  expect((await medmake(['run', '--json'], { cwd: root })).code).toBe(0)
  expect((await medmake(['spend'], { cwd: root })).code).toBe(0)
})

test('what a shell hands over in the place of a file is read', () => {
  const root = createWorkspace(plainBenchmark('plain'))
  const program = join(packageRoot(), 'dist/medmake.js')
  const entries = 'entries: [{description: "plain:model=baseline/first-choice", priority: 1}]'
  const script = `${process.execPath} ${program} run -c <(echo '${entries}')`
  const told = execFileSync('bash', ['-c', script], { cwd: root, env: bareEnvironment(), encoding: 'utf8' })
  expect(told).toContain('1 built')
})

test('a temporary folder that is not there is named, and so is a place where none can be made', async () => {
  const root = await built('public')
  const check = ['benchmark', 'check', 'plain']
  const lost = await medmake(check, { cwd: root, env: { TMPDIR: join(root, 'none') } })
  expect(lost).toMatchObject({ code: 2 })
  expect(lost.stderr).toContain('Set TMPDIR to a folder that is there')
  const nowhere = await medmake(['run', '-o', '/proc/none'], { cwd: root })
  expect(nowhere).toMatchObject({ code: 2 })
  expect(nowhere.stderr).toContain('No folder can be made there')
})

test('too few files that may be open are named, with the way out', async () => {
  const root = await built('private')
  rmSync(join(root, 'benchmark_output'), { recursive: true })
  const program = join(packageRoot(), 'dist/medmake.js')
  const { exitCode, stderr } = await execa(
    'bash',
    ['-c', `ulimit -n 24; exec ${process.execPath} ${program} run`],
    { cwd: root, env: bareEnvironment(), extendEnv: false, reject: false },
  )
  expect(stderr).toContain('[system/too-many-files]')
  expect(stderr).toContain('ulimit -n')
  expect(stderr).not.toMatch(/^ +at /m)
  expect(exitCode).toBe(1)
})

test('too few files beside a metric of one’s own are named: Node, which needs some to watch it, does not abort', async () => {
  const { 'benchmarks/plain/benchmark.yaml': yaml = '', ...files } = plainBenchmark('plain')
  const root = createWorkspace({
    ...files,
    'benchmarks/plain/benchmark.yaml': yaml.replace('{name: exact_match}', '{name: own}'),
    'targets/metrics/own.js': `import { openSync } from 'node:fs'
const held = []
export const metric = {
  measures: [{ name: 'own', displayName: 'Own' }],
  evaluate: () => {
    try {
      for (;;) held.push(openSync('/dev/null'))
    } catch {
      return { own: 1 }
    }
  },
}
`,
    'targets/main.conf': 'entries: [{description: "plain:model=baseline/first-choice", priority: 1}]\n',
  })
  const program = join(packageRoot(), 'dist/medmake.js')
  const { exitCode, stderr } = await execa(
    'bash',
    ['-c', `ulimit -n 128; exec ${process.execPath} ${program} run`],
    { cwd: root, env: bareEnvironment(), extendEnv: false, reject: false },
  )
  expect(stderr).toContain('[system/too-many-files]')
  expect(stderr).not.toContain('Assertion failed')
  expect(exitCode).toBe(1)
})

test('a folder that is gone is named', () => {
  const root = temporaryFolder()
  const program = join(packageRoot(), 'dist/medmake.js')
  const script = `cd ${root} && rmdir ${root} && ${process.execPath} ${program} run 2>&1; echo $?`
  const told = execFileSync('bash', ['-c', script], { env: bareEnvironment(), encoding: 'utf8' })
  expect(told).toContain('[system/no-folder]')
  expect(told).toMatch(/\n2\n$/)
})
