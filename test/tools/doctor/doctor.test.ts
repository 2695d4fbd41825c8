import { execaSync } from 'execa'
import { expect, test } from 'vitest'
import { gitChecks } from '../../../tools/doctor/git-checks.ts'
import { nodeCheck } from '../../../tools/doctor/machine.ts'
import { nxChecks } from '../../../tools/doctor/nx-checks.ts'
import { secretHider } from '../../../tools/cli/main.ts'
import { createWorkspace } from '../../rig/workspace.ts'
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

test('keys of the environment are hidden, short values and other variables are not', () => {
  const hide = secretHider({ OPENAI_API_KEY: 'sk-0123456789', SHORT_TOKEN: 'abc', HOME: '/home/someone' })
  expect(hide('the key sk-0123456789 of /home/someone, abc')).toBe(
    'the key [OPENAI_API_KEY] of /home/someone, abc',
  )
})
