import { fits, truncateFromRight, type Window } from '../../models/tokenizers/window.ts'
import { promptText, type PromptParts } from './prompt.ts'

export interface FittedPrompt {
  readonly text: string
  readonly truncated: boolean
  /** In-context examples that stayed. */
  readonly numTrainInstances: number
}

/**
 * Drops in-context examples from the end until prompt and answer fit; without examples cuts the text itself
 * (HELM.md T8). A text cut down to nothing is sent whole, as HELM does, though it counts as truncated.
 */
export const fitPrompt = (parts: PromptParts, window: Window): FittedPrompt => {
  const { adapter, train, instance } = parts
  for (let kept = train.length; kept > 0; kept -= 1) {
    const text = promptText({ adapter, train: train.slice(0, kept), instance })
    if (fits(text, adapter.maxTokens, window)) return { text, truncated: false, numTrainInstances: kept }
  }
  const whole = promptText({ adapter, train: [], instance })
  const { text, truncated } = truncateFromRight(whole, adapter.maxTokens, window)
  return { text: text === '' ? whole : text, truncated, numTrainInstances: 0 }
}
