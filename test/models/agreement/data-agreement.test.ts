import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isLoopback } from '../../../cache/network/proxy.ts'
import { agreementAt, serverPlace, type DataAgreement } from '../../../models/agreement/data-agreement.ts'
import { endpointOf } from '../../../models/clients/create-client.ts'
import { readCredentials } from '../../../models/deployment/credentials.ts'
import { loadRegistry } from '../../../models/registry/load.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

const deployment = (name: string, args: string, more = '', className = 'medmake.chat'): string =>
  `model_deployments:\n- {name: ${name}, client_spec: {class_name: ${className}, args: {${args}}}${more}}\n`

const agreementOf = async (
  files: Files,
  name: string,
  {
    env = {},
    agreements = new Map<string, { level: DataAgreement; host?: string }>(),
  }: { env?: Record<string, string>; agreements?: Map<string, { level: DataAgreement; host?: string }> } = {},
): Promise<DataAgreement> => {
  const workspace = createWorkspace(files)
  const localPath = join(workspace, 'prod_env')
  const registry = await loadRegistry({ catalog: join(workspace, 'none'), workspace, localPath, agreements })
  const found = registry.deployment(name)
  if (found === undefined) throw new Error(`no ${name}`)
  return agreementAt(found, endpointOf(found, await readCredentials(localPath, env)))
}

test('A server without a port is at the one of its protocol.', () => {
  expect(serverPlace('https://x.example/v1')).toEqual({
    host: 'x.example',
    address: 'x.example:443',
    isEncrypted: true,
  })
  expect(serverPlace('http://x.example/v1')).toMatchObject({ address: 'x.example:80', isEncrypted: false })
  expect(serverPlace('https://x.example:8443')).toMatchObject({ address: 'x.example:8443' })
  expect(serverPlace('x.example')).toBeUndefined()
})

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['[::1]', true],
  ['127.0.0.1.example.org', false],
  ['localhost.example.org', false],
  ['128.0.0.1', false],
  ['0.0.0.0', false],
])('%s is on this machine: %s', (host, expected) => expect(isLoopback(host)).toBe(expected))

test.each([
  ['base_url: "http://127.0.0.1:8000/v1"', '', 'private'],
  ['base_url: "http://[::1]:8000/v1"', '', 'private'],
  ['base_url: "http://127.0.0.1:8000/v1"', ', data_agreement: none', 'none'],
  ['base_url: "https://llm.example.org/v1"', '', 'none'],
  ['base_url: "https://llm.example.org/v1"', ', data_agreement: gated', 'gated'],
  ['base_url: "https://llm.example.org/v1"', ', data_agreement: private', 'private'],
])('a deployment with {%s}%s reaches %s', async (args, more, expected) => {
  expect(await agreementOf({ 'models/m.yaml': deployment('a/m', args, more) }, 'a/m')).toBe(expected)
})

test('an embedded model keeps what it is asked in this process', async () => {
  const yaml = deployment('a/m', 'name: lead', '', 'medmake.baseline')
  expect(await agreementOf({ 'models/m.yaml': yaml }, 'a/m')).toBe('private')
})

test('an agreement says nothing of a host that the environment names in place of the declared one', async () => {
  const files = {
    'models/m.yaml': deployment(
      'a/m',
      '',
      ', data_agreement: private',
      'helm.clients.openai_client.OpenAIClient',
    ),
  }
  expect(await agreementOf(files, 'a/m')).toBe('private')
  expect(await agreementOf(files, 'a/m', { env: { A_BASE_URL: 'https://elsewhere.example/v1' } })).toBe(
    'none',
  )
})

test('configuration names the host of a deployment that only the environment leads to', async () => {
  const files = { 'models/m.yaml': deployment('a/m', 'model: x') }
  const env = { A_BASE_URL: 'https://llm.example.org/v1' }
  const agreements = new Map([['a/m', { level: 'gated' as const }]])
  expect(await agreementOf(files, 'a/m', { env, agreements })).toBe('none')
  const named = new Map([['a/m', { level: 'gated' as const, host: 'llm.example.org' }]])
  expect(await agreementOf(files, 'a/m', { env, agreements: named })).toBe('gated')
})

test('a file of the local path, which no reviewer sees, neither declares nor inherits an agreement', async () => {
  const local = deployment('a/m', 'base_url: "https://llm.example.org/v1"')
  const reviewed = deployment('a/m', 'base_url: "https://llm.example.org/v1"', ', data_agreement: private')
  expect(
    await agreementOf({ 'models/m.yaml': reviewed, 'prod_env/model_deployments.yaml': local }, 'a/m'),
  ).toBe('none')
  const problem = await problemOf(() => agreementOf({ 'prod_env/model_deployments.yaml': reviewed }, 'a/m'))
  expect(problem).toMatchObject({ code: 'models/unknown-key', where: { line: 2 } })
})

test('nothing is sent nowhere', async () => {
  expect(
    await agreementOf({ 'models/m.yaml': deployment('a/m', 'model: x', ', data_agreement: private') }, 'a/m'),
  ).toBe('none')
})

test('a fault in the credentials is told without quoting them', async () => {
  const workspace = createWorkspace({ 'prod_env/credentials.conf': 'aApiKey: "sk-verysecret\n' })
  const problem = await problemOf(() => readCredentials(join(workspace, 'prod_env'), {}))
  expect(problem).toMatchObject({ code: 'config/hocon' })
  expect(JSON.stringify(problem)).not.toContain('verysecret')
})

test('Where a file that nobody reviews names the server, an agreement is with the host that the configuration names, or none.', async () => {
  const files = {
    'prod_env/model_deployments.yaml': deployment('a/x', "base_url: 'https://x.example/v1', model: x"),
  }
  const at = (host?: string) =>
    agreementOf(files, 'a/x', {
      agreements: new Map([
        ['a/x', { level: 'private' as DataAgreement, ...(host === undefined ? {} : { host }) }],
      ]),
    })
  const reviewed = agreementOf(
    { 'models/a.yaml': deployment('a/x', "base_url: 'https://x.example/v1', model: x") },
    'a/x',
    { agreements: new Map([['a/x', { level: 'private' as DataAgreement }]]) },
  )
  expect(await at()).not.toBe(await reviewed)
  expect(await at('x.example')).toBe(await reviewed)
  expect(await at('y.example')).toBe(await at())
})

test('What the configuration says of an agreement counts before what is declared with the deployment.', async () => {
  const files = {
    'models/a.yaml': deployment(
      'a/x',
      "base_url: 'https://x.example/v1', model: x",
      ', data_agreement: private',
    ),
  }
  const agreements = new Map([['a/x', { level: 'none' as DataAgreement }]])
  expect(await agreementOf(files, 'a/x')).toBe('private')
  expect(await agreementOf(files, 'a/x', { agreements })).toBe('none')
})
