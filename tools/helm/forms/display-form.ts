import type { PyValue } from '../../../benchmarks/python/value.ts'
import { any, dict, int, optional, real, record, text, type Form } from './form.ts'
import { displayRequestForm, type FullRequest } from './request-state.ts'

interface Row {
  readonly instanceId: string
  readonly perturbation?: ReadonlyMap<string, PyValue>
  readonly trainTrialIndex: number
}

/** An element of display_predictions.json. */
interface DisplayPrediction extends Row {
  readonly predictedText: string
  readonly truncatedPredictedText?: string
  readonly base64Images: PyValue
  readonly mappedOutput?: string
  readonly referenceIndex?: number
  readonly stats: ReadonlyMap<string, number>
  readonly annotations?: ReadonlyMap<string, PyValue>
  readonly thinkingText?: string
}

/** An element of display_requests.json. */
interface DisplayRequest extends Row {
  readonly request: FullRequest
}

/** Means by metric: every number is a float. */
export const displayStatsForm: Form<ReadonlyMap<string, number>> = {
  write: (values) => new Map([...values].map(([name, value]) => [name, real.write(value)])),
  read: (value, at) => new Map([...dict.read(value, at)].map(([name, item]) => [name, real.read(item, at)])),
}

/** DisplayPrediction in HELM's order (HELM.md F5). */
export const displayPredictionForm: Form<DisplayPrediction> = record<DisplayPrediction>({
  instanceId: text,
  perturbation: optional(dict),
  trainTrialIndex: int,
  predictedText: text,
  truncatedPredictedText: optional(text),
  base64Images: any,
  mappedOutput: optional(text),
  referenceIndex: optional(int),
  stats: displayStatsForm,
  annotations: optional(dict),
  thinkingText: optional(text),
})

/** DisplayRequest in HELM's order (HELM.md F5). */
export const displayRequestRowForm: Form<DisplayRequest> = record<DisplayRequest>({
  instanceId: text,
  perturbation: optional(dict),
  trainTrialIndex: int,
  request: displayRequestForm,
})
