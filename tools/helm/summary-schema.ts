import { YAML11_SCHEMA } from 'js-yaml'
import { readFile } from '../../cache/plain-file.ts'
import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { parseYaml } from '../../cache/problems/yaml-document.ts'
import { autoSchema, type ScenarioMetadata } from '../../targets/tables/schema/auto-schema.ts'
import { checkSchema } from '../../targets/tables/schema/check-schema.ts'
import { parseSchema } from '../../targets/tables/schema/parse-schema.ts'
import type { Schema } from '../../targets/tables/schema/schema.ts'
import type { HelmFolder } from './read-suite.ts'
import { isConfigurable, scenarioMetadata } from './scenario-metadata.ts'

/** Reads a schema file, YAML 1.1 as HELM reads it, or JSON. @throws ProblemError `tools/no-schema`, `targets/…` */
export const readSchema = async (path: string): Promise<Schema> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
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
  return parseSchema(parseYaml(text, path, { room: 'targets', schema: YAML11_SCHEMA }))
}

export type SchemaValidation = 'error' | 'warn' | 'off'

/** @returns what is wrong with the schema. @throws ProblemError with the same under `error` */
export const validateSchema = (schema: Schema, path: string, mode: SchemaValidation): readonly Problem[] => {
  const problems = mode === 'off' ? [] : checkSchema(schema, path)
  if (mode === 'error' && problems.length > 0) throw new ProblemError(problems)
  return problems
}

/** Tells a generated schema of a run's declared main metric; undefined where nobody declared one. */
export type MainMetricLookup = (
  run: HelmFolder,
) => Promise<{ readonly name: string; readonly split: string } | undefined>

/**
 * A schema generated from the runs. Scenarios are described by the runs' own files, their main metrics by declarations
 * as far as `mainMetricOf` knows them. `helmExact` describes configurable benchmarks alone, as HELM loses the others.
 */
export const generateSchema = async (
  runs: readonly HelmFolder[],
  mainMetricOf: MainMetricLookup | undefined,
  options: { readonly helmExact: boolean },
): Promise<Schema> => {
  const scenarios: ScenarioMetadata[] = []
  for (const run of runs) {
    if (options.helmExact && !isConfigurable(run)) continue
    const scenario = await scenarioMetadata(run, await mainMetricOf?.(run))
    if (scenario !== undefined) scenarios.push(scenario)
  }
  return autoSchema(runs, scenarios, options)
}
