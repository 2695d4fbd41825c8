import { ProblemError } from '../../../cache/problems/problem.ts'
import type { MetricMatcher, RunGroup } from './schema.ts'
import type { TrialStat } from '../cells/trial-stat.ts'

/** Puts a group's variables into a text: `${main_name}` becomes `environment.main_name`. */
const fill = (text: string, group: RunGroup): string =>
  text.replaceAll(/\$\{\s*(\w+)\s*\}/g, (_, name: string) => {
    const value = group.environment.get(name)
    if (value !== undefined) return value
    throw new ProblemError({
      code: 'targets/undefined-variable',
      message: `Run group ${group.name} uses \${${name}} and does not define it.`,
      where: { field: `run_groups.${group.name}.environment.${name}` },
      remedy: `Add ${name} to the group’s environment.`,
    })
  })

/**
 * A matcher for one run group. HELM loses `subSplit` here (HELM.md T22), so a table's sub-split decides alone.
 * @throws ProblemError `targets/undefined-variable`
 */
export const substitute = (matcher: MetricMatcher, group: RunGroup): MetricMatcher => ({
  name: fill(matcher.name, group),
  split: fill(matcher.split, group),
  ...(matcher.perturbationName !== undefined && { perturbationName: fill(matcher.perturbationName, group) }),
})

/** Whether a stat belongs to a column. Of perturbed stats only the worst case does. */
export const matches = ({ name }: TrialStat, matcher: MetricMatcher): boolean =>
  name.name === matcher.name &&
  (matcher.split === '__all__' || name.split === matcher.split) &&
  (matcher.subSplit === undefined || name.subSplit === matcher.subSplit) &&
  (name.perturbation === undefined
    ? matcher.perturbationName === undefined
    : name.perturbation.name === matcher.perturbationName && name.perturbation.computedOn === 'worst')
