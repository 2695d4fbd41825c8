import { describe, expect, it } from 'vitest'
import { ADAPTER_DEFAULTS, type AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { Benchmark, Jury } from '../../../benchmarks/scenario/benchmark.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { ADAPTER_FIELDS, DEPLOYMENT_FIELDS, JURY_FIELDS, type KeyPart } from './field-parts.ts'
import { declarationKey } from '../../../targets/keys/keys.ts'
import type { Target } from '../../../targets/record/target.ts'
import { deploymentOf } from '../../rig/model-calls.ts'

const PARTS: readonly KeyPart[] = ['sampling', 'prompts', 'completions', 'annotations', 'metrics']

const jury: Jury = {
  annotator: 'answers',
  template: 'Judge {RESPONSE}',
  criteria: new Map([['accuracy', ['score']]]),
  scale: { least: 1, most: 5 },
  judges: [],
}

const adapter: AdapterSpec = { ...ADAPTER_DEFAULTS, method: 'generation', model: 'm', modelDeployment: 'd/m' }

const deployment = deploymentOf(
  'medmake.chat',
  { base_url: 'http://127.0.0.1:1/v1' },
  { name: 'd/m', modelName: 'd/m', tokenizerName: 'openai/cl100k_base', maxSequenceLength: 1000 },
)

const targetOf = (
  changed: {
    readonly adapter?: Partial<AdapterSpec>
    readonly deployment?: Partial<ModelDeployment>
    readonly jury?: Partial<Jury>
  } = {},
): Target => {
  const judged = { ...jury, ...changed.jury }
  const asked = { ...deployment, ...changed.deployment }
  return {
    spec: {
      name: 'answers:model=m',
      benchmark: { jury: judged, access: 'public' } as unknown as Benchmark,
      adapter: { ...adapter, ...changed.adapter },
      metrics: [
        {
          metric: 'basic_generation',
          helm: { className: 'BasicGenerationMetric', args: new Map([['names', ['exact_match']]]) },
        },
      ],
      groups: [],
    },
    deployment: asked,
    judges: judged.judges.map((judge) => ({ judge, deployment })),
  }
}

/** Parts of the key that are otherwise than without the change. */
const alteredBy = (changed: Parameters<typeof targetOf>[0]): readonly KeyPart[] => {
  const [before, after] = [targetOf(), targetOf(changed)].map((target) =>
    declarationKey(target, 'helm-0.5.16'),
  )
  const { annotations: _, metrics: __, ...rest } = before ?? { annotations: null, metrics: null }
  const others = Object.keys(rest).filter((name) => !PARTS.includes(name as KeyPart))
  for (const name of others) expect(after?.[name]).toEqual(before?.[name])
  return PARTS.filter((part) => JSON.stringify(before?.[part]) !== JSON.stringify(after?.[part]))
}

describe('a change to one field of an adapter alters just the parts of the key that it is said to', () => {
  it.each(Object.entries(ADAPTER_FIELDS))('%s', async (field, [value, parts]) => {
    expect(alteredBy({ adapter: { [field]: value } })).toEqual(parts)
  })
})

describe('so does a change to one field of a deployment', () => {
  const fields = Object.entries(DEPLOYMENT_FIELDS).filter(([, [value]]) => value !== undefined)
  it.each(fields)('%s', async (field, [value, parts]) => {
    expect(alteredBy({ deployment: { [field]: value } })).toEqual(parts)
  })

  it('leads the same model string elsewhere without a trace in the key', async () => {
    const args = { base_url: 'https://example.org/v1', api_key: 'secret' }
    expect(alteredBy({ deployment: { client: { className: 'medmake.chat', args } } })).toEqual([])
  })

  it('knows code of the workspace by its digest', async () => {
    const client = { className: 'workspace.clients.own', args: { base_url: 'https://example.org' } }
    const keyOf = (digest: string) => {
      const code = { file: 'own.ts', digest: digest as Digest<'code'> }
      return declarationKey(targetOf({ deployment: { client, code } }), 'helm-0.5.16')
    }
    expect(keyOf('a')['completions']).not.toEqual(keyOf('b')['completions'])
  })
})

describe('so does a change to one field of a jury', () => {
  it.each(Object.entries(JURY_FIELDS))('%s', async (field, [value, parts]) => {
    expect(alteredBy({ jury: { [field]: value } })).toEqual(parts)
  })
})
