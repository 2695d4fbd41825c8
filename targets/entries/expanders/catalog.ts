import { COUNT_EXPANDERS } from './counts.ts'
import type { Expander } from './expander.ts'
import { expandModel, expandModelDeployment } from './model.ts'
import { PROMPT_EXPANDERS } from './prompts.ts'
import { REFUSED_EXPANDERS } from './refused.ts'
import { TEXT_EXPANDERS } from './texts.ts'

/** All of HELM's run expanders by their key in a description. */
export const EXPANDERS: ReadonlyMap<string, Expander> = new Map<string, Expander>([
  ['model', expandModel],
  ['model_deployment', expandModelDeployment],
  ...Object.entries(COUNT_EXPANDERS),
  ...Object.entries(TEXT_EXPANDERS),
  ...Object.entries(PROMPT_EXPANDERS),
  ...Object.entries(REFUSED_EXPANDERS),
])
