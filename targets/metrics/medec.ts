import { pyInt } from '../../benchmarks/python/numbers/number.ts'
import { strip, DIGIT } from '../../benchmarks/python/text.ts'
import { isCorrect } from '../../benchmarks/scenario/instance.ts'
import { firstCompletion, flag, type BuiltInMetric, intPoint } from './metric.ts'

/** Whether a note holds an error, and in which sentence. */
interface Finding {
  readonly flag: boolean
  readonly sentence: number | bigint
}

const NO_ERROR: Finding = { flag: false, sentence: -1 }

/** Erratum of the benchmark. */
const SENTENCE_ACCURACY = 'sentence-accuracy'

const LEADING_DIGITS = new RegExp(`^[${DIGIT}]+`, 'u')

const leadingNumber = (text: string): number | bigint | undefined =>
  pyInt(LEADING_DIGITS.exec(text)?.[0] ?? '')

/** @param corrected reads the id that the corrected sentence stands behind; HELM takes both for one number */
const goldFinding = (reference: string, corrected: boolean): Finding => {
  const text = strip(reference.replaceAll('.', ''))
  if (text === 'CORRECT') return NO_ERROR
  return { flag: true, sentence: (corrected ? leadingNumber(text) : pyInt(text)) ?? -1 }
}

const givenFinding = (answer: string): Finding => {
  const text = strip(answer)
  if (text === 'CORRECT') return NO_ERROR
  return { flag: true, sentence: leadingNumber(text) ?? -2 }
}

/**
 * HELM's MedecMetric (HELM.md T20): `medec_error_flag_accuracy` and `medec_error_sentence_accuracy`,
 * 0 or 1, higher is better. As in HELM the gold of an erroneous note, `"{id} {corrected sentence}"`, is no number, so
 * no answer names its sentence rightly, unless the erratum `sentence-accuracy` is corrected. Without a correct reference there is no value.
 * @throws ProblemError without a completion
 */
export const medec: BuiltInMetric = {
  id: 'medec',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 MedecMetric',
  className: 'medec_metrics.MedecMetric',
  measures: [
    flag('medec_error_flag_accuracy', {
      better: 'higher',
      displayName: 'Error found or ruled out',
      shortDisplayName: 'Error flag',
      description: 'Share of notes of which the answer rightly says whether they hold an error.',
    }),
    flag('medec_error_sentence_accuracy', {
      better: 'higher',
      displayName: 'Erroneous sentence named',
      shortDisplayName: 'Error sentence',
      description:
        'Share of notes of which the answer names the very sentence that is wrong, or rightly says that none is.',
    }),
  ],
  lead: { as: 'made for the benchmark', name: () => 'medec_error_flag_accuracy' },
  reads: ['instance', 'completions'],
  corrects: [SENTENCE_ACCURACY],
  evaluate: (state, { corrected }) => {
    const reference = state.instance.references.find(isCorrect)
    if (reference === undefined) return []
    const gold = goldFinding(reference.text, corrected?.includes(SENTENCE_ACCURACY) ?? false)
    const given = givenFinding(firstCompletion(state).text)
    const sameFlag = gold.flag === given.flag
    const sameSentence = sameFlag && gold.sentence === given.sentence
    return [
      intPoint('medec_error_flag_accuracy', sameFlag ? 1 : 0),
      intPoint('medec_error_sentence_accuracy', sameSentence ? 1 : 0),
    ]
  },
}
