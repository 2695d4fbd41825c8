import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { readFile } from '../../../cache/files/read.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { any, texts, type Form } from '../../helm/forms/form.ts'
import { arrayChunks, stampOf, writeWholeFile } from '../../helm/write/staged-file.ts'
import { readElements, readJson } from '../../helm/read-json.ts'
import { runSpecForm } from '../../helm/forms/run-spec.ts'
import type { FolderAccess } from '../content/run-access.ts'

/** What a suite or a release holds beside runs: tables, and what describes them. */
const TABLES: ReadonlySet<string> = new Set([
  'costs.json',
  'groups.json',
  'groups_metadata.json',
  'runs_to_run_suites.json',
  'schema.json',
  'summary.json',
])

/** Lists of all runs, whose specs repeat instructions and rubrics: the key of the spec in an element, none for itself. */
const LISTS: ReadonlyMap<string, string | undefined> = new Map([
  ['runs.json', 'run_spec'],
  ['run_specs.json', undefined],
])

/**
 * The files below an output path that may be handed out: those of public runs, and tables of all. Tables by sub-splits,
 * of which one may be a patient's, are handed out where all runs are public.
 */
export interface OpenPages {
  /**
   * @param path below the output path, which exists
   * @returns the file to hand out in its place; undefined where there is none
   */
  fileFor(path: string): Promise<string | undefined>
}

/** @param temporary a folder of ours for lists that have to be shortened */
export const createOpenRuns = (output: string, access: FolderAccess, temporary: string): OpenPages => ({
  fileFor: async (path) => {
    const root = await realpath(output)
    const file = await realpath(join(root, path))
    // A link counts as what it leads to.
    const [kind, scope, part = '', ...rest] = relative(root, file).split(sep)
    if (scope === undefined || (kind !== 'runs' && kind !== 'releases')) return undefined
    const folder = join(root, kind, scope)
    if (part === 'groups' || (rest.length === 0 && TABLES.has(part)))
      return (await namesSubSplits(file)) && !(await areOpen({ folder, root, access })) ? undefined : file
    if (rest.length === 0 && LISTS.has(part)) return openList(file, { part, folder, root, access, temporary })
    if (rest.length === 0 || kind === 'releases') return undefined
    return (await access.ofFolder(join(folder, part))) === 'public' ? file : undefined
  },
})

/** In a table's title or its file's name, or as what a schema lists. */
const namesSubSplits = async (file: string): Promise<boolean> =>
  basename(file).includes(':sub_split=') ||
  /\(sub-split: |"sub_splits": \[/.test(await readFile(file, 'utf8'))

/** Whether all runs of a suite or release are public. */
const areOpen = async (place: Omit<List, 'part'>): Promise<boolean> => {
  const part = 'run_specs.json'
  const file = join(place.folder, part)
  let all = 0
  let open = 0
  for await (const _ of readElements({ file, key: '' }, any)) all += 1
  for await (const _ of openElements(file, { ...place, part })) open += 1
  return open === all
}

interface List {
  readonly part: string
  /** Of the suite or release. */
  readonly folder: string
  /** The output path. */
  readonly root: string
  readonly access: FolderAccess
}

const openList = async (file: string, list: List & { readonly temporary: string }): Promise<string> => {
  const stamp = stampOf(dirname(file), [basename(file)])
  const name = createHash('sha256').update(`${file} ${stamp}`).digest('hex')
  const copy = join(list.temporary, `${name}.json`)
  await writeWholeFile(
    copy,
    arrayChunks(openElements(file, list), (value) => value),
  )
  return copy
}

async function* openElements(file: string, { part, folder, root, access }: List): AsyncGenerator<PyValue> {
  const suites = await readJson(join(folder, 'runs_to_run_suites.json'), texts)
  for await (const { value, spec } of readElements({ file, key: '' }, listed(LISTS.get(part)))) {
    const directory = join(root, 'runs', suites.get(spec.name) ?? '', spec.name)
    if ((await access.of(spec, directory)) === 'public') yield value
  }
}

/** An element as it stands, with the spec that it holds. */
const listed = (key: string | undefined): Pick<Form<Listed>, 'read'> => ({
  read: (value, at) => ({
    value: any.read(value, at),
    spec: runSpecForm.read(
      key === undefined || !(value instanceof Map) ? value : ((value.get(key) as PyValue) ?? null),
      at,
    ),
  }),
})

interface Listed {
  readonly value: PyValue
  readonly spec: ReturnType<typeof runSpecForm.read>
}
