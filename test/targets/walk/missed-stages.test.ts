import { beforeAll, describe, expect, test } from 'vitest'
import type { AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { Jury } from '../../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { loadTokenizer } from '../../../models/tokenizers/tokenizer.ts'
import type { Profile } from '../../../targets/profile.ts'
import type { Target } from '../../../targets/record/target.ts'
import { planTarget } from '../../../targets/scheduler/plan-target.ts'
import { nothingToDo } from '../../../targets/walk/modes/plan.ts'
import { buildTargets } from '../../rig/build-targets.ts'
import {
  askedText,
  madeUpInstances,
  madeUpRun,
  madeUpTarget,
  textReply,
  type MadeUpRun,
} from '../../rig/made-up-run.ts'

/** Two examples, of which a prompt shows one, and two instances that are asked. */
const INSTANCES: readonly Instance[] = madeUpInstances([
  ['Warfarin was stopped.', 'warfarin'],
  ['Digoxin was stopped.', 'digoxin'],
  ['Aspirin was stopped.', 'aspirin'],
  ['Heparin was stopped.', 'heparin'],
]).map((each, at) => (at < 2 ? { ...each, split: 'train' } : each))

interface Change {
  readonly instances?: readonly Instance[]
  readonly adapter?: Partial<AdapterSpec>
  readonly deployment?: Partial<ModelDeployment>
  readonly judge?: Partial<ModelDeployment>
  readonly jury?: Partial<Jury>
  readonly name?: string
  readonly profile?: Profile
}

const TOKENIZER = { tokenizerName: 'openai/cl100k_base' }

const targetOf = ({ instances = INSTANCES, adapter, jury, ...changed }: Change): Target => {
  const { spec, deployment, judges } = madeUpTarget({
    instances,
    judges: ['one', 'two'],
    adapter: { maxTrainInstances: 1, ...adapter },
  })
  const judged = spec.benchmark.jury
  if (judged === undefined) throw new Error('there is a jury')
  return {
    spec: {
      ...spec,
      name: changed.name ?? spec.name,
      benchmark: { ...spec.benchmark, jury: { ...judged, ...jury } },
    },
    deployment: { ...deployment, ...TOKENIZER, ...changed.deployment },
    judges: judges.map((each) => ({
      ...each,
      deployment: { ...each.deployment, ...TOKENIZER, ...changed.judge },
    })),
  }
}

/** Results of instances, prompts, completions, annotations and metrics that are to be made. */
type Missed = readonly [number, number, number, number, number]

const NONE: Missed = [0, 0, 0, 0, 0]
const ALL: Missed = [0, 2, 2, 4, 4]
const ASKED: Missed = [0, 0, 2, 4, 4]
/** Prompts made anew whose texts stay: the metrics that read a prompt's tokens. */
const COUNTED: Missed = [0, 2, 0, 0, 2]
/** A jury's own metric and what it reads. */
const JUDGED: Missed = [0, 0, 0, 4, 2]
const MEASURED: Missed = [0, 0, 0, 0, 4]

const built = async (profile: Profile): Promise<MadeUpRun> => {
  const run = await madeUpRun(
    (request) => textReply(askedText(request).startsWith('Of ') ? '{"accuracy": {"score": 4}}' : 'one two'),
    { more: { profile, tokenizer: loadTokenizer } },
  )
  await buildTargets([targetOf({})], run.env)
  expect(run.asked).toHaveLength(6)
  return run
}

const missedBy = async ({ profile, ...change }: Change, { env }: MadeUpRun): Promise<Missed> => {
  const shared = profile === undefined ? env : { ...env, profile }
  const { instances, prompts, completions, annotations, metrics } = (
    await planTarget(targetOf(change), shared)
  ).stages
  return [instances.execute, prompts.execute, completions.execute, annotations.execute, metrics.execute]
}

describe('What has to be made after a change to one field alone', () => {
  let run: MadeUpRun
  beforeAll(async () => {
    run = await built('helm-0.5.16')
  })

  const ADAPTER: { readonly [Field in keyof AdapterSpec]-?: readonly [AdapterSpec[Field], Missed] } = {
    method: ['multiple_choice_joint', ALL],
    globalPrefix: ['x', ALL],
    globalSuffix: ['x', ALL],
    instructions: ['x', ALL],
    inputPrefix: ['x', ALL],
    inputSuffix: ['x', ALL],
    // Of multiple choice: the texts stay.
    referencePrefix: ['B) ', COUNTED],
    referencePrefixCharacters: ['xyz', COUNTED],
    referenceSuffix: ['x', COUNTED],
    chainOfThoughtPrefix: ['x', NONE],
    chainOfThoughtSuffix: ['x', NONE],
    outputPrefix: ['x', ALL],
    outputSuffix: ['x', ALL],
    instancePrefix: ['x', ALL],
    substitutions: [[{ source: 'stopped', target: 'given' }], ALL],
    maxTrainInstances: [0, ALL],
    maxEvalInstances: [1, NONE],
    numOutputs: [2, ASKED],
    numTrainTrials: [2, [0, 2, 2, 4, 8]],
    numTrials: [2, NONE],
    sampleTrain: [false, ALL],
    modelDeployment: ['x', NONE],
    model: ['x', NONE],
    temperature: [0.5, ASKED],
    maxTokens: [7, ASKED],
    stopSequences: [['x'], ASKED],
    random: ['1', ASKED],
    multiLabel: [true, COUNTED],
    evalSplits: [['test'], NONE],
    outputMappingPattern: ['(.*)', MEASURED],
  }
  test.each(Object.entries(ADAPTER))('of an adapter: %s', async (field, [value, missed]) => {
    expect(await missedBy({ adapter: { [field]: value } }, run)).toEqual(missed)
  })

  const client = (args: Record<string, string>): Partial<ModelDeployment> => ({
    client: { className: 'medmake.chat', args },
  })
  test.each<readonly [string, Partial<ModelDeployment>, Missed, Missed]>([
    ['name', { name: 'm/b' }, ASKED, JUDGED],
    ['model string', client({ base_url: 'http://127.0.0.1:1/v1', model: 'b' }), ASKED, JUDGED],
    ['address', client({ base_url: 'https://example.org/v1', api_key: 'secret' }), NONE, NONE],
    ['tokenizer', { tokenizerName: 'openai/o200k_base' }, COUNTED, NONE],
    ['window', { maxSequenceLength: 1000 }, COUNTED, NONE],
    ['window that no example fits', { maxSequenceLength: 20 }, ALL, NONE],
    ['limits', { limits: { concurrency: 1 } }, NONE, NONE],
    ['file', { file: 'models/other.yaml' }, NONE, NONE],
  ])('of the deployment of a model or of its judges: %s', async (_, changed, asked, judging) => {
    expect(await missedBy({ deployment: changed }, run)).toEqual(asked)
    expect(await missedBy({ judge: changed }, run)).toEqual(judging)
  })

  test.each<readonly [string, Partial<Jury>, Missed]>([
    ['the rubric', { template: 'Of {QUESTION}, how good is {RESPONSE}?' }, JUDGED],
    // Replies are read anew, nobody is asked.
    ['a criterion’s keys', { criteria: new Map([['accuracy', ['score', 'why']]]) }, JUDGED],
    ['the scale', { scale: { least: 0, most: 5 } }, NONE],
    ['its annotation’s name', { annotator: 'other' }, NONE],
  ])('of a jury: %s', async (_, jury, missed) => {
    expect(await missedBy({ jury }, run)).toEqual(missed)
  })

  test('of the data: rows that change, move, come or go, and what only groups their scores.', async () => {
    const [one, two, three, four] = INSTANCES as readonly [Instance, Instance, Instance, Instance]
    const rows = (...instances: readonly Instance[]) => missedBy({ instances }, run)
    expect(await rows(one, two, four, three)).toEqual([2, 0, 0, 0, 0])
    expect(await rows(one, two, three)).toEqual([1, 0, 0, 0, 0])
    expect(await rows(one, two, three, four, { ...four, id: 'id9', input: { text: 'New.' } })).toEqual([
      3, 1, 1, 2, 2,
    ])
    expect(await rows(one, two, three, { ...four, id: 'id9' })).toEqual([2, 0, 0, 0, 0])
    expect(await rows(one, two, three, { ...four, attributes: { sex: 'f' } })).toEqual([2, 0, 0, 0, 0])
    // The prompt is made anew, its text stays; judges are shown the reference.
    expect(
      await rows(one, two, three, { ...four, references: [{ text: 'none', tags: ['correct'] }] }),
    ).toEqual([2, 1, 0, 2, 2])
    // Of two examples prompts show the second.
    expect(await rows({ ...one, input: { text: 'Other.' } }, two, three, four)).toEqual([2, 0, 0, 0, 0])
    expect(await rows(one, { ...two, input: { text: 'Other.' } }, three, four)).toEqual([2, 2, 2, 4, 4])
  })

  test('of the run: its name, and its profile.', async () => {
    expect(await missedBy({ name: 'other' }, run)).toEqual(NONE)
    // It reads judges' replies alike and scores below 1 otherwise.
    expect(await missedBy({ profile: 'paper-2025' }, run)).toEqual([0, 0, 0, 0, 2])
    // It cuts replies and reads judges' replies otherwise; nobody is asked again.
    expect(await missedBy({ profile: 'medhelm-0.8' }, run)).toEqual([0, 0, 0, 4, 4])
  })
})

describe('Where replies are cut by tokens', () => {
  let run: MadeUpRun
  beforeAll(async () => {
    run = await built('medhelm-0.8')
  })

  test('another tokenizer, or length, makes metrics anew, and judgements only of another text.', async () => {
    const other = { tokenizerName: 'openai/o200k_base' }
    expect(await missedBy({}, run)).toEqual(NONE)
    expect(await missedBy({ deployment: other }, run)).toEqual(COUNTED)
    expect(await missedBy({ judge: other }, run)).toEqual(NONE)
    // Five code points of "one two": judges would be shown another answer. Judges' replies stay within 4096.
    const points = { tokenizerName: 'simple/tokenizer1' }
    expect(await missedBy({ deployment: points }, run)).toEqual([0, 2, 0, 4, 4])
    expect(await missedBy({ judge: points }, run)).toEqual(NONE)
    const files = { folder: 'x', digest: 'f'.repeat(64) } as NonNullable<ModelDeployment['tokenizerFiles']>
    expect(await missedBy({ deployment: { tokenizerFiles: files } }, run)).toEqual(COUNTED)
  })
})

test('A run whose record is there has all results of each stage, the list of instances among them.', () => {
  const counts = { instances: 5, prompts: 4, completions: 3, annotations: 2, metrics: 1 }
  const { stages, calls } = nothingToDo(counts)
  expect(Object.entries(stages).map(([stage, { cached }]) => [stage, cached])).toEqual(Object.entries(counts))
  expect(calls).toBe(0)
})
