import { str } from '../../../benchmarks/python/numbers/number.ts'
import { badValue, withAdapter, withSuffix, type Expander } from './expander.ts'

/** Model groups by the tag that their members carry (HELM.md T5). */
const GROUP_TAGS: Readonly<Record<string, readonly string[]>> = {
  text: ['TEXT_MODEL_TAG'],
  code: ['CODE_MODEL_TAG'],
  text_code: ['TEXT_MODEL_TAG', 'CODE_MODEL_TAG'],
  instruction_following: ['INSTRUCTION_FOLLOWING_MODEL_TAG'],
  full_functionality_text: ['FULL_FUNCTIONALITY_TEXT_MODEL_TAG'],
  limited_functionality_text: ['LIMITED_FUNCTIONALITY_TEXT_MODEL_TAG'],
}

export const isModelGroup = (name: string): boolean => name === 'all' || name in GROUP_TAGS

/** `model=creator/name`, `model=host/creator/name` (also a deployment), or a group of models. */
export const expandModel: Expander = (spec, value, { registry, where }) => {
  const name = str(value)
  if (isModelGroup(name)) {
    const tags = GROUP_TAGS[name]
    return registry.models
      .filter((model) => tags === undefined || tags.some((tag) => model.tags.includes(tag)))
      .filter((model) => registry.defaultDeployment(model.name)?.deprecated === false)
      .map((model) => withAdapter(spec, { model: model.name }, withSuffix(spec.name, 'model', model.name)))
  }
  const parts = name.split('/')
  if (parts.length < 2) return badValue('model', value, 'creator/name', where)
  const model = parts.slice(-2).join('/')
  const deployment = parts.length > 2 ? { modelDeployment: name } : {}
  return [withAdapter(spec, { model, ...deployment }, withSuffix(spec.name, 'model', model))]
}

export const expandModelDeployment: Expander = (spec, value) => [
  withAdapter(spec, { modelDeployment: str(value) }, withSuffix(spec.name, 'model_deployment', value)),
]
