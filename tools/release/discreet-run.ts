import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import {
  hiddenArgument,
  shownAdapter,
  shownObject,
  withoutTexts,
} from '../../targets/access/discreet-texts.ts'
import type { Target } from '../../targets/record/target.ts'
import { helmRunSpec, type HelmRunSpec } from '../helm/forms/run-spec.ts'

/** A withheld run's spec: neither the words of its prompts nor those that its scenario, metrics and annotators were given. */
export const discreetSpec = ({ spec }: Target): HelmRunSpec => {
  const run = helmRunSpec(spec)
  const { className, args } = run.scenarioSpec
  const shown = (object: ObjectSpec): ObjectSpec => shownObject(object, spec.benchmark)
  return {
    ...run,
    scenarioSpec: { className, args: new Map([...args].map(([name, each]) => [name, hiddenArgument(each)])) },
    adapterSpec: shownAdapter(run.adapterSpec, spec.benchmark),
    metricSpecs: run.metricSpecs.map(shown),
    ...(run.annotators && { annotators: run.annotators.map(shown) }),
  }
}

/** A target's key as the release may tell it. */
export const shownKey = (key: JsonObject, withText: boolean): JsonObject =>
  withText ? key : (withoutTexts(key) as JsonObject)
