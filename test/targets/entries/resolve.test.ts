import { describe, expect, it } from 'vitest'
import { Float, str } from '../../../benchmarks/python/numbers/number.ts'
import { ADAPTER_DEFAULTS } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { ModelDeployment, ModelMetadata } from '../../../models/deployment/model.ts'
import { createRegistry } from '../../../models/registry/registry.ts'
import { resolveEntries, type ResolveOptions } from '../../../targets/entries/resolve.ts'
import { runEntryOf } from '../../../targets/entries/run-entry.ts'
import { deploymentOf } from '../../rig/model-calls.ts'

const deployment = (name: string, modelName = name, deprecated = false): ModelDeployment =>
  deploymentOf('medmake.simple', {}, { name, modelName, deprecated })

const model = (name: string, tags: readonly string[]): ModelMetadata => ({
  name,
  displayName: name,
  description: '',
  creatorOrganization: 'x',
  access: 'open',
  tags,
})

const registry = createRegistry(
  [
    model('a/one', ['TEXT_MODEL_TAG']),
    model('a/buggy', ['BUGGY_TEMP_0_TAG']),
    model('a/claude', ['ANTHROPIC_CLAUDE_3_MODEL_TAG', 'TEXT_MODEL_TAG']),
  ],
  [
    deployment('old/one', 'a/one', true),
    deployment('host/one', 'a/one'),
    deployment('a/claude'),
    deployment('a/buggy'),
    deployment('host/big/two', 'big/two'),
  ],
)

/** A benchmark as the loader would give it; its arguments go into the name as HELM's functions put them. */
const benchmark = (name: string, args: ReadonlyMap<string, unknown>): Benchmark => ({
  name,
  runName:
    args.size === 0
      ? name
      : `${name}:${[...args].map(([key, value]) => `${key}=${str(value as string)}`).join(',')}`,
  displayName: name,
  description: '',
  access: 'public',
  scenario: {
    spec: { className: 'x', args: new Map() },
    name,
    description: '',
    tags: [],
    definitionPath: '',
  },
  adapter: { method: 'generation', ...ADAPTER_DEFAULTS, maxTrainInstances: 0, stopSequences: ['\n', 'END'] },
  metrics: [],
  groups: [name],
  mainMetric: { name: 'exact_match', split: 'test' },
  files: [],
  identity: () => Promise.resolve({}),
  instances: async function* () {},
})

const resolve = (descriptions: readonly string[], options: ResolveOptions = {}) =>
  resolveEntries(descriptions.map(runEntryOf), {
    registry,
    findBenchmark: (name, args) => Promise.resolve(benchmark(name, args)),
    options,
  })

const names = async (...descriptions: string[]): Promise<readonly string[]> =>
  (await resolve(descriptions)).map(({ name }) => name)

describe('run names', () => {
  it('hold the expanders in textual order, slashes as underscores', async () => {
    expect(
      await names('med_dialog:num_output_tokens=4000,subset=icliniq,model=a/one,model_deployment=host/one'),
    ).toEqual(['med_dialog:subset=icliniq,num_output_tokens=4000,model=a_one,model_deployment=host_one'])
    expect(await names('plain:model=a/one')).toEqual(['plain:model=a_one'])
  })

  it('end with the sorted groups of the entry while the spec keeps their order', async () => {
    const [spec] = await resolveEntries([{ ...runEntryOf('b:model=a/one'), groups: ['zeta', 'alpha'] }], {
      registry,
      findBenchmark: (name, args) => Promise.resolve(benchmark(name, args)),
      options: {},
    })
    expect(spec).toMatchObject({ name: 'b:model=a_one,groups=alpha-zeta', groups: ['b', 'zeta', 'alpha'] })
  })

  it('are no path where an entry’s group has slashes', async () => {
    const [spec] = await resolveEntries([{ ...runEntryOf('b:model=a/one'), groups: ['../z', 'a/b'] }], {
      registry,
      findBenchmark: (name, args) => Promise.resolve(benchmark(name, args)),
      options: {},
    })
    expect(spec).toMatchObject({ name: 'b:model=a_one,groups=.._z-a_b', groups: ['b', '../z', 'a/b'] })
  })
})

describe('the model of an entry', () => {
  it('gets its last deployment that is not deprecated', async () => {
    const [spec] = await resolve(['b:model=a/one'])
    expect(spec?.adapter).toMatchObject({ model: 'a/one', modelDeployment: 'host/one' })
  })

  it('may be written as host/creator/model', async () => {
    const [spec] = await resolve(['b:model=host/big/two'])
    expect(spec).toMatchObject({
      name: 'b:model=big_two',
      adapter: { model: 'big/two', modelDeployment: 'host/big/two' },
    })
  })

  it('may be left to --models-to-run, which also fills in groups of models', async () => {
    const specs = await resolve(['b', 'c:model=text'], { modelsToRun: ['a/one', 'a/claude'] })
    expect(specs.map(({ name }) => name)).toEqual([
      'b:model=a_one',
      'b:model=a_claude',
      'c:model=a_one',
      'c:model=a_claude',
    ])
  })

  it('of a deployment in --models-to-run stands alone in the name where the deployment’s ends with it, as in HELM', async () => {
    const specs = await resolve(['b'], { modelsToRun: ['host/big/two', 'old/one'] })
    expect(specs.map(({ name, adapter }) => [name, adapter.modelDeployment])).toEqual([
      ['b:model=big_two', 'host/big/two'],
      ['b:model=a_one,model_deployment=old_one', 'old/one'],
    ])
  })

  it('loses stop sequences of white space where its tag says so', async () => {
    const [claude, other] = await resolve(['b:model=a/claude', 'b:model=a/one'])
    expect(claude?.adapter.stopSequences).toEqual(['END'])
    expect(other?.adapter.stopSequences).toEqual(['\n', 'END'])
  })

  it.each([
    ['b', 'targets/no-model'],
    ['b:model=all', 'targets/no-model'],
    ['b:model=a/on', 'models/unknown'],
    ['b:model=a/claude,model_deployment=host/one', 'targets/model-mismatch'],
    ['b:model=a/one,max_eval_instances=few', 'targets/expander-value'],
  ])('%s is a problem with code %s', async (description, code) => {
    await expect(resolve([description])).rejects.toMatchObject({ problems: [{ code }] })
  })

  it('problems of all entries come together', async () => {
    await expect(resolve(['b', 'b:model=x/y'])).rejects.toSatisfy(
      (error) => error instanceof ProblemError && error.problems.length === 2,
    )
  })
})

describe('flags', () => {
  it('fill in a maximum only where the entry sets none, and force one trial without examples', async () => {
    const specs = await resolve(['b:model=a/one', 'b:max_eval_instances=7,model=a/one'], {
      maxEvalInstances: 100,
      numTrainTrials: 3,
    })
    expect(specs.map(({ adapter }) => [adapter.maxEvalInstances, adapter.numTrainTrials])).toEqual([
      [100, 1],
      [7, 1],
    ])
  })

  it.each([
    [{}, [1, 3]],
    [{ numTrainTrials: 2 }, [1, 2]],
  ])('leave the trials of an entry alone unless they name some: %j', async (options, trials) => {
    const specs = await resolve(
      [0, 5].map((examples) => `b:max_train_instances=${examples},num_train_trials=3,model=a/one`),
      options,
    )
    expect(specs.map(({ adapter }) => adapter.numTrainTrials)).toEqual(trials)
  })

  it('drop entries by priority, model and group', async () => {
    const entries = [{ ...runEntryOf('b:model=a/one'), priority: 2 }, runEntryOf('c:model=a/claude')]
    const kept = async (options: ResolveOptions): Promise<readonly string[]> => {
      const specs = await resolveEntries(entries, {
        registry,
        findBenchmark: (name, args) => Promise.resolve(benchmark(name, args)),
        options,
      })
      return specs.map(({ name }) => name)
    }
    expect(await kept({ priority: 1 })).toEqual(['c:model=a_claude'])
    expect(await kept({ modelsToRun: ['host/one'] })).toEqual(['b:model=a_one'])
    expect(await kept({ groupsToRun: ['c'] })).toEqual(['c:model=a_claude'])
  })
})

describe('expanders', () => {
  it.each([
    ['num_outputs=3', 'b:num_outputs=3,model=a_one', { numOutputs: 3 }],
    ['max_train_instances=zero', 'b:max_train_instances=0,model=a_one', { maxTrainInstances: 0 }],
    ['temperature=0.5', 'b:model=a_one', { temperature: new Float(0.5) }],
    ['temperature=0', 'b:model=a_one', { temperature: 0 }],
    ['stop=hash', 'b,stop=hash:model=a_one', { stopSequences: ['###'], instancePrefix: '###\n\n' }],
    ['add_to_stop=newline', 'b:model=a_one', { stopSequences: ['\n', 'END', '\n'] }],
    ['instructions=none', 'b,instructions=none:model=a_one', { instructions: '' }],
    ['eval_split=valid', 'b:eval_split=valid,model=a_one', { evalSplits: ['valid'] }],
    ['increase_max_tokens=5', 'b:model=a_one', { maxTokens: 105 }],
  ])('%s', async (text, name, adapter) => {
    const [spec] = await resolve([`b:${text},model=a/one`])
    expect(spec).toMatchObject({ name, adapter })
  })
})

describe('a benchmark that nobody knows', () => {
  const failing = (...codes: readonly string[]) => {
    const told: string[] = []
    const problems = codes.map((code) => ({ code, message: code, remedy: 'Do.' }))
    const specs = resolveEntries(['bad:model=a/one', 'bad:model=a/one', 'good:model=a/one'].map(runEntryOf), {
      registry,
      findBenchmark: async (name, args) => {
        if (name === 'bad') throw new ProblemError(problems)
        return benchmark(name, args)
      },
      options: { onUnknown: (_, entry) => void told.push(entry.description) },
    })
    return specs.then(
      (found) => ({ found: found.map(({ name }) => name), told }),
      (error: unknown) => ({ codes: (error as ProblemError).problems.map(({ code }) => code), told }),
    )
  }

  it.each([
    'benchmarks/unknown',
    'benchmarks/not-runnable',
    'benchmarks/scenario-code',
    'benchmarks/code-unwatched',
    'metrics/code',
    'metrics/code-changed',
    'metrics/no-package',
    'annotators/code',
    'code/two-files',
  ])('is told and left out: %s', async (code) => {
    expect(await failing(code)).toEqual({
      found: ['good:model=a_one'],
      told: ['bad:model=a/one', 'bad:model=a/one'],
    })
  })

  it('ends all where something else is wrong with it, too; each problem is told once', async () => {
    expect(await failing('benchmarks/unknown', 'data/missing')).toEqual({
      codes: ['benchmarks/unknown', 'data/missing'],
      told: [],
    })
  })
})

it('a temperature of 0 becomes a ten-thousandth where the model’s tag says that it fails at 0', async () => {
  const temperatures = async (...descriptions: string[]) =>
    (await resolve(descriptions)).map(({ adapter }) => str(adapter.temperature))
  expect(
    await temperatures(
      'b:temperature=0,model=a/buggy',
      'b:temperature=0.5,model=a/buggy',
      'b:temperature=0,model=a/one',
    ),
  ).toEqual(['0.0001', '0.5', '0'])
})

it('every slash of a name becomes an underscore', async () => {
  expect(await names('b:file=x/y/z,model=a/one')).toEqual(['b:file=x_y_z,model=a_one'])
})

it('a run is wanted where any of its groups is', async () => {
  const entries = [{ ...runEntryOf('b:model=a/one'), groups: ['more'] }, runEntryOf('c:model=a/one')]
  const found = async (groupsToRun: readonly string[]) =>
    (
      await resolveEntries(entries, {
        registry,
        findBenchmark: async (name, args) => ({ ...benchmark(name, args), groups: [name, 'all'] }),
        options: { groupsToRun },
      })
    ).map(({ name }) => name.slice(0, 1))
  expect([await found(['all']), await found(['b']), await found(['c', 'x']), await found(['x'])]).toEqual([
    ['b', 'c'],
    ['b'],
    ['c'],
    [],
  ])
})
