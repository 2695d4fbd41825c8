import { lower, strip } from '../../../benchmarks/python/text.ts'
import type { AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import { entryOf } from './expander.ts'

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
export const outputFormat = (
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
