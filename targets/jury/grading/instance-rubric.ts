import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { rubricItems, type RubricItem } from '../../../benchmarks/scenario/rubric.ts'

/** The rubric that an instance brings. @throws TypeError where its scenario let a bad one through */
export const instanceRubric = ({
  id,
  extraData,
}: Pick<Instance, 'id' | 'extraData'>): readonly RubricItem[] => {
  const items = rubricItems(extraData?.get('rubrics') ?? [])
  if (typeof items === 'string') throw new TypeError(`the rubric of instance ${String(id)} ${items}`)
  return items
}
