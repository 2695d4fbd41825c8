import { expect, test } from 'vitest'
import type { Digest } from '../../../cache/values/digest.ts'
import { identityOf, isRemote } from '../../../models/clients/create-client.ts'
import { deploymentOf } from '../../rig/model-calls.ts'

const PLACE = { base_url: 'https://x.example/v1', api_key: 'secret' }

const identity = (...given: Parameters<typeof deploymentOf>) => identityOf(deploymentOf(...given))

const CHAT = { deployment: 'acme/m', modelString: 'm-1', protocol: 'chat' }

test.each([
  [{}, {}],
  [{ headers: { 'x-team': 'wards' }, key_header: 'x-key', org_id: 'o' }, {}],
  [{ body: { seed: 1, top_k: 5 } }, { arguments: { body: { seed: 1, top_k: 5 } } }],
  [{ reasoning_effort: 'low' }, { arguments: { reasoningEffort: 'low' } }],
  [{ reasoning: true }, { arguments: { reasoning: true } }],
  [{ reasoning: false }, { arguments: { reasoning: false } }],
  [{ api: 'chat' }, {}],
  [{ api: 'responses' }, { form: 'responses' }],
  [
    { api: 'completions', reasoning_effort: 'high', body: { a: 1 } },
    { form: 'completions', arguments: { reasoningEffort: 'high', body: { a: 1 } } },
  ],
])('A server that is asked with %j is known by that, and by no place or key.', (args, own) => {
  expect(identity('medmake.chat', { ...PLACE, model: 'm-1', ...args })).toStrictEqual({ ...CHAT, ...own })
})

test('An embedded model is known by its name, else by its deployment’s.', () => {
  expect(identity('medmake.baseline', { name: 'first' })).toStrictEqual({
    deployment: 'acme/m',
    modelString: 'first',
    protocol: 'baseline',
  })
  expect(identity('medmake.baseline', {})).toMatchObject({ modelString: 'acme/m' })
})

test('A client of the workspace is known by its code and by all that it is given but place and key.', () => {
  const code = { file: 'own.ts', digest: 'd'.repeat(64) as Digest<'code'> }
  const given = identity('workspace.clients.own', { ...PLACE, model: 'm-1', style: 'terse' }, { code })
  expect(given).toStrictEqual({
    deployment: 'acme/m',
    modelString: 'm-1',
    protocol: 'code',
    arguments: { model: 'm-1', style: 'terse' },
    code: code.digest,
  })
  expect(JSON.stringify(given)).not.toMatch(/secret|example/)
  expect(() => identity('workspace.clients.own', {})).toThrow('which has none of that name')
})

test.each([
  ['medmake.chat', true],
  ['medmake.responses', true],
  ['workspace.clients.own', true],
  ['medmake.baseline', false],
  ['helm.clients.simple_client.SimpleClient', false],
])('What %s answers may cost money: %j.', (className, mayCost) => {
  const code = { file: 'own.ts', digest: 'd'.repeat(64) as Digest<'code'> }
  const deployment = deploymentOf(className, { ...PLACE, model: 'm-1' }, { code })
  expect(isRemote(deployment)).toBe(mayCost)
})
