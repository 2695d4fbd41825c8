import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import type { ModelDeployment, ModelMetadata } from '../../../models/deployment/model.ts'
import { createRegistry } from '../../../models/registry/registry.ts'
import { resolveEntries } from '../../../targets/entries/resolve.ts'
import { runEntryOf } from '../../../targets/entries/run-entry.ts'
import { helmRunSpec, runSpecForm } from '../../../tools/helm/forms/run-spec.ts'
import { jsonChunks } from '../../../tools/helm/write/staged-file.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { deploymentOf } from '../../rig/model-calls.ts'

/** Tag, entry, name of the run, and the head of the SHA-256 of the run_spec.json that crfm-helm 0.5.16 makes of it. */
const EXPECTED = [
  ['NO_NEWLINES_TAG', 'pubmed_qa', 'pubmed_qa:model=tag_NO_NEWLINES_TAG,stop=hash', '87359ba653756060'],
  [
    'NO_NEWLINES_TAG',
    'medication_qa:instructions=none',
    'medication_qa,instructions=none:model=tag_NO_NEWLINES_TAG,stop=hash',
    'dae7b8cc62f22ff1',
  ],
  ['NLG_PREFIX_TAG', 'pubmed_qa', 'pubmed_qa:model=tag_NLG_PREFIX_TAG,global_prefix=nlg', '7d14e8c34cdb9d6d'],
  [
    'NLG_PREFIX_TAG',
    'medication_qa:instructions=none',
    'medication_qa,instructions=none:model=tag_NLG_PREFIX_TAG,global_prefix=nlg',
    '0840c91e7e31a76b',
  ],
  ['CHATML_MODEL_TAG', 'pubmed_qa', 'pubmed_qa:model=tag_CHATML_MODEL_TAG', '57bd4d2e6fb2a12a'],
  [
    'CHATML_MODEL_TAG',
    'medication_qa:instructions=none',
    'medication_qa,instructions=none:model=tag_CHATML_MODEL_TAG',
    'f33c89aa1b767105',
  ],
  [
    'ANTHROPIC_CLAUDE_1_MODEL_TAG',
    'pubmed_qa',
    'pubmed_qa:model=tag_ANTHROPIC_CLAUDE_1_MODEL_TAG',
    '77795b0cb2d9a760',
  ],
  [
    'ANTHROPIC_CLAUDE_1_MODEL_TAG',
    'medication_qa:instructions=none',
    'medication_qa,instructions=none:model=tag_ANTHROPIC_CLAUDE_1_MODEL_TAG',
    'ef151a8936103f46',
  ],
  [
    'ANTHROPIC_CLAUDE_2_MODEL_TAG',
    'pubmed_qa',
    'pubmed_qa:model=tag_ANTHROPIC_CLAUDE_2_MODEL_TAG',
    '454372fe0484410f',
  ],
  [
    'ANTHROPIC_CLAUDE_2_MODEL_TAG',
    'medication_qa:instructions=none',
    'medication_qa,instructions=none:model=tag_ANTHROPIC_CLAUDE_2_MODEL_TAG',
    '000acbe99806e73b',
  ],
  [
    'ANTHROPIC_CLAUDE_3_MODEL_TAG',
    'pubmed_qa',
    'pubmed_qa:model=tag_ANTHROPIC_CLAUDE_3_MODEL_TAG',
    'f635c9e41135f08d',
  ],
  [
    'ANTHROPIC_CLAUDE_3_MODEL_TAG',
    'medication_qa:instructions=none',
    'medication_qa,instructions=none:model=tag_ANTHROPIC_CLAUDE_3_MODEL_TAG',
    'f794fa63992ddcbf',
  ],
  ['BUGGY_TEMP_0_TAG', 'pubmed_qa', 'pubmed_qa:model=tag_BUGGY_TEMP_0_TAG', '00f423cc0f36d0e1'],
  [
    'BUGGY_TEMP_0_TAG',
    'medication_qa:instructions=none',
    'medication_qa,instructions=none:model=tag_BUGGY_TEMP_0_TAG',
    'c259c5feba2db060',
  ],
] as const

const context = benchmarkContext()

const tagged = (tag: string): { readonly model: ModelMetadata; readonly deployment: ModelDeployment } => {
  const name = `tag/${tag}`
  return {
    model: { name, displayName: 'x', description: '', creatorOrganization: 'x', access: 'open', tags: [tag] },
    deployment: deploymentOf('x', {}, { name, modelName: name, tokenizerName: name }),
  }
}

it.each(EXPECTED)('A model tagged %s is asked %s as HELM asks it.', async (tag, entry, name, digest) => {
  const { model, deployment } = tagged(tag)
  const [spec] = await resolveEntries(
    [runEntryOf(`${entry}${entry.includes(':') ? ',' : ':'}model=${model.name}`)],
    {
      registry: createRegistry([model], [deployment]),
      findBenchmark: (benchmark, args, where) => findBenchmark(benchmark, args, context, where),
      options: {},
    },
  )
  if (spec === undefined) throw new Error('no run came of it')
  const text = [...jsonChunks(runSpecForm.write(helmRunSpec(spec)))].join('')
  expect([spec.name, createHash('sha256').update(text).digest('hex').slice(0, 16)]).toEqual([name, digest])
})
