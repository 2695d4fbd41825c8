/** A row of a table. */
export interface ScenarioRow {
  /** By column. Cells of CSV files are texts. */
  readonly cells: ReadonlyMap<string, unknown>
}

export interface ScenarioTable {
  readonly columns: readonly string[]
  readonly rows: Iterable<ScenarioRow>
}

/** The data that the declaration names, read. */
export interface ScenarioData {
  readonly tables: ReadonlyMap<string, ScenarioTable>
}

export interface ScenarioInstance {
  /** Of all instances or of none, which are then numbered by position. */
  readonly id?: string
  readonly input: { readonly text: string }
  /** `tags: ['correct']` marks right answers. */
  readonly references: readonly { readonly text: string; readonly tags: readonly string[] }[]
  readonly split: 'train' | 'valid' | 'test'
  readonly subSplit?: string
  readonly extraData?: ReadonlyMap<string, unknown>
  /** What instances of one source share, such as a patient. */
  readonly cluster?: string
  /** What is known of it beside what is asked; benchmark.yaml's `attributes` says by which scores are shown. */
  readonly attributes?: Readonly<Record<string, string>>
}

export type ScenarioDefinition = (
  data: ScenarioData,
  /** Arguments of the run entry, and what the declaration says that they imply. */
  args: ReadonlyMap<string, unknown>,
) => Iterable<ScenarioInstance> | AsyncIterable<ScenarioInstance>

/**
 * A scenario of a workspace: `export const instances = defineScenario((data, args) => …)` in
 * `benchmarks/<name>/scenario.ts`, for data that no mapping of rows can describe. Its order is the instances' order.
 */
export const defineScenario = (instances: ScenarioDefinition): ScenarioDefinition => instances
