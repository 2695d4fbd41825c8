import { str } from '../../../benchmarks/python/numbers/number.ts'
import { strip } from '../../../benchmarks/python/text.ts'
import type { AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { ProblemError, type Place } from '../../../cache/problems/problem.ts'
import { badValue, entryOf, withAdapter, withCommaSuffix, type Expander } from './expander.ts'
import { outputFormat } from './output-formats.ts'

/** What `prompt=…` puts around input and output (run_expander.py of crfm-helm 0.5.16). */
const PROMPTS: Readonly<Record<string, Partial<AdapterSpec>>> = {
  human_assistant: {
    inputPrefix: 'Human: What is the answer to "',
    inputSuffix: '"?\n',
    outputPrefix: 'Assistant: The answer is "',
    outputSuffix: '".\n',
    stopSequences: ['".'],
  },
  question_answer: { inputPrefix: 'Question: ', outputPrefix: 'Answer: ' },
  qa: { inputPrefix: 'Q: ', outputPrefix: 'A: ' },
  input_output_html: {
    inputPrefix: '<input>',
    inputSuffix: '</input>\n',
    outputPrefix: '<output>',
    outputSuffix: '</output>\n',
  },
  input_output: { inputPrefix: 'Input: ', outputPrefix: 'Output: ' },
  i_o: { inputPrefix: 'I: ', outputPrefix: 'O: ' },
}

/** What `instructions=expert` puts before a benchmark's own (run_expander.py of crfm-helm 0.5.16). */
const EXPERT = 'I am an expert AI assistant who is here to help you with the following. '

/** What `follow_format_instructions` puts around a prompt (run_expander.py of crfm-helm 0.5.16). */
const EXAMPLES_BEFORE =
  'Here are some input-output examples. Read the examples carefully to figure out the mapping. ' +
  'The output of the last example is not given, and your job is to figure out what it is.'
const EXAMPLES_AFTER =
  'Please provide the output to this last example. It is critical to follow the format of the preceding outputs!'

/** Expanders over what is said around a question (HELM.md T5), by key. */
export const PROMPT_EXPANDERS: Readonly<Record<string, Expander>> = {
  instructions: (spec, value, { where }) => {
    const name = withCommaSuffix(spec.name, 'instructions', value)
    if (value === 'none') return [withAdapter(spec, { instructions: '' }, name)]
    if (value === 'expert')
      return [withAdapter(spec, { instructions: `${EXPERT}${spec.adapter.instructions}` }, name)]
    return badValue('instructions', value, 'none or expert', where)
  },
  prompt: (spec, value, { where }) => [
    withAdapter(
      spec,
      entryOf(PROMPTS, str(value)) ?? badValue('prompt', value, Object.keys(PROMPTS).join(' or '), where),
      withCommaSuffix(spec.name, 'prompt', value),
    ),
  ],
  follow_format_instructions: (spec, value, { registry, where }) => {
    const { method, model, outputPrefix } = spec.adapter
    const key = 'follow_format_instructions'
    if (value !== 'all' && value !== 'instruct') return badValue(key, value, 'all or instruct', where)
    if (method !== 'generation')
      return unfit(key, value, `it is for benchmarks of the method generation, not ${method}`, where)
    if (value === 'instruct') {
      const metadata = registry.model(model)
      if (metadata === undefined) return unfit(key, value, 'it must come after model=…', where)
      if (!metadata.tags.includes('INSTRUCTION_FOLLOWING_MODEL_TAG')) return [spec]
    }
    return [
      withAdapter(spec, {
        globalPrefix: `${EXAMPLES_BEFORE}\n\n`,
        globalSuffix: `\n\n${EXAMPLES_AFTER}\n${strip(outputPrefix)}`,
      }),
    ]
  },
  output_format_instructions: (spec, value, { where }) => {
    const { instructions, globalSuffix } = spec.adapter
    const format = outputFormat(str(value), spec.adapter)
    if (format === undefined)
      return unfit(
        'output_format_instructions',
        value,
        `HELM has no such format for benchmarks of the method ${spec.adapter.method}`,
        where,
      )
    const own = instructions === '' ? '' : `\n${instructions}`
    return [
      withAdapter(
        spec,
        format.atEnd
          ? { globalSuffix: `${globalSuffix}\n\n${format.text}` }
          : { instructions: `${format.text}\n${own}` },
      ),
    ]
  },
}

/** @throws ProblemError where HELM's expander raises */
const unfit = (key: string, value: PyValue, why: string, where: Place): never => {
  throw new ProblemError({
    code: 'targets/expander-value',
    message: `${key}=${str(value)} can't be used here: ${why}`,
    where,
    remedy: 'Mend the entry, or take the argument out.',
  })
}
