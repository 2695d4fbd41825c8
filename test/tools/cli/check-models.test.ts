import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { writeTinyLlama } from '../../rig/tiny-llama.ts'
import { createWorkspace } from '../../rig/workspace.ts'

it('asks a server one small thing, tells what came back, and enters what it cost', async () => {
  const server = await fakeServer()
  const root = createWorkspace({ 'models/fake.yaml': modelsYaml(server, ['fake/a']) })
  const { code, stdout, stderr } = await medmake(['models', 'check', 'fake/a'], { cwd: root })
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/^fake\/a: answered in \d+\.\d\d s\n {2}text {4}"/)
  expect(stdout).toMatch(/\n {2}finish {2}stop\n {2}model {3}\S+\n {2}tokens {2}\d+ in, \d+ out$/)
  const ledger = JSON.parse((await medmake(['spend', '--json'], { cwd: root })).stdout) as object
  expect(ledger).toMatchObject({
    benchmark: [{ name: 'models check', calls: 1 }],
    total: { unknownCalls: 1 },
  })
  expect((await medmake(['cache', 'stats'], { cwd: root })).stdout).toMatch(/completions +0/)
})

it('makes no call that a cap forbids', async () => {
  const server = await fakeServer()
  const root = createWorkspace({
    'models/fake.yaml': `${modelsYaml(server, ['fake/a', 'fake/b'])}prices:
  - { deployment: fake/a, input: 1000, output: 10000, date: 2026-01-01, source: contract }
`,
  })
  const check = (...words: readonly string[]) => medmake(['models', 'check', ...words], { cwd: root })
  const capped = await check('fake/a', '--max-usd', '0.01')
  expect(capped.code).toBe(4)
  expect(capped.stderr).toContain('spend/cap-reached')
  expect((await check('fake/b', '--max-usd', '1')).stdout).toContain('spend/no-price')
  expect(server.journal().requests).toBe(0)
  expect((await check('fake/a', '--max-usd', '1')).code).toBe(0)
  expect(server.journal().requests).toBe(1)
})

it('tells why there was no answer and what to do, for each by itself', async () => {
  const root = createWorkspace({
    'models/a.yaml': `model_deployments:
  - name: gone/server
    client_spec: { class_name: medmake.chat, args: { base_url: "http://127.0.0.1:9/v1", model: x } }
  - name: here/tiny
    client_spec: { class_name: medmake.local, args: { model: ./tiny } }
  - name: here/none
    client_spec: { class_name: medmake.local, args: { model: ./none } }
`,
  })
  writeTinyLlama(join(root, 'tiny'))
  const names = ['openai/gpt-4o-2024-05-13', 'gone/server', 'here/none', 'here/tiny']
  const { code, stdout } = await medmake(['models', 'check', ...names, '--json'], { cwd: root })
  expect(code).toBe(1)
  const { checks } = JSON.parse(stdout) as {
    readonly checks: readonly {
      readonly deployment: string
      readonly code?: string
      readonly remedy?: string
    }[]
  }
  expect(checks.map((check) => check.code)).toEqual([
    'models/no-key',
    'call/unreached',
    'models/local-file',
    undefined,
  ])
  expect(checks[0]?.remedy).toContain('OPENAI_API_KEY')
  expect(checks[1]?.remedy).toContain('models/a.yaml')
})

it('names a deployment like the one that does not exist', async () => {
  const { code, stderr } = await medmake(['models', 'check', 'baseline/leed'], { cwd: createWorkspace() })
  expect(code).toBe(2)
  expect(stderr).toContain('Did you mean "baseline/lead"?')
})

it('lists a client of the workspace that is not there with the cause, and others only where they are asked for', async () => {
  const root = createWorkspace({
    'models/a.yaml': `model_deployments:
  - name: my/own
    client_spec: { class_name: workspace.clients.gone, args: { base_url: "http://127.0.0.1:9/" } }
  - name: my/other
    client_spec: { class_name: medmake.chatt }
`,
  })
  const listed = async (...names: readonly string[]) =>
    (await medmake(['models', ...names], { cwd: root })).stderr
  const [all, one] = [await listed(), await listed('my/other')]
  expect([all, one].map((text) => text.includes('client gone'))).toEqual([true, false])
  expect([all, one].map((text) => text.includes('chatt'))).toEqual([false, true])
})

it('lists whence the key of each comes, of an empty one that there is none, and no key', async () => {
  const deployed = (name: string, more = ''): string =>
    `  - { name: ${name}, client_spec: { class_name: medmake.chat, args: { base_url: "http://127.0.0.1:9/", model: m${more} } } }\n`
  const cwd = createWorkspace({
    'models/a.yaml': `model_deployments:\n${deployed('file/m', ', api_key: canary')}${deployed('env/m')}${deployed('no/m')}${deployed('empty/m', ', api_key: ""')}`,
  })
  const { stdout } = await medmake(['models', '/m', 'baseline/lead', '--json'], {
    cwd,
    env: { ENV_API_KEY: 'canary' },
  })
  expect(stdout).not.toContain('canary')
  const { deployments } = JSON.parse(stdout) as {
    deployments: readonly { deployment: string; key: string }[]
  }
  expect(Object.fromEntries(deployments.map(({ deployment, key }) => [deployment, key]))).toMatchObject({
    'file/m': 'in the file',
    'env/m': 'present',
    'no/m': 'none',
    'empty/m': 'none',
    'baseline/lead': 'not needed',
  })
})
