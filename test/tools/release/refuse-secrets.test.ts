import { expect, test } from 'vitest'
import { refuseSecrets } from '../../../tools/release/refuse-secrets.ts'
import { deploymentOf } from '../../rig/model-calls.ts'
import { problemsAtOnce } from '../../rig/problem-of.ts'

test('No release is made that would tell what requests are given under a secret’s name, and one is made where none is.', () => {
  const body = {
    metadata: [{ api_key: 'canary', hint: 'x' }],
    accessToken: 'canary',
    'X-Password': 'canary',
    token: '',
    stop_token: '</s>',
    max_tokens: 5,
  }
  const problems = problemsAtOnce(() => refuseSecrets([deploymentOf('medmake.chat', { body })]))
  expect(problems.map(({ code, where }) => [code, where?.field])).toEqual(
    ['metadata.api_key', 'accessToken', 'X-Password'].map((path) => [
      'release/secret',
      `client_spec.args.body.${path}`,
    ]),
  )
  expect(JSON.stringify(problems)).not.toContain('canary')
  const args = { headers: { authorization: 'x' }, api_key: 'x', body: { stop_token: '</s>' } }
  refuseSecrets([deploymentOf('medmake.chat', args)])
})
