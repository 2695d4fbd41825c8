import { expect, test } from 'vitest'
import { join } from 'node:path'
import { readCredentials } from '../../models/deployment/credentials.ts'
import { problemOf } from '../rig/problem-of.ts'
import { createWorkspace } from '../rig/workspace.ts'

const CONF = `openaiApiKey: own
numberApiKey: 5
deployments: {"openai/gpt": mapped, "other/m": mapped}
`
const read = (conf: string, env: Readonly<Record<string, string>> = {}) =>
  readCredentials(join(createWorkspace({ 'prod_env/credentials.conf': conf }), 'prod_env'), env)

test('A key is its host’s, then its deployment’s, then the environment’s.', async () => {
  const env = { OPENAI_API_KEY: 'e', OTHER_API_KEY: 'e', MY_LAB_API_KEY: 'e', OTHER_BASE_URL: 'u' }
  const credentials = await read(CONF, env)
  expect(credentials.lookup('openai/gpt', 'ApiKey')).toBe('own')
  expect(credentials.lookup('number/m', 'ApiKey')).toBe('5')
  expect(credentials.lookup('other/m', 'ApiKey')).toBe('mapped')
  expect(credentials.lookup('other/n', 'ApiKey')).toBe('e')
  expect(credentials.lookup('my-lab/m', 'ApiKey')).toBe('e')
  // The map holds keys alone.
  expect(credentials.lookup('other/m', 'BaseUrl')).toBe('u')
  expect(credentials.lookup('nobody/m', 'ApiKey')).toBeUndefined()
})

test('An empty key is none: the next place counts, and none where there is no other.', async () => {
  const conf = 'openaiApiKey: ""\ndeployments: {"openai/a": "", "openai/b": mapped}'
  const credentials = await read(conf, { OPENAI_API_KEY: 'e', MY_LAB_API_KEY: '', OPENAI_ORG_ID: '' })
  expect(credentials.lookup('openai/a', 'ApiKey')).toBe('e')
  expect(credentials.lookup('openai/b', 'ApiKey')).toBe('mapped')
  expect(credentials.lookup('openai/b', 'OrgId')).toBeUndefined()
  expect(credentials.lookup('my-lab/m', 'ApiKey')).toBeUndefined()
})

test('HELM_CREDENTIALS stands for the whole file.', async () => {
  const credentials = await read(CONF, { HELM_CREDENTIALS: 'otherApiKey: x' })
  expect([credentials.lookup('other/m', 'ApiKey'), credentials.lookup('openai/gpt', 'ApiKey')]).toEqual([
    'x',
    undefined,
  ])
})

test('What is no HOCON is told without what it says.', async () => {
  const problem = await problemOf(() => read('openaiApiKey: "my-secret'))
  expect(problem).toMatchObject({ code: 'config/hocon', message: 'these credentials are no HOCON' })
  expect(JSON.stringify(problem)).not.toContain('my-secret')
})
