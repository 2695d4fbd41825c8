import { benchmarksOf } from '../../../tools/session/declarations.ts'
import { DEFAULT_PROFILE } from '../../../targets/profile.ts'
import { mkdirSync } from 'node:fs'
import { execaSync } from 'execa'
import { expect, test } from 'vitest'
import { gitChecks } from '../../../tools/doctor/git-checks.ts'
import { nodeCheck } from '../../../tools/doctor/machine.ts'
import { nxChecks } from '../../../tools/doctor/nx-checks.ts'
import { secretHider } from '../../../tools/cli/main.ts'
import { catalogRegistry } from '../../../models/registry/load.ts'
import { localPathOf, sessionFlags } from '../../../tools/cli/common/session-flags.ts'
import { strayNames } from '../../../tools/session/stray-names.ts'
import { findWorkspace } from '../../../tools/session/workspace/workspace.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'
import { join } from 'node:path'

test.each([
  ['20.19.0', 'ok'],
  ['22.12.0', 'ok'],
  ['24.0.0', 'ok'],
  ['22.1.0', 'problem'],
  ['21.7.0', 'problem'],
  ['20.18.3', 'problem'],
  ['18.20.0', 'problem'],
])('Node %s is %s', (version, state) => expect(nodeCheck(version).state).toBe(state))

test('Nx is a problem where it may talk to its cloud', async () => {
  const off = '{"neverConnectToCloud": true, "analytics": false}'
  const states = async (nx: string, env = {}) =>
    (await nxChecks(createWorkspace({ 'nx.json': nx }), env)).map(({ state }) => state)
  expect(await states(off)).toEqual(['ok'])
  expect(await states('{"analytics": false}')).toEqual(['problem'])
  expect(await states(off.replace('}', ', "nxCloudId": "1"}'))).toEqual(['ok', 'problem'])
  expect(await states(off, { NX_CLOUD_ACCESS_TOKEN: 'x' })).toEqual(['ok', 'problem'])
})

test('git is a problem where it has, or would take, what must stay here', async () => {
  const root = createWorkspace({ '.gitignore': '/cache/\n', 'private/notes.csv': 'note\n', 'keys/k': 'k\n' })
  execaSync('git', ['init', '-q'], { cwd: root })
  execaSync('git', ['add', '-f', 'keys/k'], { cwd: root })
  const checks = await gitChecks(root, [
    { path: join(root, 'cache/store'), holds: 'the store' },
    { path: join(root, 'private/notes.csv'), holds: 'private data' },
    { path: join(root, 'keys/k'), holds: 'keys' },
    { path: '/elsewhere/vault', holds: 'the vault' },
  ])
  expect(checks).toMatchObject([
    { state: 'problem', message: 'private/notes.csv holds private data, and git would take it' },
    { state: 'problem', message: 'keys/k holds keys, and git has it' },
  ])
})

test('a name in medmake.yaml that nothing has is told, with what was meant; a run may know more', async () => {
  const root = createWorkspace({
    'medmake.yaml': `data_agreements: { baseline/led: gated, baseline/lead: gated }
budget: { deployments: { baseline/leaf: { max_usd: 1 } } }
margins: { pubmed_q: 0.1, own: 0.1, pubmed_qa: 0.1 }
errata: { head_qq: [x] }
suites: { dem: { max_eval_instances: 1 }, demo: { max_eval_instances: 1 }, medhelm-0.8-gated-reasoning: { max_eval_instances: 1 }, by-flag: { max_eval_instances: 1 } }
`,
  })
  const workspace = await findWorkspace(root)
  const found = await strayNames(
    { workspace, registry: await catalogRegistry() },
    { suites: ['by-flag'], benchmarks: ['own'] },
  )
  expect(
    found.map(({ message, remedy }) =>
      [message, remedy]
        .join(' ')
        .split('"')
        .filter((_, at) => at % 2),
    ),
  ).toEqual([
    ['baseline/led', 'baseline/lead'],
    ['baseline/leaf', 'baseline/lead'],
    ['pubmed_q', 'pubmed_qa'],
    ['head_qq', 'head_qa'],
    ['dem', 'demo'],
  ])
})

test('a mirror that holds nothing is refused, by whatever it is named', async () => {
  const root = createWorkspace({ 'full/a': '' })
  const workspace = await findWorkspace(root)
  mkdirSync(join(root, 'empty'))
  expect(sessionFlags({ mirror: 'full' }, root).mirror).toBe(join(root, 'full'))
  for (const [mirror, why] of [
    ['empty', 'holds no files'],
    ['full/a', 'holds no files'],
    ['none', 'there is no folder'],
    ['full/a/none', 'there is no folder'],
  ] as const) {
    expect(() => sessionFlags({ mirror }, root)).toThrow(why)
    const env = { MEDMAKE_MIRROR: join(root, mirror) }
    expect(() => benchmarksOf({ workspace, cwd: root, env }, DEFAULT_PROFILE)).toThrow(why)
  }
  const unset = { workspace, cwd: root, env: { MEDMAKE_MIRROR: '' } }
  expect(benchmarksOf(unset, DEFAULT_PROFILE)).not.toHaveProperty('mirror')
})

test('keys of the environment are hidden, short values and other variables are not', () => {
  const hide = secretHider({ OPENAI_API_KEY: 'sk-0123456789', SHORT_TOKEN: 'abc', HOME: '/home/someone' })
  expect(hide('the key sk-0123456789 of /home/someone, abc')).toBe(
    'the key [OPENAI_API_KEY] of /home/someone, abc',
  )
})

test('a folder of deployments that is not there is refused, by whatever it is named, unless it is HELM’s own', async () => {
  const root = createWorkspace({ 'own/x': '', 'medmake.yaml': 'local_path: gone\n' })
  expect(sessionFlags({ localPath: 'own' }, root).localPath).toBe(join(root, 'own'))
  expect(sessionFlags({ localPath: 'prod_env' }, root).localPath).toBe(join(root, 'prod_env'))
  expect(() => sessionFlags({ localPath: 'onw' }, root)).toThrow('config/local-path')
  const workspace = await findWorkspace(root)
  expect(() => localPathOf({ localPath: 'onw' }, root, workspace)).toThrow('config/local-path')
  expect(() => localPathOf({}, root, workspace)).toThrow('config/local-path')
})

test('Of suites that can’t be read neither data nor hosts are called well.', async () => {
  const cwd = createWorkspace({ 'targets/main.conf': 'entries: [' })
  const { code, stdout } = await medmake(['doctor', 'main'], { cwd })
  expect([code, stdout]).toEqual([2, expect.stringMatching(/PROBLEM suites: [^]*Hosts are not known/)])
  expect(stdout).not.toMatch(/ok +(?:vault|git|data agreement): /)
  writeFiles(cwd, { 'models/a.yaml': 'model_deployments: [' })
  expect((await medmake(['doctor'], { cwd })).stdout).toMatch(/PROBLEM workspace: [^]*Hosts are not known/)
})

test('A key of the vault that this user can’t make is a problem before the run that wants it.', async () => {
  const cwd = createWorkspace({
    'targets/main.conf': 'entries: [{description: "notes:model=baseline/lead"}]',
    'benchmarks/notes/benchmark.yaml':
      'name: notes\ndescription: Asks.\nprompt_file: p.txt\ndataset_file: d.csv\nmax_tokens: 5\nmetrics: [{ name: exact_match }]\n',
    'benchmarks/notes/p.txt': '{note}',
    'benchmarks/notes/d.csv': 'note,correct_answer,incorrect_answers\na,b,"[""c""]"\n',
  })
  const told = async (config: string): Promise<string> =>
    (
      await medmake(['doctor', 'main'], {
        cwd,
        env: { MEDMAKE_VAULT_KEY: '', XDG_CONFIG_HOME: join(cwd, config) },
      })
    ).stdout
  expect(await told('own')).toMatch(/note +vault key: .*own.medmake.vault\.key will be made/)
  // A file, below which nothing is made: a folder without the right to write is none for root.
  expect(await told('medmake.yaml')).toMatch(
    /PROBLEM +vault key: .* can't be made by this user\n +Set MEDMAKE_VAULT_KEY\./,
  )
})
