import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { plainBenchmark } from '../../faults/fault-workspace.ts'
import { bareEnvironment, medmake, spawnMedmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const RUN = 'benchmark_output/runs/main/plain:model=baseline_first-choice'

const built = async (access: string): Promise<string> => {
  const { 'benchmarks/plain/benchmark.yaml': yaml = '', ...files } = plainBenchmark('plain')
  const root = createWorkspace({
    ...files,
    'benchmarks/plain/benchmark.yaml': yaml.replace('access: public', `access: ${access}`),
    'targets/main.conf': 'entries: [{description: "plain:model=baseline/first-choice", priority: 1}]\n',
  })
  expect((await medmake(['run'], { cwd: root })).code).toBe(0)
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
    expect(stderr).toContain('Move away what lies there')
    expect(stderr).not.toMatch(/^ +at /m)
    expect(code).toBe(2)
    rmSync(join(root, place), { recursive: true })
    expect((await medmake([verb], { cwd: root })).code).toBe(0)
  })
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

// Whoever may do anything may look everywhere: as such the program runs as nobody.
test.skipIf(process.getuid?.() !== 0)(
  'a folder that may not be looked at is named, and not taken for empty',
  () => {
    const root = createWorkspace({
      ...plainBenchmark('plain'),
      'models/own.yaml': '',
      'targets/main.conf': 'entries: [{description: "plain:model=baseline/first-choice", priority: 1}]\n',
    })
    const program = join(packageRoot(), 'dist/medmake.js')
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
      expect(run(), place).toMatch(/\[(?:system\/unusable-path|benchmarks\/unreadable-file)\]/)
      chmodSync(join(root, place), 0o755)
    }
  },
)

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
