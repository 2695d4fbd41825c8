import { Float, numberOf } from '../../../benchmarks/python/numbers/number.ts'
import { strip } from '../../../benchmarks/python/text.ts'
import type { AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { RunSpec } from '../../record/target.ts'
import { withAdapter, withCommaSuffix } from './expander.ts'
import { EXAMPLES_AFTER, EXAMPLES_BEFORE } from './prompts.ts'

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
