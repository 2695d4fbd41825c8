import { BOUNDARY, DIGIT } from '../../benchmarks/python/text.ts'
import type { RequestState } from '../record/request-state.ts'
import { share, type BuiltInMetric, type MetricPoint, floatPoint } from './metric.ts'

const CODE = new RegExp(`${BOUNDARY}[A-Z][${DIGIT}]{1,3}(?:\\.[${DIGIT}]{1,4})?\\.?${BOUNDARY}`, 'gu')

/** ICD-10 codes in a text, as HELM finds them: longer codes are cut (`S72.001A` → `S72`), others not found at all. */
export const findBillingCodes = (text: string): readonly string[] =>
  (text.replaceAll('**', '').match(CODE) ?? []).map((code) => code.replace(/\.+$/, ''))

interface Codes {
  readonly gold: ReadonlySet<string>
  readonly given: ReadonlySet<string>
}

const codesOf = ({ instance, result }: RequestState): Codes | undefined => {
  const [completion] = result?.completions ?? []
  if (instance.references.length === 0 || completion === undefined) return undefined
  return {
    gold: new Set(instance.references.flatMap(({ text }) => findBillingCodes(text))),
    given: new Set(findBillingCodes(completion.text)),
  }
}

const noCodes = ({ gold, given }: Codes): boolean => gold.size === 0 && given.size === 0

const ratio = (numerator: number, denominator: number): number =>
  denominator === 0 ? 0 : numerator / denominator

const scores = ({ gold, given }: Codes): readonly MetricPoint[] => {
  const shared = [...given].filter((code) => gold.has(code)).length
  return [
    floatPoint('mimiciv_billing_code_precision', ratio(shared, given.size)),
    floatPoint('mimiciv_billing_code_recall', ratio(shared, gold.size)),
    floatPoint('mimiciv_billing_code_f1', ratio(2 * shared, given.size + gold.size)),
  ]
}

/**
 * HELM's MIMICIVBillingCodeMetric (HELM.md T20): precision, recall and F1 of the sets of codes, 0–1,
 * higher is better. No value without a reference or a completion. Without a code on either side the measures are not
 * defined: HELM loses the run, here the instance has no value and a failure says why.
 */
export const billingCodes: BuiltInMetric = {
  id: 'mimiciv_billing_code',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 MIMICIVBillingCodeMetric',
  className: 'mimiciv_billing_code_metrics.MIMICIVBillingCodeMetric',
  measures: [
    share('mimiciv_billing_code_precision', {
      better: 'higher',
      displayName: 'Billing codes: precision',
      shortDisplayName: 'Code precision',
      description: "Of the answer's ICD-10 codes, the share that the note was billed with; mean over notes.",
    }),
    share('mimiciv_billing_code_recall', {
      better: 'higher',
      displayName: 'Billing codes: recall',
      shortDisplayName: 'Code recall',
      description:
        'Of the ICD-10 codes that the note was billed with, the share in the answer; mean over notes.',
    }),
    share('mimiciv_billing_code_f1', {
      better: 'higher',
      displayName: 'Billing codes: F1',
      shortDisplayName: 'Code F1',
      description: 'Twice the shared codes over all codes of answer and note; mean over notes.',
    }),
  ],
  lead: { as: 'made for the benchmark', name: () => 'mimiciv_billing_code_f1' },
  reads: ['instance', 'completions'],
  evaluate: (state) => {
    const codes = codesOf(state)
    return codes === undefined || noCodes(codes) ? [] : scores(codes)
  },
  failures: (state) => {
    const codes = codesOf(state)
    if (codes === undefined || !noCodes(codes)) return []
    const detail = 'neither the reference nor the answer holds a code that HELM recognises'
    return [{ part: 'mimiciv_billing_code', cause: { code: 'no-codes', detail } }]
  },
}
