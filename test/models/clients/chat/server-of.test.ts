import { expect, test } from 'vitest'
import { serverOf } from '../../../../models/clients/chat/server-of.ts'
import { codeUrl } from '../../../../models/clients/code/client-file.ts'
import type { Credentials } from '../../../../models/deployment/credentials.ts'
import { problemOf } from '../../../rig/problem-of.ts'
import { deploymentOf } from '../../../rig/model-calls.ts'

const OPENAI = 'helm.clients.openai_client.OpenAIClient'

const server = (
  className: string,
  args: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, string>> = {},
) => {
  const credentials: Credentials = { lookup: (_, what) => known[what] }
  return serverOf(deploymentOf(className, args), credentials)
}

test.each([
  [
    'its own argument, before those of the environment',
    OPENAI,
    { api_key: 'own' },
    { ApiKey: 'other' },
    'own',
  ],
  ['the environment', OPENAI, {}, { ApiKey: 'other' }, 'other'],
  ['nowhere, on this machine', OPENAI, { base_url: 'http://127.0.0.1:1/v1' }, {}, 'EMPTY'],
  [
    'nowhere, where a server may want none',
    'medmake.chat',
    { base_url: 'https://llm.example/v1' },
    {},
    'EMPTY',
  ],
])('A key comes from %s.', (_, className, args, known, key) => {
  expect(server(className, args, known).apiKey).toBe(key)
})

test('An organisation is the argument’s, else the environment’s, else none.', () => {
  const known = { ApiKey: 'key', OrgId: 'org-1' }
  expect(server(OPENAI, { org_id: 'org-2' }, known).organization).toBe('org-2')
  expect(server(OPENAI, {}, known).organization).toBe('org-1')
  expect(server(OPENAI, {}, { ApiKey: 'key' })).not.toHaveProperty('organization')
})

test('A provider that wants a key is not asked without one.', async () => {
  expect((await problemOf(() => server(OPENAI, {})))?.code).toBe('models/no-key')
})

test.each(['localhost:8000/v1', 'htp://x/v1', 'http://ann:sesame@x/v1', 'http://x/v1#a', 'http://x/v1#'])(
  'What leads to no server is refused before anybody is asked, and no password is told: %s.',
  async (url) => {
    const problem = await problemOf(() => server('medmake.chat', { base_url: url }))
    expect(problem).toMatchObject({ code: 'models/no-url' })
    expect(problem?.message).not.toContain('sesame')
  },
)

test('What is no URL is no server, and a deployment that names none is told how to.', async () => {
  const refused = (args: Readonly<Record<string, unknown>>) => problemOf(() => server('medmake.chat', args))
  expect(await refused({ base_url: 'llm.example v1' })).toMatchObject({
    code: 'models/no-url',
    message: 'llm.example v1 is no URL of a server',
  })
  expect(await refused({})).toMatchObject({
    code: 'models/no-url',
    message: 'deployment acme/m names no server',
    remedy: expect.stringMatching(/^Add args: \{base_url: /),
  })
})

test('A client of a workspace may name a server of any protocol, and names one.', async () => {
  const url = (base_url: string): string => codeUrl(deploymentOf('workspace.clients.own', { base_url }))
  expect(url('grpc://127.0.0.1:8001')).toBe('grpc://127.0.0.1:8001')
  expect(await problemOf(() => url('localhost:8000/v1'))).toMatchObject({
    code: 'models/no-url',
    message: 'localhost:8000/v1 is no URL of a server',
  })
})
