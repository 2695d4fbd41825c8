import { join, resolve } from 'node:path'
import { remembered } from '../../cache/once.ts'
import { defined } from '../../cache/values/defined.ts'
import { isThere, namesIn } from '../../cache/files/read.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { HELM_YAML, parseYaml, type YamlDocument } from '../../cache/problems/yaml-document.ts'
import {
  accessIn,
  declaredAccess,
  discreetBenchmark,
  restrictedData,
  withInheritedAccess,
  type RestrictedData,
} from '../access/access.ts'
import { buildConfigurable, locateFile } from '../configurable/build-configurable.ts'
import { catalogFolder, isInCatalog, type BenchmarkContext } from '../context/context.ts'
import { checkArguments } from '../declaration/arguments.ts'
import { ERRATA_ARGUMENT } from '../declaration/about.ts'
import { buildBenchmark } from '../declaration/build-benchmark.ts'
import { checkDeclaration, readDeclarationYaml, type Declaration } from '../declaration/read-declaration.ts'
import { str } from '../python/numbers/number.ts'
import type { PyValue } from '../python/value.ts'
import type { Benchmark } from '../scenario/benchmark.ts'
import { decodeText, readBytes } from '../sources/read-text.ts'

/** HELM's run spec for a benchmark that a YAML file describes. */
export const CONFIGURABLE = 'medhelm_configurable_benchmark'

/** A benchmark's folder. */
export interface CatalogEntry {
  readonly name: string
  readonly origin: 'workspace' | 'built-in'
  /** Its benchmark.yaml. */
  readonly file: string
}

/**
 * The benchmark of a run entry with its arguments: from the workspace, else a built-in one. Reads declarations only.
 *
 * @param where the run entry, for problems
 * @throws ProblemError `benchmarks/unknown` with the name that was meant; faults of the declaration or the arguments
 */
export const findBenchmark = async (...args: Parameters<typeof findOpenly>): Promise<Benchmark> =>
  fenced(await findOpenly(...args), args[2])

const findOpenly = async (
  name: string,
  args: ReadonlyMap<string, PyValue>,
  context: BenchmarkContext,
  where?: Place,
): Promise<Benchmark> => {
  if (name === CONFIGURABLE) return fromConfigPath(args, context, where)
  const entry = catalogEntry(name, context)
  if (entry === undefined) throw unknown(name, await catalogEntries(context), where)
  return benchmarkOf(await readEntry(entry), args, context, where)
}

/** The benchmark of a declaration that was read. @throws ProblemError as `findBenchmark` */
export const declaredBenchmark = async (...args: Parameters<typeof benchmarkOf>): Promise<Benchmark> =>
  fenced(await benchmarkOf(...args), args[2])

/** With the access that its data has, and discreet where that is not public. */
const fenced = async (benchmark: Benchmark, context: BenchmarkContext): Promise<Benchmark> =>
  discreetBenchmark(
    await withInheritedAccess(
      { ...benchmark, ...(isBuiltIn(benchmark, context) ? {} : { isOwn: true }) },
      () => allRestricted(context),
      context,
    ),
  )

const isBuiltIn = ({ files }: Benchmark, { workspace }: BenchmarkContext): boolean =>
  files.some((file) => isInCatalog(resolve(workspace, file)))

const known = new WeakMap<BenchmarkContext, Promise<readonly RestrictedData[]>>()

/** Data of all benchmarks that are not public; declarations are read once a context. */
const allRestricted = (context: BenchmarkContext): Promise<readonly RestrictedData[]> =>
  remembered(known, context, () => findRestricted(context))

const findRestricted = async (context: BenchmarkContext): Promise<readonly RestrictedData[]> => {
  const all = await Promise.all(
    (await catalogEntries(context)).map(async (entry) => {
      const document = await yamlOf(entry.file)
      const access = declaredAccess(accessIn(document.value), entry.file, context.workspace)
      return access === 'public' ? [] : [restrictedData(entry, access, document, context)]
    }),
  )
  return all.flat()
}

/** A declaration that can't be read is that of a private benchmark. */
const yamlOf = async (file: string): Promise<Pick<YamlDocument, 'file' | 'value'>> => {
  try {
    return await readDeclarationYaml(file)
  } catch (error) {
    if (error instanceof ProblemError) return { file, value: null }
    throw error
  }
}

/** A benchmark's folder with its declaration, read. */
export interface ReadEntry {
  readonly entry: CatalogEntry
  readonly document: YamlDocument
  /** In full form; absent where the document is in HELM's simple form. */
  readonly declaration?: Declaration
}

/** @throws ProblemError with every fault of a declaration in full form */
export const readEntry = async (entry: CatalogEntry): Promise<ReadEntry> => {
  const document = await readDeclarationYaml(entry.file)
  return isConfigurable(document)
    ? { entry, document }
    : { entry, document, declaration: checkDeclaration(document) }
}

const benchmarkOf = async (
  { entry, document, declaration }: ReadEntry,
  args: ReadonlyMap<string, PyValue>,
  context: BenchmarkContext,
  where?: Place,
): Promise<Benchmark> => {
  if (declaration !== undefined) return buildBenchmark(declaration, args, context, where)
  const { name, origin } = entry
  const configPath = `benchmarks/${origin === 'built-in' ? 'catalog/' : ''}${name}/benchmark.yaml`
  return buildConfigurable({ document, name, configPath, inFolder: true }, args, context, where)
}

/** The benchmark of that name: the workspace's, else a built-in one. */
export const catalogEntry = (
  name: string,
  context: Pick<BenchmarkContext, 'workspace'>,
): CatalogEntry | undefined =>
  /[\\/]/.test(name)
    ? undefined
    : folders(context)
        .map(({ folder, origin }) => ({ name, origin, file: join(folder, name, 'benchmark.yaml') }))
        .find(({ file }) => isThere(file))

/** All benchmarks by name; a workspace's benchmark hides a built-in one of the same name. */
export const catalogEntries = async (
  context: Pick<BenchmarkContext, 'workspace'>,
): Promise<readonly CatalogEntry[]> => {
  const entries = new Map<string, CatalogEntry>()
  for (const { folder, origin } of folders(context)) {
    for (const name of namesIn(folder)) {
      const file = join(folder, name, 'benchmark.yaml')
      if (!entries.has(name) && isThere(file)) entries.set(name, { name, origin, file })
    }
  }
  return [...entries.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The simple form has no protocols. */
export const isConfigurable = ({ value }: YamlDocument): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !('protocols' in value) &&
  ['prompt_file', 'dataset_file', 'metrics'].some((key) => key in value)

const folders = ({
  workspace,
}: Pick<BenchmarkContext, 'workspace'>): readonly { folder: string; origin: CatalogEntry['origin'] }[] => [
  { folder: join(workspace, 'benchmarks'), origin: 'workspace' },
  { folder: catalogFolder(), origin: 'built-in' },
]

const fromConfigPath = async (
  args: ReadonlyMap<string, PyValue>,
  context: BenchmarkContext,
  where?: Place,
): Promise<Benchmark> => {
  const declared = {
    config_path: { type: 'text', kind: 'path', about: 'the benchmark as a YAML file' },
  } as const
  const own = new Map([...args].filter(([name]) => name !== ERRATA_ARGUMENT))
  const { values } = checkArguments(own, declared, defined({ benchmark: CONFIGURABLE, where }))
  const configPath = str(values.get('config_path') ?? '')
  const file = locateFile(configPath, [context.cwd], 'configuration', where)
  const text = decodeText(await readBytes(file, 'configuration'), file)
  // HELM reads these files as YAML 1.1, where 010 is eight.
  const document = parseYaml(text, file, { room: 'benchmarks', schema: HELM_YAML })
  return buildConfigurable(
    { document, name: CONFIGURABLE, configPath, inFolder: false },
    new Map([...args].filter(([name]) => name === ERRATA_ARGUMENT)),
    context,
    where,
  )
}

const unknown = (name: string, entries: readonly CatalogEntry[], where?: Place): ProblemError => {
  const names = entries.map((entry) => entry.name)
  const shown = names.filter((known) => entries.length <= 12 || known[0] === name[0])
  const [begin = '', ...rest] = name.split(',')
  // HELM's names of runs have some arguments before the colon.
  const meant =
    rest.length > 0 && names.includes(begin)
      ? `In a run entry arguments follow a colon: \`${begin}:${rest.join(',')},…\`. `
      : suggestion(name, [...names, CONFIGURABLE])
  const known = `Known ${shown.length < names.length ? 'with that first letter' : 'ones'}: ${shown.join(', ')}.`
  return new ProblemError({
    code: 'benchmarks/unknown',
    message: `there is no benchmark ${JSON.stringify(name)}`,
    ...(where === undefined ? {} : { where }),
    remedy:
      meant +
      (shown.length === 0 ? '`medmake data status` lists all.' : known) +
      // HELM finds run specs in Python, which nothing here reads.
      (meant === '' && /^\w[\w-]*$/.test(name)
        ? ` \`medmake benchmark new ${name}\` makes one of your own.`
        : ''),
  })
}
