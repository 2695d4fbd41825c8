import { loadScenario } from './declaration/scenario-module.ts'
import { mapRows } from './declaration/map-rows.ts'
import { rowsOf } from './declaration/rows.ts'
import { readSources } from './declaration/scenario-data.ts'
import type { Arguments } from './declaration/arguments.ts'
import type { Declaration } from './declaration/read-declaration.ts'
import type { Protocol } from './declaration/schema.ts'
import type { DraftInstance } from './scenario/draft.ts'
import type { Instance } from './scenario/instance.ts'
import type { LocalFile } from './sources/remote-file.ts'

/**
 * Declaration + data → instances, in HELM's order.
 * @throws ProblemError with file, row and column for data that can't be read
 */
export const loadInstances = async (
  declaration: Declaration,
  protocol: Protocol,
  args: Arguments,
  files: ReadonlyMap<string, LocalFile>,
): Promise<readonly Instance[]> => {
  const data = await readSources(protocol.data, files)
  const drafts: DraftInstance[] = []
  if (protocol.instances === undefined) {
    const scenario = await loadScenario(declaration.file, declaration.content.name)
    for await (const draft of scenario.instances(data, args.values)) drafts.push(draft)
  } else
    for (const mapping of protocol.instances)
      for (const draft of mapRows(mapping, rowsOf(data, mapping.from))) drafts.push(draft)
  return withoutErrata(numbered(drafts), declaration, protocol)
}

/** HELM numbers all instances by position as soon as one of them lacks an id (medhelm-benchmarks.md §2.0.1). */
export const numbered = (drafts: readonly DraftInstance[]): readonly Instance[] => {
  const own = drafts.every(({ id }) => id !== undefined)
  return drafts.map((draft, index) => ({ ...draft, id: own ? (draft.id ?? '') : `id${index}` }))
}

/** Ids stay as they were, so that an instance has one id under every protocol. */
const withoutErrata = (
  instances: readonly Instance[],
  declaration: Declaration,
  protocol: Protocol,
): readonly Instance[] => {
  const applied = declaration.content.errata.filter(({ id }) => protocol.apply_errata.includes(id))
  const dropped = new Set(applied.flatMap(({ drop }) => drop ?? []))
  return dropped.size === 0 ? instances : instances.filter(({ id }) => !dropped.has(id))
}
