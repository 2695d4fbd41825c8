import type { RunSpec } from '../../../targets/record/run-spec.ts'
import { list, record, text, type Form } from './form.ts'

/** What scenario.json holds. */
export interface HelmScenario {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly definitionPath: string
}

/** Scenario in HELM's order (HELM.md F2). */
export const scenarioForm: Form<HelmScenario> = record<HelmScenario>({
  name: text,
  description: text,
  tags: list(text),
  definitionPath: text,
})

/** A run's scenario as HELM shows it. */
export const helmScenario = (run: RunSpec): HelmScenario => {
  const { name, description, tags, definitionPath } = run.benchmark.scenario
  return { name, description, tags, definitionPath }
}
