import { withheld } from '../../cache/problems/withheld.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { hiddenTexts, shownAdapter, withoutTexts } from '../../targets/access/discreet-texts.ts'
import type { Target } from '../../targets/record/target.ts'
import { helmRunSpec, type HelmRunSpec } from '../helm/forms/run-spec.ts'

/** A withheld run's spec: neither the words of its prompts nor its scenario's arguments. */
export const discreetSpec = ({ spec }: Target): HelmRunSpec => {
  const run = helmRunSpec(spec)
  const { className, args } = run.scenarioSpec
  const hidden = [...args].map(
    ([name, value]) => [name, typeof value === 'string' ? withheld(value) : value] as const,
  )
  return {
    ...run,
    scenarioSpec: { className, args: new Map(hidden) },
    adapterSpec: shownAdapter(run.adapterSpec, spec.benchmark),
  }
}

/** A target's key as the release may tell it. */
export const shownKey = (key: JsonObject, withText: boolean): JsonObject => {
  if (withText) return key
  const { arguments: args, ...instances } = key['instances'] as JsonObject
  const shown = {
    ...key,
    instances: args === undefined ? instances : { ...instances, arguments: hiddenTexts(args) },
  }
  return withoutTexts(shown) as JsonObject
}
