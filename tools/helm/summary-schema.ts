import { defined } from '../../cache/values/defined.ts'
import { readFile, exists } from '../../cache/files/read.ts'
import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { HELM_YAML, parseYaml } from '../../cache/problems/yaml-document.ts'
import {
  completeSchema,
  needsScenarios,
  type ScenarioMetadata,
} from '../../targets/tables/schema/auto-schema.ts'
import { checkSchema } from '../../targets/tables/schema/check-schema.ts'
import { parseSchema } from '../../targets/tables/schema/parse-schema.ts'
import { NO_SCHEMA, type Schema } from '../../targets/tables/schema/schema.ts'
import type { HelmFolder } from './read-suite.ts'
import { join } from 'node:path'
import type { ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import { leadOf, leadsOf } from '../../targets/metrics/catalog.ts'
import { readScenario } from './read-run.ts'
import { RUN_FILES } from './write/write-run.ts'

/** Reads a schema file, YAML 1.1 as HELM reads it, or JSON. @throws ProblemError `tools/no-schema`, `targets/…` */
export const readSchema = async (path: string): Promise<Schema> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw new ProblemError(
      {
        code: 'tools/no-schema',
        message: `There is no schema file at ${path}.`,
        where: { file: path },
        remedy: 'Check --schema-path, or leave it out to have a schema generated from the runs.',
      },
      { cause: error },
    )
  }
  return parseSchema(parseYaml(text, path, { room: 'targets', schema: HELM_YAML }))
}

export type SchemaValidation = 'error' | 'warn' | 'off'

/** @returns what is wrong with the schema. @throws ProblemError with the same under `error` */
export const validateSchema = (schema: Schema, path: string, mode: SchemaValidation): readonly Problem[] => {
  const problems = mode === 'off' ? [] : checkSchema(schema, path)
  if (mode === 'error' && problems.length > 0) throw new ProblemError(problems)
  return problems
}

/** What a declaration says of a run's scenario, as HELM's classes do. */
interface DeclaredScenario extends Pick<
  ScenarioMetadata,
  'displayName' | 'shortDisplayName' | 'description' | 'taxonomy'
> {
  readonly mainMetric?: { readonly name: string; readonly split: string }
}

/** Undefined where no declaration is at hand. */
export type ScenarioLookup = (run: HelmFolder) => Promise<DeclaredScenario | undefined>

/**
 * A schema generated from the runs, or what a given one lacks. Scenarios are described by declarations as far as
 * `scenarioOf` knows them, else by the runs' own files. `helmExact` describes configurable benchmarks alone, as HELM
 * loses those that it can't import.
 */
export const generateSchema = async (
  runs: readonly HelmFolder[],
  scenarioOf: ScenarioLookup | undefined,
  options: { readonly helmExact: boolean },
  given: Schema = NO_SCHEMA,
): Promise<Schema> => {
  const scenarios: ScenarioMetadata[] = []
  for (const run of needsScenarios(given) ? runs : []) {
    if (options.helmExact && !isConfigurable(run)) continue
    const scenario = await scenarioMetadata(run, await scenarioOf?.(run))
    if (scenario !== undefined) scenarios.push(scenario)
  }
  return completeSchema(given, runs, scenarios, options)
}

const CONFIGURABLE = 'MedHELMConfigurableScenario'

const className = (spec: ObjectSpec): string => spec.className.split('.').at(-1) ?? ''

/** A configurable benchmark's first metric is its main one; of other benchmarks none is declared here. */
const mainMetric = (run: HelmFolder): string | undefined =>
  isConfigurable(run) ? leadsOf(run.metrics)[0]?.name : leadOf(run.metrics)

/**
 * What is known of a run's scenario, for a generated schema: no configuration file need still be there.
 * Undefined where the run has no scenario.json, no group or no metric to lead with.
 */
const scenarioMetadata = async (
  run: HelmFolder,
  { mainMetric: declared, displayName, shortDisplayName, ...words }: DeclaredScenario = {},
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
    description,
    // HELM's class for configurable benchmarks calls all by their names.
    ...(isConfigurable(run)
      ? { displayName: group, taxonomy: { task: '', what: '', when: '', who: '', language: '' } }
      : defined({ displayName: displayName ?? group, shortDisplayName, ...words })),
    mainMetric: metric,
    mainSplit: split ?? 'test',
  }
}

/** Whether HELM's own generated schema would show the scenario without being told of it. */
const isConfigurable = (run: HelmFolder): boolean => className(run.scenario) === CONFIGURABLE
