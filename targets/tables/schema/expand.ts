import { ProblemError } from '../../../cache/problems/problem.ts'
import type { RunGroup, SchemaIndex } from './schema.ts'

/**
 * A group and all groups below it, parents first, each once.
 * @throws ProblemError `targets/undefined-subgroup`
 */
export const expand = (group: RunGroup, index: SchemaIndex): readonly RunGroup[] => {
  const found = new Map<string, RunGroup>()
  const visit = (current: RunGroup): void => {
    if (found.has(current.name)) return
    found.set(current.name, current)
    for (const name of current.subgroups) {
      const below = index.runGroups.get(name)
      if (below === undefined)
        throw new ProblemError({
          code: 'targets/undefined-subgroup',
          message: `Run group ${current.name} has the sub-group ${name}, which the schema does not define.`,
          where: { field: `run_groups.${current.name}.subgroups` },
          remedy: `Add ${name} to run_groups, or take it out of the list.`,
        })
      visit(below)
    }
  }
  visit(group)
  return [...found.values()]
}
