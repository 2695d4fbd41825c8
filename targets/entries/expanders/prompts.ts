import { str } from '../../../benchmarks/python/numbers/number.ts'
import { strip, lower } from '../../../benchmarks/python/text.ts'
import type { AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { ProblemError, type Place } from '../../../cache/problems/problem.ts'
import { badValue, entryOf, withAdapter, withCommaSuffix, type Expander } from './expander.ts'

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

/** What `follow_format_instructions`, and HELM for Claude 1 and 2, puts around a prompt (run_expander.py of crfm-helm 0.5.16). */
export const EXAMPLES_BEFORE =
  'Here are some input-output examples. Read the examples carefully to figure out the mapping. ' +
  'The output of the last example is not given, and your job is to figure out what it is.'
/** What it ends with. */
export const EXAMPLES_AFTER =
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

const LAST_LETTER = 'Answer only the last question with only a single letter.'
const LETTER = 'Answer with only a single letter.'
const ARABIC_LETTER = 'اكتب حرف الإجابة فقط، دون أي إضافات أخرى.'

/** What HELM says of the answer's form, by scenario (run_expander.py of crfm-helm 0.5.16). */
const CHOICE_FORMATS: Readonly<Record<string, string>> = {
  mmlu_only_last_question: LAST_LETTER,
  mcqa_only_last_question: LAST_LETTER,
  mcqa_no_period: 'Answer with only a single letter. Do not include a period in your answer.',
  arabic_mcqa: ARABIC_LETTER,
}

const GENERATION_FORMATS: Readonly<Record<string, string>> = {
  narrative_qa:
    'Answer with one word, a few-word phrase, or a short sentence. Avoid extra, unnecessary information in the answer.',
  natural_qa: "Answer with a short answer or a boolean 'yes' or 'no' answer.",
  natural_qa_short_answer: 'Answer with a short answer.',
  legalbench_abercrombie:
    "Answer with only 'generic', 'descriptive', 'suggestive', 'arbitrary' or 'fanciful'.",
  legalbench_function_of_decision_section:
    "Answer with only 'Facts', 'Procedural History', 'Issue', 'Rule', 'Analysis', 'Conclusion' or 'Decree'.",
  legalbench_yes_or_no: "Answer with only 'Yes' or 'No'.",
  wmt_14: 'Answer with the English translation.',
  wmt_14_only_last_sentence: 'Answer with only the English translation for the last sentence.',
  math: 'Wrap the final answer with the \\boxed{} command.',
  numeric_nlg: 'Answer with only description of the last table as a single paragraph on a single line.',
  tab_fact: "Answer with only the classification of the last statement, either 'refuted' or 'entailed'.",
  wikitq:
    'Answer only the last question with a short answer. Avoid extra, unnecessary information in the answer.',
  arabic_mcqa: ARABIC_LETTER,
}

/**
 * The text of `output_format_instructions=VALUE`; undefined where HELM has none for the adapter's method.
 * VALUE is a scenario, then `_no_prefix` where the output prefix shall not be repeated, then `_suffix` where the text
 * goes to the prompt's end.
 */
const outputFormat = (
  value: string,
  { method, outputPrefix }: Pick<AdapterSpec, 'method' | 'outputPrefix'>,
): { readonly text: string; readonly atEnd: boolean } | undefined => {
  const atEnd = value.endsWith('_suffix')
  const placed = atEnd ? value.slice(0, -'_suffix'.length) : value
  const noPrefix = placed.endsWith('_no_prefix')
  const scenario = noPrefix ? placed.slice(0, -'_no_prefix'.length) : placed
  const text = formatOf(scenario, method, outputPrefix)
  if (text === undefined) return undefined
  return { text: noPrefix ? `${text} Do not include '${strip(outputPrefix)}' in your answer.` : text, atEnd }
}

const formatOf = (
  scenario: string,
  method: AdapterSpec['method'],
  outputPrefix: string,
): string | undefined => {
  if (method === 'multiple_choice_joint') return entryOf(CHOICE_FORMATS, scenario) ?? LETTER
  if (method !== 'generation') return undefined
  if (scenario !== 'legalbench') return entryOf(GENERATION_FORMATS, scenario)
  const noun = outputPrefix.split(':')[0] ?? ''
  return noun === 'Answer' ? 'Answer yes or no.' : `Answer with the ${lower(noun)}.`
}
