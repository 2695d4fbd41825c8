import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { identityOf } from '../../../models/clients/create-client.ts'
import { fromLocalIdentity, localIdentity } from '../../../models/local/identity.ts'
import { localSettings } from '../../../models/local/settings.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { deploymentOf } from '../../rig/model-calls.ts'

const HELM = 'helm.clients.huggingface_client.HuggingFaceClient'

const deployment = (
  className: string,
  args: Readonly<Record<string, unknown>>,
  digest?: string,
): ModelDeployment =>
  deploymentOf(className, args, {
    name: 'huggingface/qwen2.5-7b-instruct',
    modelName: 'qwen/qwen2.5-7b-instruct',
    ...(digest === undefined ? {} : { weights: { digest, files: { folder: '', model: '', all: [] } } }),
  })

describe('an identity', () => {
  test('is the weights and what alters answers, not where they lie or what they run on', () => {
    const here = identityOf(
      deployment('medmake.local', { model: './a/tiny', threads: 2, max_batch: 4 }, 'd1'),
    )
    const there = identityOf(deployment('medmake.local', { model: '/data/tiny', device: 'cpu' }, 'd1'))
    expect(there).toEqual(here)
    expect(here).toMatchObject({ modelString: 'tiny', protocol: 'local', local: { weights: 'd1' } })
    expect(identityOf(deployment('medmake.local', { model: './a/tiny' }, 'd2'))).not.toEqual(here)
    expect(
      identityOf(deployment('medmake.local', { model: './a/tiny', apply_chat_template: false }, 'd1')),
    ).not.toEqual(here)
  })

  test('names repository and revision, HELM’s from the model where nothing else does', () => {
    const name = (className: string, args: Readonly<Record<string, unknown>>) =>
      identityOf(deployment(className, args)).modelString
    expect(name(HELM, { pretrained_model_name_or_path: 'Qwen/Qwen2.5-7B-Instruct' })).toBe(
      'Qwen/Qwen2.5-7B-Instruct@main',
    )
    expect(name(HELM, {})).toBe('qwen/qwen2.5-7b-instruct@main')
    expect(name('medmake.local', { model: 'org/name@v1' })).toBe('org/name@v1')
    expect(name('medmake.local', { model: 'org/name', revision: 'abc' })).toBe('org/name@abc')
  })

  test('gives a deployment back that has the same identity', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Readonly<Record<string, unknown>>>(
          { model: './a/b/tiny' },
          { model: 'org/name', revision: 'v2', logprobs: true },
          { model: 'org/name', apply_chat_template: true },
        ),
        fc.boolean(),
        fc.option(fc.constant('digest'), { nil: undefined }),
        ({ model, logprobs, ...args }, asHelm, digest) => {
          const original = asHelm
            ? deployment(HELM, { ...args, pretrained_model_name_or_path: model }, digest)
            : deployment(
                'medmake.local',
                { ...args, model, ...(logprobs === undefined ? {} : { logprobs }) },
                digest,
              )
          const { modelString, local } = localIdentity(original)
          const again: ModelDeployment = {
            ...deployment('', {}),
            ...fromLocalIdentity(modelString, local),
          }
          expect(localIdentity(again)).toEqual(localIdentity(original))
        },
      ),
    )
  })
})

describe('arguments', () => {
  test('HELM’s are taken: its devices, and those that an ONNX file settles', () => {
    const settings = (args: Readonly<Record<string, unknown>>) => localSettings(deployment(HELM, args))
    expect(settings({ device_map: 'auto', torch_dtype: 'torch.bfloat16' }).device).toBe('auto')
    expect(settings({ device: 'cuda:0' }).device).toBe('cuda')
    expect(settings({ device: 'cpu' })).toMatchObject({
      device: 'cpu',
      asHelm: true,
      logprobs: 'drawn',
      maxBatch: 8,
    })
  })

  test('unknown and unusable ones are named with their place', async () => {
    const problem = (args: Readonly<Record<string, unknown>>) =>
      problemOf(() => localSettings(deployment('medmake.local', args)))
    expect(await problem({ model: 'a/b', thread: 2 })).toMatchObject({
      code: 'models/local-args',
      where: { file: 'models/acme.yaml', field: 'client_spec.args.thread' },
      remedy: expect.stringContaining('Did you mean "threads"?'),
    })
    expect((await problem({}))?.message).toContain('model of deployment huggingface/qwen2.5-7b-instruct')
    expect((await problem({ model: 'a/b', max_batch: 0 }))?.where?.field).toBe('client_spec.args.max_batch')
    expect((await problem({ model: 'a/b', file: 'model.gguf' }))?.message).toContain('.onnx')
  })
})
