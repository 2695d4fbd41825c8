import { join } from 'node:path'
import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import { leadOf, leadsOf } from '../../targets/metrics/measures-of.ts'
import type { ScenarioMetadata } from '../../targets/tables/schema/auto-schema.ts'
import { readScenario } from './read-run.ts'
import { exists, type HelmFolder } from './read-suite.ts'
import { RUN_FILES } from './write/write-run.ts'

const CONFIGURABLE = 'MedHELMConfigurableScenario'

const className = (spec: ObjectSpec): string => spec.className.split('.').at(-1) ?? ''

/** A configurable benchmark's first metric is its main one; of other benchmarks none is declared here. */
const mainMetric = (run: HelmFolder): string | undefined =>
  className(run.scenario) === CONFIGURABLE ? leadsOf(run.metrics)[0]?.name : leadOf(run.metrics)

/**
 * What a run's own files say of its scenario, for a generated schema: no configuration file need still be there.
 * Undefined where the run has no scenario.json, no group or no metric to lead with.
 *
 * @param declared the main metric, where its declaration is at hand
 */
export const scenarioMetadata = async (
  run: HelmFolder,
  declared?: { readonly name: string; readonly split: string },
): Promise<ScenarioMetadata | undefined> => {
  const metric = declared?.name ?? mainMetric(run)
  const first = run.groups[0]
  if (metric === undefined || first === undefined || !(await exists(join(run.path, RUN_FILES.scenario))))
    return undefined
  const { name, description } = await readScenario(run.path)
  const group = run.groups.includes(name) ? name : first
  const split =
    declared?.split ??
    run.stats.find((stat) => stat.name.name === metric && stat.name.split !== undefined)?.name.split
  return {
    name: group,
    displayName: group,
    description,
    ...(className(run.scenario) === CONFIGURABLE
      ? { taxonomy: { task: '', what: '', when: '', who: '', language: '' } }
      : {}),
    mainMetric: metric,
    mainSplit: split ?? 'test',
  }
}

/** Whether HELM's own generated schema would show the scenario without being told of it. */
export const isConfigurable = (run: HelmFolder): boolean => className(run.scenario) === CONFIGURABLE
