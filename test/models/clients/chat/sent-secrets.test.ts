import { expect, test } from 'vitest'
import { recordingServer, type Sent } from '../../../rig/recording-server.ts'
import { deploymentOf, never, requestOf } from '../../../rig/model-calls.ts'
import { chat, opened } from './opened-client.ts'

const HEADER = 'header-secret-1'
const QUERY = 'query-secret-22'
const ORGANISATION = 'org-of-ours-333'

const answered = async (sent: Sent): Promise<unknown> => {
  const { url } = await recordingServer(() => sent)
  const args = {
    base_url: `${url}?code=${QUERY}&api-version=2024-10-21`,
    headers: { Authorization: `Bearer ${HEADER}` },
    org_id: ORGANISATION,
    model: 'x',
  }
  const client = await opened(deploymentOf('medmake.chat', args))
  return client.complete(requestOf('Is it safe?'), never).catch((error: unknown) => error)
}

const TOLD = `no ${HEADER}, ${QUERY}, ${ORGANISATION} in 2024-10-21`

test.each([
  ['an error', { status: 400, body: { error: { message: TOLD } } }],
  ['a page', { status: 502, body: `<title>${TOLD}</title>` }],
  ['an error under status 200', { body: { error: { message: TOLD, code: 400 } } }],
])('Secrets in headers, the query and the organisation are hidden where %s repeats them', async (_, sent) => {
  expect(String(await answered(sent))).toContain('no [key], [key], [key] in 2024-10-21')
})

test.each([undefined, null, ''])(
  'An answer that holds a word of a header stays, beside the error %j',
  async (error) => {
    const { body } = chat(TOLD)
    expect(await answered({ body: { ...Object(body), error } })).toMatchObject({ choices: [{ text: TOLD }] })
  },
)
