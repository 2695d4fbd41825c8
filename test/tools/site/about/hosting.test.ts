import { describe, expect, test } from 'vitest'
import type { DeclaredAgreement } from '../../../../models/agreement/data-agreement.ts'
import type { ModelDeployment } from '../../../../models/deployment/model.ts'
import { hostingChoices, isHostedAs } from '../../../../tools/site/about/hosting.ts'
import { aboutModels } from '../../../../tools/site/about/model-about.ts'
import { madeUpBoard } from '../../../bench/made-up-board.ts'
import { deploymentOf } from '../../../rig/model-calls.ts'

const board = madeUpBoard({ models: 1, benchmarks: 1 })

const hostingOf = (
  className: string,
  args: Readonly<Record<string, unknown>> = {},
  agreement?: DeclaredAgreement,
) => {
  const deployment = deploymentOf(className, args, {
    name: 'maker/model-0',
    ...(agreement === undefined ? {} : { agreement }),
  })
  return hostingIn(deployment)
}

const hostingIn = (deployment: ModelDeployment | undefined) => {
  const model = {
    name: 'maker/model-0',
    displayName: 'Model',
    description: 'Made up.',
    creatorOrganization: 'Maker',
    access: 'open',
    tags: [],
  } as const
  const [about] = aboutModels(board, { model: () => model, deployment: () => deployment }, () => undefined)
  return about?.hosting
}

const REMOTE = { base_url: 'https://llm.example.org/v1' }
const host = 'llm.example.org'

describe('where a page says that a model is served', () => {
  for (const url of ['http://localhost:8000/v1', 'http://127.0.0.2/v1', 'https://[::1]:8000/v1'])
    test(`is this machine for a server at ${url}, unless its file says less`, () => {
      expect(hostingOf('medmake.chat', { base_url: url })).toBe('this machine')
      expect(hostingOf('medmake.chat', { base_url: url }, { level: 'private' })).toBe('this machine')
      expect(hostingOf('medmake.chat', { base_url: url }, { level: 'gated' })).toBe('gated text agreed')
      expect(hostingOf('medmake.chat', { base_url: url }, { level: 'none' })).toBe('public text only')
    })

  for (const className of [
    'medmake.local',
    'medmake.baseline',
    'medmake.simple',
    'helm.clients.simple_client.SimpleClient',
    'helm.clients.huggingface_client.HuggingFaceClient',
  ])
    test(`is this machine for ${className}, which answers in the process`, () => {
      const args = className === 'medmake.local' ? { model: 'weights' } : {}
      expect(hostingOf(className, args)).toBe('this machine')
    })

  test('is what was agreed with the host of a remote server, and public text only where nothing was', () => {
    expect(hostingOf('medmake.chat', REMOTE)).toBe('public text only')
    expect(hostingOf('medmake.chat', REMOTE, { level: 'none', host })).toBe('public text only')
    expect(hostingOf('medmake.chat', REMOTE, { level: 'gated', host })).toBe('gated text agreed')
    expect(hostingOf('medmake.chat', REMOTE, { level: 'private', host })).toBe('private text agreed')
    expect(hostingOf('helm.clients.openai_client.OpenAIClient')).toBe('public text only')
  })

  test('promises nothing that the fence would not keep: of another host, of none, of a line that others read', () => {
    const agreed = { level: 'private', host } as const
    expect(hostingOf('medmake.chat', { base_url: 'https://other.example.org/v1' }, agreed)).toBe(
      'public text only',
    )
    expect(hostingOf('medmake.chat', REMOTE, { level: 'private' })).toBe('public text only')
    expect(hostingOf('medmake.chat', { base_url: 'http://llm.example.org/v1' }, agreed)).toBe(
      'public text only',
    )
    expect(hostingOf('medmake.chat', { base_url: 'https://localhost.example.org/v1' })).toBe(
      'public text only',
    )
  })

  test('goes by the agreement where only credentials have the address, if it names a host', () => {
    expect(hostingOf('medmake.chat')).toBe('public text only')
    expect(hostingOf('medmake.chat', {}, { level: 'private' })).toBe('public text only')
    expect(hostingOf('medmake.chat', {}, { level: 'private', host })).toBe('private text agreed')
  })

  test('is left out where the deployment is not declared, or no client can be opened for it', () => {
    expect(hostingIn(undefined)).toBeUndefined()
    expect(hostingOf('medmake.locally')).toBeUndefined()
    expect(hostingOf('workspace.clients.gone', REMOTE, { level: 'private', host })).toBeUndefined()
  })
})

describe('a wish for a hosting', () => {
  test('is met by stricter places, never by looser or unknown ones', () => {
    expect(isHostedAs('this machine', 'private text agreed')).toBe(true)
    expect(isHostedAs('gated text agreed', 'private text agreed')).toBe(false)
    expect(isHostedAs('private text agreed', 'gated text agreed')).toBe(true)
    expect(isHostedAs(undefined, 'public text only')).toBe(false)
    expect(isHostedAs(undefined, '')).toBe(true)
  })

  test('is offered where it tells models apart, those of unknown places among them', () => {
    expect(hostingChoices(['this machine', 'public text only'], '')).toEqual(['this machine'])
    expect(hostingChoices(['this machine', undefined], '')).toEqual(['this machine'])
    expect(hostingChoices(['this machine', 'gated text agreed', undefined], '')).toEqual([
      'this machine',
      'gated text agreed',
    ])
    expect(hostingChoices(['this machine', 'this machine'], '')).toEqual([])
    expect(hostingChoices([], '')).toEqual([])
  })

  test('stays on offer while it stands in the address, and no other text does', () => {
    expect(hostingChoices(['public text only'], 'private text agreed')).toEqual(['private text agreed'])
    expect(hostingChoices(['public text only'], 'the moon')).toEqual([])
  })
})
