import { readdir, stat } from 'node:fs/promises'
import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import type { BenchmarkContext } from '../context/context.ts'
import type { Obtain } from '../declaration/about.ts'
import { dataFolder } from '../declaration/data/locate.ts'
import { protocolFor } from '../declaration/read-declaration.ts'
import type { Protocol } from '../declaration/schema.ts'
import { argumentChoices } from './argument-choices.ts'
import { catalogEntries, declaredBenchmark, readEntry, type CatalogEntry, type ReadEntry } from './find.ts'
import { heldAccess } from './held-access.ts'
import { repr } from '../python/numbers/number.ts'
import type { PyValue } from '../python/value.ts'
import type { Access } from '../scenario/benchmark.ts'

/** `missing`: nothing or not all of it is here; `mismatched`: what is here is not what the benchmark needs. */
type DataCondition = 'ready' | 'missing' | 'mismatched'

/** How a benchmark's data stands; a benchmark with a choice, e.g. of a condition, has a variant for each. */
export interface DataStatus {
  readonly name: string
  readonly access: Access
  /** Why that is not what its declaration says. */
  readonly accessReason?: string
  readonly condition: DataCondition
  /** Whether `data fetch` can get it. */
  readonly fetchable: boolean
  /** Where the user's own files are looked for unless a run entry says otherwise. */
  readonly folder: string
  readonly obtain?: Obtain
  readonly variants: readonly DataVariant[]
}

export interface DataVariant {
  readonly args: ReadonlyMap<string, PyValue>
  readonly condition: DataCondition
  /** Why it is not ready. */
  readonly problems: readonly Problem[]
}

/** Data up to this many bytes is read through; of larger data only presence and digests are looked at. */
const READ_BYTES = 8_000_000

/** How the data of all benchmarks stands, by name; a faulty declaration stands for what is mismatched. Nothing is downloaded or written. */
export const dataStatus = async (
  context: BenchmarkContext,
  options: DataStatusOptions = {},
): Promise<readonly DataStatus[]> => {
  // Without network and without a word in datasets.lock: what is not here counts as missing.
  const offline = { ...context, mirror: context.mirror ?? context.dataPath, readOnly: true }
  const all = await Promise.all(
    (await catalogEntries(context)).map(async (entry) => {
      try {
        return await statusOf(entry, offline, options)
      } catch (error) {
        if (error instanceof ProblemError) return faultyStatus(entry, context, error.problems)
        throw error
      }
    }),
  )
  return all.filter((status) => status !== undefined)
}

const faultyStatus = (
  { name }: CatalogEntry,
  context: BenchmarkContext,
  problems: readonly Problem[],
): DataStatus => ({
  name,
  access: 'private',
  condition: 'mismatched',
  fetchable: false,
  folder: dataFolder(name, context),
  variants: [{ args: new Map(), condition: 'mismatched', problems }],
})

interface DataStatusOptions {
  /** Reads all data, however large. */
  readonly full?: boolean
  /** Arguments of run entries by benchmark: those that name data are looked at in place of its own folder. */
  readonly entries?: ReadonlyMap<string, readonly ReadonlyMap<string, PyValue>[]>
}

const statusOf = async (
  entry: CatalogEntry,
  context: BenchmarkContext,
  { full = false, entries = new Map() }: DataStatusOptions,
): Promise<DataStatus | undefined> => {
  const read = await readEntry(entry)
  const declared = read.declaration?.content
  // What can't be run is not fetched either.
  if (declared?.needs !== undefined) return undefined
  const protocol = declared && protocolFor(declared, context.protocol)
  const folder = dataFolder(entry.name, context)
  const choices = argumentChoices(protocol).flatMap((args) =>
    dataArguments(protocol, entries.get(entry.name)).map((places) => new Map([...args, ...places])),
  )
  const variants = await Promise.all(choices.map((args) => variantOf(read, args, context, full)))
  return {
    name: entry.name,
    ...(await heldAccess(read, context, choices)),
    condition: worst(variants),
    fetchable: isFetchable(protocol),
    folder,
    ...(declared?.obtain === undefined ? {} : { obtain: declared.obtain }),
    variants,
  }
}

/** Where run entries say that the data lies, each place once; one without any for the benchmark's own folder. */
const dataArguments = (
  protocol: Protocol | undefined,
  entries: readonly ReadonlyMap<string, PyValue>[] = [],
): readonly ReadonlyMap<string, PyValue>[] => {
  const declared = protocol?.arguments ?? {}
  const places = entries.map((args) => [...args].filter(([name]) => declared[name]?.kind === 'data'))
  const distinct = new Map(
    places.map((each) => [JSON.stringify(each.map(([name, path]) => [name, repr(path)])), each]),
  )
  return distinct.size === 0 ? [new Map()] : [...distinct.values()].map((each) => new Map(each))
}

const worst = (variants: readonly DataVariant[]): DataCondition => {
  const has = (condition: DataCondition): boolean =>
    variants.some((variant) => variant.condition === condition)
  if (has('mismatched')) return 'mismatched'
  return has('missing') ? 'missing' : 'ready'
}

/** Whether some of the data lies on the web. */
export const isFetchable = (protocol: Protocol | undefined): boolean =>
  Object.values(protocol?.data ?? {}).some(({ path, local }) => path === undefined && local === undefined)

const variantOf = async (
  declared: ReadEntry,
  args: ReadonlyMap<string, PyValue>,
  context: BenchmarkContext,
  full: boolean,
): Promise<DataVariant> => {
  try {
    const benchmark = await declaredBenchmark(declared, args, context)
    await benchmark.identity()
    if (full || (await bytesIn(dataFolder(declared.entry.name, context))) <= READ_BYTES)
      for await (const _ of benchmark.instances());
    return { args, condition: 'ready', problems: [] }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const missing = error.problems.every(({ code }) => MISSING.has(code))
    return { args, condition: missing ? 'missing' : 'mismatched', problems: error.problems }
  }
}

const MISSING: ReadonlySet<string> = new Set([
  'benchmarks/missing-data',
  'benchmarks/missing-file',
  'benchmarks/not-mirrored',
])

/** Bytes of a folder's files; a benchmark whose data lies elsewhere is not read through. */
const bytesIn = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => undefined)
  if (entries === undefined) return Infinity
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async (entry) => (await stat(`${entry.parentPath}/${entry.name}`)).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
