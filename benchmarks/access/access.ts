import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, resolve, sep } from 'node:path'
import { z } from 'zod'
import { filesBelow } from '../../cache/files/folders.ts'
import { readFileSync } from '../../cache/files/read.ts'
import { groupBy } from '../../cache/lists.ts'
import { remembered } from '../../cache/once.ts'
import type { YamlDocument } from '../../cache/problems/yaml-document.ts'
import { isInCatalog, type BenchmarkContext } from '../context/context.ts'
import { dataFolder } from '../declaration/data/locate.ts'
import type { Access, Benchmark } from '../scenario/benchmark.ts'
import { fileDigest } from '../sources/read-text.ts'
import { packageRoot } from '../../cache/package-root.ts'
import { aboutFields } from '../declaration/about.ts'
import { discreetError } from '../../cache/problems/withheld.ts'
import { withholdStrays } from '../../cache/user-code/guards.ts'
import type { Instance } from '../scenario/instance.ts'

/** Where a benchmark that is not public keeps its data: files, and folders all of whose files are its data. */
export interface RestrictedData {
  readonly benchmark: string
  readonly access: Exclude<Access, 'public'>
  readonly places: readonly string[]
}

/**
 * A benchmark that says it is public, with the access of another one's data that it reads: a copy, or another
 * declaration over the same file, opens nothing. Equal files without a row are no copies.
 */
export const withInheritedAccess = async (
  benchmark: Benchmark,
  restricted: () => Promise<readonly RestrictedData[]>,
  context: Pick<BenchmarkContext, 'fileDigests'>,
): Promise<Benchmark> => {
  const own = (benchmark.data ?? []).flatMap(filesBelow).filter((file) => !isInCatalog(file))
  if (benchmark.access !== 'public' || own.length === 0) return benchmark
  const others = (await restricted()).filter((other) => other.benchmark !== benchmark.name)
  for (const other of others.toSorted(byAccess)) {
    const { all, bySize } = remembered(known, other, () => filesOf(other))
    for (const file of own)
      if (all.has(file) || (await isCopied(file, bySize.get(String(sizeOf(file))) ?? [], context)))
        return {
          ...benchmark,
          access: other.access,
          accessReason: `${basename(file)} is data of ${other.benchmark}`,
        }
  }
  return benchmark
}

interface RestrictedFiles {
  readonly all: ReadonlySet<string>
  /** Whole data sets are not digested to find a copy: nearly none is of the same size. */
  readonly bySize: ReadonlyMap<string, readonly string[]>
}

/** Each benchmark that is public asks for them, and there may be tens of thousands. */
const known = new WeakMap<RestrictedData, RestrictedFiles>()

const filesOf = ({ places }: RestrictedData): RestrictedFiles => {
  const all = new Set(places.flatMap(filesBelow))
  return { all, bySize: groupBy([...all].filter(isData), (path) => String(sizeOf(path))) }
}

const byAccess = (a: RestrictedData, b: RestrictedData): number =>
  Number(a.access === 'gated') - Number(b.access === 'gated')

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size

/** Whether the file is equal to one of those of its size. */
const isCopied = async (
  file: string,
  theirs: readonly string[],
  { fileDigests }: Pick<BenchmarkContext, 'fileDigests'>,
): Promise<boolean> => {
  if (theirs.length === 0 || !holdsRows(file, sizeOf(file) ?? 0)) return false
  const digest = await fileDigest(file, fileDigests)
  for (const other of theirs) if ((await fileDigest(other, fileDigests)) === digest) return true
  return false
}

/** Rubrics and prompts are shared; they are read in the open, too. */
const isData = (file: string): boolean => !/\.(?:ya?ml|txt|md|[cm]?[jt]s)$/.test(file)

/** A table's header alone, or an empty list, tells of nobody and is the same in many places. */
const holdsRows = (file: string, size: number): boolean => {
  if (size > 4096) return true
  const text = readFileSync(file, 'latin1').trim()
  return /\.[ct]sv$/.test(file) ? /[\r\n]/.test(text) : !['', '[]', '{}'].includes(text.replace(/\s/g, ''))
}

/** Of a benchmark that is not public: its declaration's folder, the files that it names, where its data is looked for. */
export const restrictedData = (
  { name, origin }: { readonly name: string; readonly origin: 'workspace' | 'built-in' },
  access: RestrictedData['access'],
  document: Pick<YamlDocument, 'file' | 'value'>,
  context: Pick<BenchmarkContext, 'dataPath'>,
): RestrictedData => ({
  benchmark: name,
  access,
  places: [
    ...(origin === 'workspace' ? [dirname(document.file), ...namedPlaces(document)] : []),
    dataFolder(name, context),
  ],
})

/** As far as a declaration in either form names files; of a path with an argument the folder before it. */
const namedPlaces = ({ file, value }: Pick<YamlDocument, 'file' | 'value'>): readonly string[] => {
  const { data: named, success } = Named.safeParse(value)
  if (!success) return []
  const paths = [
    ...(named.dataset_file === undefined ? [] : [named.dataset_file]),
    ...named.protocols.flatMap(({ data }) => Object.values(data).flatMap(({ path }) => path ?? [])),
  ]
  return paths.map((path) => {
    const [fixed = '', ...filled] = path.split('{')
    return resolve(dirname(file), filled.length === 0 ? fixed : dirname(`${fixed}x`))
  })
}

const Named = z.looseObject({
  dataset_file: z.string().optional().catch(undefined),
  protocols: z
    .array(
      z.looseObject({
        data: z.record(z.string(), z.looseObject({ path: z.string().optional() })).catch({}),
      }),
    )
    .catch([]),
})

/**
 * The access that a declaration has, which is private until it says otherwise. Only a file of the workspace, which its
 * owners review, or of this package can say otherwise: a file from elsewhere may name any table.
 *
 * @param file the declaration, which exists
 */
export const declaredAccess = (declared: Access | undefined, file: string, workspace: string): Access =>
  declared !== undefined && [workspace, packageRoot()].some((root) => isInside(file, root))
    ? declared
    : 'private'

/** The same with the reason, where the declaration says otherwise. */
export const accessOf = (
  declared: Access | undefined,
  file: string,
  workspace: string,
): Pick<Benchmark, 'access' | 'accessReason'> => {
  const access = declaredAccess(declared, file, workspace)
  return declared === undefined || access === declared
    ? { access }
    : { access, accessReason: 'it is declared outside of the workspace' }
}

const isInside = (file: string, root: string): boolean =>
  realpathSync(file).startsWith(realpathSync(root) + sep)

/** What a declaration in either form says of its access; nothing where it says something else. */
export const accessIn = (value: unknown): Access | undefined =>
  aboutFields.access.catch(undefined).parse((value as { readonly access?: unknown } | null)?.access)

/** The benchmark itself where its texts are public; else one whose errors quote nothing of its data. */
export const discreetBenchmark = (benchmark: Benchmark): Benchmark => {
  const { access, queries } = benchmark
  if (access === 'public') return benchmark
  withholdStrays()
  const discreetly = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw discreetError(error)
    }
  }
  return {
    ...benchmark,
    ...(queries === undefined ? {} : { queries: { ...queries, locate: () => discreetly(queries.locate()) } }),
    identity: () => discreetly(benchmark.identity()),
    instances: (onSkipped) => discreetInstances(benchmark, onSkipped),
  }
}

async function* discreetInstances(
  benchmark: Benchmark,
  onSkipped: Parameters<Benchmark['instances']>[0],
): AsyncGenerator<Instance> {
  try {
    yield* benchmark.instances(onSkipped)
  } catch (error) {
    throw discreetError(error)
  }
}
