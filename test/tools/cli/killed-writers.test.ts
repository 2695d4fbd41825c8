import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { afterFile } from '../../rig/after-file.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { killedIn } from '../../rig/killed-in.ts'
import { medmake, spawnMedmake } from '../../rig/medmake.ts'
import { alike, shardWorkspace } from '../../rig/shard-workspace.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace } from '../../rig/workspace.ts'
import { fetchedYaml } from '../../rig/fetched-yaml.ts'

const SUITE = {
  'targets/small.conf':
    'entries: [{description: "demo_multiple_choice:model=baseline/first-choice", priority: 1}]\n',
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()

const killed = async (args: readonly string[], file: RegExp, cwd: string): Promise<void> =>
  expect(await spawnMedmake(args, { cwd, env: killedIn(file) })).toMatchObject({ code: 137 })

const done = async (args: readonly string[], cwd: string): Promise<void> =>
  expect(await medmake(args, { cwd })).toMatchObject({ code: 0, stderr: '' })

test('an export that is killed midway is swept by the next one, which touches nobody else’s files', async () => {
  const cwd = createWorkspace(SUITE)
  for (const args of [['run'], ['report'], ['serve', '--export-path', 'whole']])
    expect((await medmake(args, { cwd })).code).toBe(0)
  const args = ['serve', '--export-path', 'site']
  for (const file of [/site\/benchmark_output\/.*run_spec\.json/, /site\/benchmark_output\/.*stats\.json/]) {
    await killed(args, file, cwd)
    expect(filesIn(join(cwd, 'site'))).toContain('index.html')
  }
  writeFileSync(join(cwd, 'site/CNAME'), 'mine')
  const mine = await medmake(args, { cwd })
  expect(mine).toMatchObject({ code: 2, stderr: expect.stringContaining('cli/not-empty') as string })
  expect(readFileSync(join(cwd, 'site/CNAME'), 'utf8')).toBe('mine')
  await execa('rm', [join(cwd, 'site/CNAME')])
  await done(args, cwd)
  expect(filesIn(join(cwd, 'site'))).toEqual(filesIn(join(cwd, 'whole')))
  expect((await medmake(args, { cwd })).stderr).toContain('cli/not-empty')
})

test.for(['main.sbatch', 'main.head.sbatch'])(
  'a cluster plan that is killed in the midst of %s leaves no half a script, and the next one writes it',
  async (script) => {
    const cwd = shardWorkspace(await fakeServer({ answer: alike }), { rows: 4, open: true })
    const args = ['cluster', 'plan', 'main', '--tier', temporaryFolder(), '--tasks', '2']
    await killed(args, new RegExp(script.replaceAll('.', String.raw`\.`)), cwd)
    expect(filesIn(join(cwd, 'cluster'))).not.toContain(script)
    expect((await medmake(args, { cwd })).stdout).toContain(`wrote cluster/${script}`)
    expect(filesIn(join(cwd, 'cluster'))).toEqual(['logs', 'main.head.sbatch', 'main.json', 'main.sbatch'])
  },
)

test('a release that is killed as it takes an older one’s place leaves that one, and the next takes it', async () => {
  const other = SUITE['targets/small.conf'].replace('first-choice', 'lead')
  const cwd = createWorkspace({ ...SUITE, 'targets/other.conf': other })
  const create = (suite: string) => ['release', 'create', 'r', '--suites', suite, '--replace']
  for (const args of [['run'], create('small')]) expect((await medmake(args, { cwd })).code).toBe(0)
  const folder = join(cwd, 'benchmark_output/releases/r')
  const release = () => readFileSync(join(folder, 'bundle/release.json'), 'utf8')
  const before = release()
  await killed(create('other'), /releases\/r\/bundle$/, cwd)
  expect(readdirSync(folder)).not.toContain('bundle')
  for (const again of [false, true]) {
    // The bundle and its archive change places together.
    if (again) await killed(create('other'), /r\.tar\.gz$/, cwd)
    const named = again ? 'r' : join(folder, 'bundle')
    expect((await medmake(['release', 'verify', named], { cwd })).code).toBe(0)
    expect(release()).toBe(before)
  }
  await killed(create('other'), /releases\/r\/bundle$/, cwd)
  expect((await spawnMedmake(create('other'), { cwd })).code).toBe(0)
  expect(release()).not.toBe(before)
  expect(readdirSync(folder).toSorted()).toEqual(['bundle', 'r.tar.gz'])
})

test('ci that is killed while it writes a JUnit file leaves the one that was there; a pipe is written to as it is', async () => {
  const cwd = createWorkspace(SUITE)
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'All'],
  ])
    await execa('git', args, { cwd })
  writeFileSync(join(cwd, 'report.xml'), 'before')
  const args = ['ci', '--base', 'main', '--junit']
  await killed([...args, 'report.xml'], /report\.xml/, cwd)
  expect(readFileSync(join(cwd, 'report.xml'), 'utf8')).toBe('before')
  await done([...args, 'report.xml'], cwd)
  const text = readFileSync(join(cwd, 'report.xml'), 'utf8')
  expect(text).toMatch(/^<\?xml[^]*<\/testsuites?>\n$/)
  expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([])
  await execa('mkfifo', ['pipe'], { cwd })
  const read = execa('cat', ['pipe'], { cwd })
  await done([...args, 'pipe'], cwd)
  expect((await read).stdout).toBe(text.trim())
})

test('a run that is killed as it starts its vault is followed by one that starts it whole', async () => {
  const cwd = shardWorkspace(await fakeServer({ answer: alike }), { rows: 2 })
  const vault = join(cwd, 'cache/store-vault')
  await killed(['run'], /store-vault\/.*gitignore/, cwd)
  expect(filesIn(vault)).not.toContain('.gitignore')
  expect((await medmake(['run'], { cwd })).code).toBe(0)
  expect(readFileSync(join(vault, '.gitignore'), 'utf8')).toBe('*\n')
  expect(filesIn(vault).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('a download that is killed leaves no claim beside its file, nor anywhere once another one is done', async () => {
  const server = createServer((_, response) => response.setHeader('etag', '"1"').end('note\na\n'))
  afterFile(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const cwd = createWorkspace(
    Object.fromEntries(
      ['one', 'two'].map((name) => [`benchmarks/${name}/benchmark.yaml`, fetchedYaml(name, port)]),
    ),
  )
  const data = join(cwd, 'cache/data')
  await killed(['data', 'fetch', 'one'], /one\.csv.*etag/, cwd)
  const beside = filesIn(join(data, `127.0.0.1:${port}`))
  expect(beside.filter((name) => !name.startsWith('one.csv.part-'))).toEqual([])
  expect((await medmake(['data', 'fetch', 'two'], { cwd })).code).toBe(0)
  expect(readdirSync(data)).toEqual([`127.0.0.1:${port}`])
  expect((await medmake(['data', 'fetch', 'one'], { cwd })).code).toBe(0)
  expect(filesIn(data)).toEqual(['', '/one.csv', '/two.csv'].map((name) => `127.0.0.1:${port}${name}`))
})
