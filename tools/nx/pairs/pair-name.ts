import { digestOf } from '../../../cache/values/digest.ts'
import type { RunSpec } from '../../../targets/record/target.ts'

/** What Nx calls a (model, scenario) pair: its project is `<model>--<scenario>`. */
export interface PairName {
  readonly model: string
  readonly scenario: string
}

const MODEL = /^model=/
const DEPLOYMENT = /^model_deployment=/

/**
 * A pair's name from its run name: the run name without its model, and the model, or the deployment where the entry
 * names one. Depends on nothing else, so that no pair is renamed because another one came or went.
 */
export const pairName = ({ name, adapter }: Pick<RunSpec, 'name' | 'adapter'>): PairName => {
  const parts = name.split(/[:,]/)
  const deployed = parts.some((part) => DEPLOYMENT.test(part))
  return {
    model: slug(deployed ? adapter.modelDeployment : adapter.model),
    scenario: slug(parts.filter((part) => !MODEL.test(part) && !DEPLOYMENT.test(part)).join(',')),
  }
}

/**
 * A text as a part of a project name: `/` becomes `_`, `:` a comma, as neither can stand in one.
 * Where more had to go, a digest keeps texts apart that would read the same.
 */
export const slug = (text: string): string => {
  const plain = text.replaceAll('/', '_').replaceAll(':', ',')
  const safe = plain.replaceAll(/[^\w.,=+@-]/g, '_')
  return safe === plain ? safe : `${safe}-${digestOf<'text'>(text).slice(0, 8)}`
}
