import {
  type Expander,
  badValue,
  entryOf,
  countOf,
  withAdapter,
  withSuffix,
  withCommaSuffix,
  expandModel,
  expandModelDeployment,
} from './expander.ts'
import { PROMPT_EXPANDERS, EXAMPLES_AFTER, EXAMPLES_BEFORE } from './prompts.ts'
import { numberOf, Float, str } from '../../../benchmarks/python/numbers/number.ts'
import type { AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { strip } from '../../../benchmarks/python/text.ts'
import type { RunSpec } from '../../record/target.ts'

const STOPS: Readonly<Record<string, string>> = { hash: '###', semicolon: ';', br: '<br>' }
const NEWLINES: Readonly<Record<string, string>> = { semicolon: ';\n', br: '<br>\n' }
const PREFIXES: Readonly<Record<string, string>> = { nlg: '[NLG]' }

const named = (table: Readonly<Record<string, string>>, key: string, value: string, where: object): string =>
  entryOf(table, value) ?? badValue(key, value, Object.keys(table).join(' or '), where)

/** Expanders over texts of the adapter spec (HELM.md T5), by key. */
const TEXT_EXPANDERS: Readonly<Record<string, Expander>> = {
  eval_split: (spec, value, { where }) =>
    value === 'test' || value === 'valid'
      ? [withAdapter(spec, { evalSplits: [value] }, withSuffix(spec.name, 'eval_split', value))]
      : badValue('eval_split', value, 'test or valid', where),
  stop: (spec, value, { where }) => {
    const name = withCommaSuffix(spec.name, 'stop', value)
    if (value === 'none') return [withAdapter(spec, { stopSequences: [] }, name)]
    const stop = named(STOPS, 'stop', str(value), where)
    return [withAdapter(spec, { stopSequences: [stop], instancePrefix: `${stop}\n\n` }, name)]
  },
  add_to_stop: (spec, value) => [
    withAdapter(spec, {
      stopSequences: [...spec.adapter.stopSequences, value === 'newline' ? '\n' : str(value)],
    }),
  ],
  newline: (spec, value, { where }) => [
    withAdapter(
      spec,
      {
        substitutions: [
          ...spec.adapter.substitutions,
          { source: '\n', target: named(NEWLINES, 'newline', str(value), where) },
        ],
      },
      withCommaSuffix(spec.name, 'newline', value),
    ),
  ],
  global_prefix: (spec, value, { where }) => [
    withAdapter(
      spec,
      { globalPrefix: named(PREFIXES, 'global_prefix', str(value), where) },
      withCommaSuffix(spec.name, 'global_prefix', value),
    ),
  ],
  format_prompt: (spec, value) => [withAdapter(spec, { inputPrefix: str(value), outputPrefix: '' })],
}

/** @throws ProblemError `targets/unsupported-expander`: a run without what the entry asks for would bear a wrong name */
const refused =
  (key: string, why: string, remedy: string): Expander =>
  (_, value, { where }) => {
    throw new ProblemError({
      code: 'targets/unsupported-expander',
      message: `${key}=${str(value)}: ${why}`,
      where,
      remedy,
    })
  }

const EFFICIENCY = "only HELM's synthetic efficiency scenario takes it; no scenario of MedHELM does"

/** Run expanders of HELM that nothing here can do (HELM.md T5), by key. */
const REFUSED_EXPANDERS: Readonly<Record<string, Expander>> = {
  data_augmentation: refused(
    'data_augmentation',
    "HELM's perturbations draw words from WordNet and from name and dialect lists that it downloads, and no suite or table of MedHELM uses them: they are not built here",
    'Take it out of the entry; for a perturbed run, run that entry with helm-run of crfm-helm.',
  ),
  process_output: refused(
    'process_output',
    "it names a Python function of HELM's, which can't run here",
    'Take it out of the entry; reasoning that a server sends apart is never part of an answer.',
  ),
  tokenizer: refused('tokenizer', EFFICIENCY, 'Take it out; a deployment names its tokenizer itself.'),
  num_prompt_tokens: refused('num_prompt_tokens', EFFICIENCY, 'Take it out of the entry.'),
  chatml: refused(
    'chatml',
    "HELM's own expander takes no value, so no entry can use it",
    'Take it out of the entry.',
  ),
}

/** An expander that sets one whole-number field; named values stand for one or several numbers. */
const count =
  (
    key: string,
    field: keyof AdapterSpec,
    named: Readonly<Record<string, readonly number[]>> = {},
  ): Expander =>
  (spec, value, { where }) => {
    const values = (typeof value === 'string' ? entryOf(named, value) : undefined) ?? [
      countOf(key, value, where),
    ]
    return values.map((number) => withAdapter(spec, { [field]: number }, withSuffix(spec.name, key, number)))
  }

/** HELM sends each request so often, and then every metric of MedHELM's ends its run: it wants one reply an instance. */
const onceAlone: Expander = (spec, value, context) => {
  const specs = count('num_trials', 'numTrials', { heim_efficiency: [5] })(spec, value, context)
  return specs.every(({ adapter }) => adapter.numTrials <= 1)
    ? specs
    : refused(
        'num_trials',
        "HELM's own metrics take one reply an instance, and its run ends in an error",
        'Take it out; num_train_trials asks again with other examples, and `medmake jury repeats` asks judges again.',
      )(spec, value, context)
}

const plainNumber =
  (key: string, apply: (adapter: AdapterSpec, value: number | Float) => Partial<AdapterSpec>): Expander =>
  (spec, value, { where }) =>
    typeof value === 'number' || value instanceof Float
      ? [withAdapter(spec, apply(spec.adapter, value))]
      : badValue(key, value, 'a number', where)

/** Expanders over numbers of the adapter spec (HELM.md T5), by key. */
const COUNT_EXPANDERS: Readonly<Record<string, Expander>> = {
  max_train_instances: count('max_train_instances', 'maxTrainInstances', {
    zero: [0],
    one: [1],
    all: [0, 1, 2, 4, 8, 16],
    big_bench_few_shot_setting: [0, 1, 2, 3],
    vhelm: [0, 1, 2, 4, 8],
    melt: [0, 1, 5],
  }),
  max_eval_instances: count('max_eval_instances', 'maxEvalInstances', {
    default: [1000],
    heim_default: [100],
    heim_fid: [30_000],
    heim_art_styles: [17],
  }),
  num_outputs: count('num_outputs', 'numOutputs', { default: [1], copyright_sweep: [1, 10] }),
  num_train_trials: count('num_train_trials', 'numTrainTrials'),
  num_trials: onceAlone,
  num_output_tokens: count('num_output_tokens', 'maxTokens', { default_sweep: [1, 2, 4, 8, 16, 32, 64] }),
  temperature: plainNumber('temperature', (_, value) => ({ temperature: value })),
  increase_temperature: plainNumber('increase_temperature', ({ temperature }, value) => ({
    temperature: addNumbers(temperature, value),
  })),
  increase_max_tokens: (spec, value, { where }) =>
    typeof value === 'number' && Number.isInteger(value)
      ? [withAdapter(spec, { maxTokens: spec.adapter.maxTokens + value })]
      : badValue('increase_max_tokens', value, 'a whole number', where),
}

/** Python's sum: a float as soon as one side is. */
const addNumbers = (a: number | Float, b: number | Float): number | Float => {
  const sum = numberOf(a) + numberOf(b)
  return a instanceof Float || b instanceof Float || !Number.isInteger(sum) ? new Float(sum) : sum
}

/** All of HELM's run expanders by their key in a description. */
export const EXPANDERS: ReadonlyMap<string, Expander> = new Map<string, Expander>([
  ['model', expandModel],
  ['model_deployment', expandModelDeployment],
  ...Object.entries(COUNT_EXPANDERS),
  ...Object.entries(TEXT_EXPANDERS),
  ...Object.entries(PROMPT_EXPANDERS),
  ...Object.entries(REFUSED_EXPANDERS),
])

/** What the models that carry a tag are asked otherwise. */
type TagRule = (spec: RunSpec) => RunSpec

const ONE_PROMPT: ReadonlySet<string> = new Set(['generation', 'multiple_choice_joint'])

const chatMarks = ({ instructions, outputPrefix, stopSequences }: AdapterSpec): Partial<AdapterSpec> => ({
  instructions: `${instructions === '' ? '' : `<|im_start|>system\n${instructions}<|im_end|>\n`}<|im_start|>user\n`,
  instancePrefix: '',
  outputPrefix: `<|im_end|>\n<|im_start|>assistant\n${outputPrefix}`,
  outputSuffix: '<|im_end|>\n<|im_start|>user\n',
  stopSequences: [...stopSequences, '<|im_end|>'],
})

const turns: TagRule = (spec) =>
  withAdapter(spec, {
    globalPrefix: `\n\nHuman: ${EXAMPLES_BEFORE}\n\n`,
    globalSuffix: `\n\n${EXAMPLES_AFTER}\n\nAssistant: ${strip(spec.adapter.outputPrefix)}`,
  })

/** In HELM's order (HELM.md T4); its tags of models that see are left out, and no benchmark of ours has images. */
const RULES: readonly (readonly [tag: string, rule: TagRule])[] = [
  [
    'NO_NEWLINES_TAG',
    (spec) =>
      ONE_PROMPT.has(spec.adapter.method)
        ? withAdapter(
            spec,
            { stopSequences: ['###'], instancePrefix: '###\n\n' },
            withCommaSuffix(spec.name, 'stop', 'hash'),
          )
        : spec,
  ],
  [
    'NLG_PREFIX_TAG',
    (spec) =>
      withAdapter(spec, { globalPrefix: '[NLG]' }, withCommaSuffix(spec.name, 'global_prefix', 'nlg')),
  ],
  ['CHATML_MODEL_TAG', (spec) => withAdapter(spec, chatMarks(spec.adapter))],
  ['ANTHROPIC_CLAUDE_1_MODEL_TAG', turns],
  ['ANTHROPIC_CLAUDE_2_MODEL_TAG', turns],
  [
    'ANTHROPIC_CLAUDE_3_MODEL_TAG',
    (spec) =>
      withAdapter(spec, { stopSequences: spec.adapter.stopSequences.filter((stop) => strip(stop) !== '') }),
  ],
  [
    'BUGGY_TEMP_0_TAG',
    (spec) =>
      numberOf(spec.adapter.temperature) === 0 ? withAdapter(spec, { temperature: new Float(1e-4) }) : spec,
  ],
]

/** A run as a model with these tags is asked. */
export const withTags = (spec: RunSpec, tags: readonly string[]): RunSpec =>
  RULES.reduce((result, [tag, rule]) => (tags.includes(tag) ? rule(result) : result), spec)
