import { join } from 'node:path'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { groupTables } from '../../../targets/tables/group-tables.ts'
import type { TableContext } from '../../../targets/tables/group-table.ts'
import type { Grouping } from '../../../targets/tables/grouped-runs.ts'
import { groupsIndex } from '../../../targets/tables/groups-index.ts'
import { latex } from '../../../targets/tables/latex.ts'
import type { RunGroup } from '../../../targets/tables/schema/schema.ts'
import type { HelmTable } from '../../../targets/tables/table.ts'
import { list } from '../forms/form.ts'
import { jsonChunks, writeChangedFile } from './staged-file.ts'
import { joinPath } from '../read-suite.ts'
import { taxonomyForm, tableForm } from '../forms/schema-form.ts'

/** A plain dict in HELM, so None is written. */
const metadata = ({ displayName, description, taxonomy }: RunGroup): PyValue =>
  new Map<string, PyValue>([
    ['display_name', displayName ?? null],
    ['description', description ?? null],
    ['taxonomy', taxonomy === undefined ? null : taxonomyForm.write(taxonomy)],
  ])

/** Where tables are written, and the path by which their links name that place. */
interface GroupsPlace {
  readonly directory: string
  readonly shown: string
}

/**
 * Writes a table in both forms and links to them.
 * @throws ProblemError `tools/group-name` for a group whose name can't be a file's: it would lie elsewhere
 */
const writeTable = async (
  table: HelmTable,
  group: RunGroup,
  { directory, shown }: GroupsPlace,
): Promise<HelmTable> => {
  if (group.name.includes('/'))
    throw new ProblemError({
      code: 'tools/group-name',
      message: `Tables are files named after their run group, and ${JSON.stringify(group.name)} holds a /.`,
      where: { field: 'run_groups' },
      remedy: 'Rename the group, in the schema and in the runs.',
    })
  const base = `${group.name}_${table.name ?? ''}`
  const latexPath = (root: string): string => joinPath(root, 'groups', 'latex', `${base}.tex`)
  const jsonPath = (root: string): string => joinPath(root, 'groups', 'json', `${base}.json`)
  const links = [
    ...table.links,
    { text: 'LaTeX', href: latexPath(shown) },
    { text: 'JSON', href: jsonPath(shown) },
  ]
  const linked = { ...table, links }
  await writeChangedFile(latexPath(directory), [latex(table, group.name)])
  await writeChangedFile(jsonPath(directory), jsonChunks(tableForm.write(linked)))
  return linked
}

/** Writes groups.json, groups_metadata.json and all tables below groups/ (HELM.md F3). */
export const writeGroups = async (
  place: GroupsPlace,
  grouped: Grouping,
  context: TableContext,
): Promise<void> => {
  const { index } = context
  const { runGroups } = index.schema
  const file = (name: string): string => join(place.directory, name)
  await writeChangedFile(file('groups.json'), jsonChunks(list(tableForm).write(groupsIndex(grouped, index))))
  const described = new Map(runGroups.map((group) => [group.name, metadata(group)]))
  await writeChangedFile(file('groups_metadata.json'), jsonChunks(described))
  for (const group of runGroups) {
    const tables: HelmTable[] = []
    for (const table of groupTables(group, grouped, context)) {
      tables.push(await writeTable(table, group, place))
    }
    if (tables.length === 0) continue
    await writeChangedFile(file(`groups/${group.name}.json`), jsonChunks(list(tableForm).write(tables)))
  }
}
