import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../cache/package-root.ts'
import { catalogRegistry, loadRegistry } from '../../models/registry/load.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import { callsOf } from '../../models/clients/chat/server-of.ts'
import { problemOf } from '../rig/problem-of.ts'
import { createWorkspace, type Files } from '../rig/workspace.ts'

const deployment = (name: string, url: string): string =>
  `  - {name: ${name}, client_spec: {class_name: medmake.chat, args: {base_url: "${url}", model: x}}}\n`
const list = (...deployments: readonly string[]): string => `model_deployments:\n${deployments.join('')}`
const load = (files: Files): ReturnType<typeof loadRegistry> => {
  const workspace = createWorkspace(files)
  return loadRegistry({
    catalog: join(packageRoot(), 'models/catalog'),
    workspace,
    localPath: join(workspace, 'prod_env'),
  })
}
const [ONE, OTHER] = [deployment('a/x', 'http://127.0.0.1:1/v1'), deployment('a/x', 'http://127.0.0.1:2/v1')]

it.each([
  ['one file', { 'models/a.yaml': list(ONE, OTHER) }, 'models/a.yaml:2'],
  ['two files', { 'models/a.yaml': list(ONE), 'models/b.yaml': list(OTHER) }, 'models/a.yaml:2'],
  ["HELM's file", { 'prod_env/model_deployments.yaml': list(ONE, OTHER) }, 'model_deployments.yaml:2'],
])('a deployment that is declared in two ways in %s is refused with both places', async (_, files, first) => {
  const problem = await problemOf(() => load(files))
  expect(problem).toMatchObject({ code: 'models/deployment-twice' })
  expect(problem?.message).toContain(`a/x is declared twice, first at `)
  expect(problem?.message).toContain(first)
})

it('one that is declared twice alike is taken, and prod_env leads it elsewhere', async () => {
  const registry = await load({
    'models/a.yaml': list(ONE, ONE),
    'prod_env/model_deployments.yaml': list(OTHER),
  })
  expect(registry.deployment('a/x')?.client.args['base_url']).toBe('http://127.0.0.1:2/v1')
})

it('a deployment has the limits that are declared with it, and no others', async () => {
  const limitsOf = async (limits: string) =>
    (await load({ 'models/a.yaml': list(ONE.replace('{', `{limits: {${limits}}, `)) })).deployment('a/x')
      ?.limits
  expect(await limitsOf('concurrency: 3')).toEqual({ concurrency: 3 })
  expect(await limitsOf('requests_per_minute: 4, tokens_per_minute: 5000, per_machine: false')).toEqual({
    requestsPerMinute: 4,
    tokensPerMinute: 5000,
    perMachine: false,
  })
  expect(await limitsOf('')).toEqual({})
})

it("HELM's files are read as HELM reads them, in YAML 1.1", async () => {
  const registry = await load({
    'prod_env/model_deployments.yaml': list(
      ONE.replace('{', '{model_name: a/12e7, max_sequence_length: 131_072, deprecated: no, '),
    ),
    'prod_env/model_metadata.yaml':
      'models: [{name: a/12e7, display_name: X, description: x, creator_organization_name: A, access: open, release_date: 2026-01-31, num_parameters: 7_000, tags: []}]\n',
  })
  expect(registry.deployment('a/x')).toMatchObject({ maxSequenceLength: 131_072, deprecated: false })
  expect(registry.model('a/12e7')).toMatchObject({ releaseDate: '2026-01-31', numParameters: 7000 })
})

it.each([
  ['default_window_service.DefaultWindowService', undefined],
  ['no_decoding_window_service.NoDecodingWindowService', undefined],
  ['encoder_decoder_window_service.EncoderDecoderWindowService', expect.stringContaining('.Encoder')],
])('of a deployment whose prompts %s cuts that is kept where it is not ours: %s', async (name, kept) => {
  const spec = `window_service_spec: {class_name: helm.benchmark.window_services.${name}}`
  const file = list(ONE.replace('{', `{${spec}, `))
  const deployment = (await load({ 'prod_env/model_deployments.yaml': file })).deployment('a/x')
  expect(deployment?.windowService).toEqual(kept)
})

it('a part of a deployment that can not be used is told with its line', async () => {
  const url = 'http://127.0.0.1:1/v1", modell: "x'
  const registry = await load({ 'models/a.yaml': list(ONE, deployment('b/y', url)) })
  const found = registry.deployment('b/y')
  const { where } = (await problemOf(() => Promise.resolve(found && callsOf(found)))) ?? {}
  expect(where).toMatchObject({ file: 'models/a.yaml', line: 3, field: 'client_spec.args.modell' })
})

it('later files win in the order of their names, and a model that no file describes is shown by its name', async () => {
  const priced = (input: number): string =>
    `prices:\n  - {deployment: a/x, input: ${input}, output: 1, date: '2026-01-01', source: s}\n`
  const registry = await load({
    'models/b.yaml': priced(2),
    'models/a.yaml': priced(1) + list(ONE),
    'models/c.yml': priced(3),
    'models/notes.txt': 'prices: none',
  })
  expect(registry.prices.get('a/x')?.input).toBe(3)
  expect(registry.model('a/x')).toMatchObject({ displayName: 'a/x', creatorOrganization: 'Unknown' })
})

it('a file that is there and can’t be read is an error', async () => {
  await expect(load({ 'prod_env/model_metadata.yaml/file': '' })).rejects.toMatchObject({ code: 'EISDIR' })
})

it('an agreement counts in reviewed files, not in those of one machine', async () => {
  const own = ONE.replace('name: a/x', 'name: a/x, data_agreement: private')
  const agreement = async (file: string) => (await load({ [file]: list(own) })).deployment('a/x')?.agreement
  expect(await agreement('models/a.yaml')).toMatchObject({ level: 'private' })
  await expect(agreement('prod_env/model_deployments.yaml')).rejects.toMatchObject({
    problems: [{ code: 'models/unknown-key' }],
  })
})

it('a model is asked at the last of its deployments that is not deprecated, else at the last', async () => {
  const of = (name: string, more: string): string =>
    `  - {name: ${name}, model_name: m/x${more}, client_spec: {class_name: medmake.chat, args: {model: x}}}\n`
  const OLD = ', deprecated: true'
  const at = async (...deployments: readonly string[]) =>
    (await load({ 'models/a.yaml': list(...deployments) })).defaultDeployment('m/x')?.name
  expect(await at(of('a/1', ''), of('a/2', ''), of('a/3', OLD))).toBe('a/2')
  expect(await at(of('a/1', OLD), of('a/2', OLD))).toBe('a/2')
})

it('the models of MedHELM stand in the order of HELM’s registry, which is that of the rows of its tables', async () => {
  const { models } = await catalogRegistry()
  const names = models.map(({ name }) => name).filter((name) => !/^(?:baseline|simple)\//.test(name))
  expect(names).toEqual([
    'anthropic/claude-3-5-sonnet-20241022',
    'anthropic/claude-3-7-sonnet-20250219',
    'deepseek-ai/deepseek-r1',
    'google/gemini-1.5-pro-001',
    'google/gemini-2.0-flash-001',
    'google/gemini-2.5-pro-preview-05-06',
    'meta/llama-3.3-70b-instruct',
    'openai/gpt-4o-2024-05-13',
    'openai/gpt-4o-mini-2024-07-18',
    'openai/gpt-4.1-2025-04-14',
    'openai/gpt-5-2025-08-07',
    'openai/gpt-5-mini-2025-08-07',
    'openai/o3-mini-2025-01-31',
    'openai/o4-mini-2025-04-16',
    'qwen/qwen2.5-7b-instruct',
  ])
})

it('two files of one client spoil only the deployments that name it', async () => {
  const own = (name: string): string =>
    `  - {name: own/${name}, client_spec: {class_name: workspace.clients.${name}, args: {base_url: "http://127.0.0.1:1"}}}\n`
  const code = 'export const client = {}\n'
  const registry = await load({
    'models/a.yaml': list(own('x'), own('y')),
    'models/clients/x.ts': code,
    'models/clients/x.js': code,
    'models/clients/y.ts': code,
  })
  const identity = (name: string) => registry.deployments.filter((each) => each.name === name).map(identityOf)
  expect(await problemOf(() => identity('own/x'))).toMatchObject({ code: 'code/two-files' })
  expect(identity('own/y')).toMatchObject([{ protocol: 'code' }])
})
