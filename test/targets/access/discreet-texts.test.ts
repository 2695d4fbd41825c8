import { describe, expect, test } from 'vitest'
import { ADAPTER_DEFAULTS, type AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { Target } from '../../../targets/record/target.ts'
import { shownAdapter, withoutTexts } from '../../../targets/access/discreet-texts.ts'
import { declarationKey } from '../../../targets/keys/keys.ts'
import { discreetDifferences } from '../../../targets/scheduler/explain.ts'
import { discreetSpec, shownKey } from '../../../tools/release/discreet-run.ts'
import { canary, foundIn } from '../../rig/canary.ts'
import type { ModelIndex } from '../../../targets/tables/models.ts'
import { rowLabels } from '../../../targets/tables/group-table.ts'
import { madeUpTarget } from '../../rig/made-up-run.ts'

/** A canary in every field that can hold words. */
const WORDS = {
  globalPrefix: canary(1),
  globalSuffix: canary(2),
  instructions: canary(3),
  inputPrefix: canary(4),
  inputSuffix: canary(5),
  referencePrefix: canary(6),
  referencePrefixCharacters: canary(7),
  referenceSuffix: canary(8),
  chainOfThoughtPrefix: canary(9),
  chainOfThoughtSuffix: canary(10),
  outputPrefix: canary(11),
  outputSuffix: canary(12),
  instancePrefix: canary(13),
  substitutions: [{ source: canary(14), target: canary(15) }],
  stopSequences: ['', canary(16)],
  outputMappingPattern: canary(17),
} satisfies Partial<AdapterSpec>

const ADAPTER: AdapterSpec = {
  ...ADAPTER_DEFAULTS,
  method: 'generation',
  model: 'm/a',
  modelDeployment: 'm/a',
  ...WORDS,
}

describe('The words of an adapter', () => {
  test.each(['gated', 'private'] as const)(
    'are withheld where a benchmark is %s; the rest stays.',
    (access) => {
      const shown = shownAdapter(ADAPTER, { access })
      expect(foundIn(JSON.stringify(shown))).toEqual([])
      expect(Object.keys(shown)).toEqual(Object.keys(ADAPTER))
      expect(shown).toMatchObject({ method: 'generation', model: 'm/a', maxTokens: 100, temperature: 1 })
      expect(shown.stopSequences).toEqual(['', expect.stringMatching(/^\[\d+ characters withheld/)])
      // A page made of a release's file tells the same as one made of the run.
      expect(shownAdapter(shown, { access })).toEqual(shown)
    },
  )

  test('stay where they are digests, and digests with a word before or after them are words.', () => {
    const digest = 'a0'.repeat(32)
    const shown = (instructions: string): unknown => withoutTexts({ adapter: { instructions } })
    expect(shown(digest)).toEqual({ adapter: { instructions: digest } })
    for (const words of [`${canary(18)} ${digest}`, `${digest} ${canary(19)}`, digest.slice(1), `${digest}0`])
      expect(shown(words)).toEqual({
        adapter: { instructions: expect.stringMatching(/^\[\d+ characters withheld/) as string },
      })
  })

  test.each(['public', 'local'] as const)('are shown where a benchmark is %s.', (access) => {
    expect(shownAdapter(ADAPTER, { access })).toBe(ADAPTER)
  })
})

describe('A release of a run whose texts it withholds', () => {
  const target = madeUpTarget({
    instances: [],
    access: 'gated',
    adapter: { ...WORDS, method: 'multiple_choice_joint' },
    benchmark: {
      scenario: {
        spec: {
          className: 'Letters',
          args: new Map<string, PyValue>([
            ['ward', canary(20)],
            ['subset', 3],
            ['wards', [canary(21)]],
          ]),
        },
        name: 'letters',
        description: '',
        tags: [],
        definitionPath: '',
      },
    },
  })
  const [metric] = target.spec.metrics
  if (metric === undefined) throw new RangeError('the made-up target has a metric')
  const kept = new Map<string, PyValue>([
    ['args', new Map<string, PyValue>([['words', new Map([['stop', canary(23)]])]])],
    ['pattern', canary(24)],
    ['measures', [new Map([['name', 'kept']])]],
    ['default_score', 1],
  ])
  const told: Target = {
    ...target,
    spec: {
      ...target.spec,
      metrics: [{ ...metric, helm: { className: 'workspace.metrics.kept', args: kept } }],
      annotators: [
        {
          className: 'workspace.annotators.tone',
          args: new Map([['args', new Map([['words', [canary(22)]]])]]),
        },
      ],
    },
  }
  const instances = {
    benchmark: 'letters',
    arguments: { ward: canary(20) },
    errata: ['E1'],
    data: 'f'.repeat(64),
  }
  const key = { instances, ...declarationKey(target, 'helm-0.5.16') }

  test('has neither words nor arguments in its run spec.', () => {
    const { name, scenarioSpec, adapterSpec, metricSpecs, annotators } = discreetSpec(told)
    const written = [...metricSpecs, ...(annotators ?? []), scenarioSpec].map(({ args }) => dumps(args))
    expect(foundIn(JSON.stringify([written, adapterSpec]))).toEqual([])
    expect(written[0]).toContain('"words": {"stop": "[26 characters withheld]"}')
    expect(written[0]).toContain('"measures": [{"name": "kept"}], "default_score": 1}')
    expect(written[1]).toContain('"words": ["[26 characters withheld]"]')
    expect([name, scenarioSpec.className, scenarioSpec.args.get('subset')]).toEqual([
      target.spec.name,
      'Letters',
      3,
    ])
  })

  test('has none in its key; what else decides its results stays.', () => {
    expect(foundIn(JSON.stringify(key)).length).toBeGreaterThan(10)
    const shown = shownKey(key, false)
    expect(foundIn(JSON.stringify(shown))).toEqual([])
    expect(shown).toMatchObject({
      instances: { benchmark: 'letters', errata: ['E1'], data: 'f'.repeat(64) },
      prompts: { stage: 'prompts', adapter: { method: 'multiple_choice_joint' } },
      completions: { maxTokens: 5 },
    })
    expect(shownKey(key, true)).toBe(key)
  })
})

test('Tables that tell a model’s rows apart by their instructions withhold those of restricted runs.', () => {
  const rows = (isRestricted: boolean) =>
    [canary(1), canary(2)].map((instructions) => ({
      adapter: { ...ADAPTER, instructions: `${instructions}, answer with one word.` },
      runs: isRestricted ? [{ isRestricted: true as const }] : [{}],
    }))
  const models: ModelIndex = {
    models: [],
    byName: new Map(),
    modelOfDeployment: new Map(),
    place: new Map(),
  }
  const labels = rowLabels(rows(true), models)
  expect(foundIn(labels.join())).toEqual([])
  expect(new Set(labels).size).toBe(2)
  expect(labels[0]).toMatch(/^m\/a \[instructions: \[\d+ characters withheld, sha256 \w+\]\]$/)
  expect(foundIn(rowLabels(rows(false), models).join())).toHaveLength(2)
})

test('Explanations withhold the same words, wherever in a key they stand.', () => {
  const changes = [
    { path: 'prompts.adapter.instructions', before: 'a', after: canary(3) },
    { path: 'completions.stopSequences[1]', after: canary(16) },
    { path: 'completions.stopSequences', before: ['.'], after: [canary(16), '.'] },
    { path: 'metrics[0].adapter.outputMappingPattern', after: canary(17) },
    { path: 'metrics[0]', after: { adapter: { outputMappingPattern: canary(17) } } },
    { path: 'instances.arguments.ward', after: canary(20) },
  ]
  expect(foundIn(JSON.stringify(discreetDifferences(changes, 'private')))).toEqual([])
  expect(discreetDifferences(changes, 'public')).toBe(changes)
  const limit = [{ path: 'completions.modelString', before: 'm/a', after: 'm/b' }]
  expect(discreetDifferences(limit, 'private')).toEqual(limit)
  expect(withoutTexts({ stopSequences: ['warfarin'], temperature: 0 })).toEqual({
    stopSequences: ['[8 characters withheld]'],
    temperature: 0,
  })
})
