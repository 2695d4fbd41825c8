import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join, parse, basename, relative } from 'node:path'
import { z } from 'zod'
import { filesBelow } from '../../cache/files/folders.ts'
import { readFileSync } from '../../cache/files/read.ts'
import { packageRoot } from '../../cache/package-root.ts'
import { ProblemError, reasonOf, type Problem } from '../../cache/problems/problem.ts'
import { faultsOf } from '../../cache/problems/zod-problems.ts'
import { boundedCall } from '../../cache/user-code/bounded-call.ts'
import { loadCode } from '../../cache/user-code/load-code.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { CODE_ENDINGS, codeEntry } from '../../cache/user-code/code-entry.ts'
import { codeFiles } from '../../cache/user-code/code-files.ts'
import { isInCatalog } from '../context/context.ts'
import type { MetricCatalog } from '../scenario/metric-catalog.ts'

/** Kinds of code that a workspace brings in a folder of `targets/`, by what a file of it exports. */
type CodeKind = 'metric' | 'annotator'

/** Where the workspace's code of that kind lies; it need not be there. */
const codeFolder = (workspace: string, kind: CodeKind): string => join(workspace, 'targets', `${kind}s`)

/** File of the workspace's code of that id; undefined where it has none. @throws those of `codeEntry` */
export const codeFile = (workspace: string, kind: CodeKind, id: string): string | undefined =>
  /^[\w.-]+$/.test(id) ? codeEntry(codeFolder(workspace, kind), id) : undefined

/** What else lies beside is what they import. An ES module's export, or CommonJS's. */
const exporting = (kind: CodeKind): RegExp =>
  new RegExp(
    String.raw`\bexport\s+(?:const|let|var)\s+${kind}\b|\bexports?\s*(?:=\s*)?\{[^}]*\b${kind}\b|\bexports\.${kind}\s*=`,
  )

/** Names of the files that may hold code of that kind, or what it imports; medmake's own is no workspace's. */
const codeNames = (workspace: string, kind: CodeKind): readonly string[] => {
  const folder = codeFolder(workspace, kind)
  if (workspace === packageRoot() || !existsSync(folder)) return []
  return readdirSync(folder).filter((name) => CODE_ENDINGS.some((ending) => name.endsWith(ending)))
}

/** Ids of the workspace's code of that kind, sorted. */
export const codeIds = (workspace: string, kind: CodeKind): readonly string[] => {
  const names = codeNames(workspace, kind).filter((name) =>
    exporting(kind).test(readFileSync(join(codeFolder(workspace, kind), name), 'utf8')),
  )
  return [...new Set(names.map((name) => parse(name).name))].sort((a, b) => (a < b ? -1 : 1))
}

/** The first of them where several define it: to whom that matters `codeFile` says so. */
const someFile = (workspace: string, kind: CodeKind, id: string): string =>
  CODE_ENDINGS.map((ending) => join(codeFolder(workspace, kind), id + ending)).find(existsSync) ?? ''

const HELPERS: Readonly<Record<CodeKind, string>> = { metric: 'defineMetric', annotator: 'defineAnnotator' }

/**
 * What a file of the workspace's code exports under the name of its kind, checked.
 * @throws ProblemError `metrics/code` or `annotators/code` with what the file lacks, those of `loadCode`
 */
export const readModule = async <T>(kind: CodeKind, file: string, definition: z.ZodType<T>): Promise<T> => {
  try {
    const module = await loadCode(file, `${kind}s`)
    const names = Object.keys(module as object)
    if (!names.includes(kind))
      throw codeProblem(kind, file, `it exports ${names.join(', ') || 'nothing'}, and no ${kind}`)
    const parsed = boundedCall(file, () => z.object({ [kind]: definition }).safeParse(module))
    if (!parsed.success) throw codeProblem(kind, file, faultsOf(parsed.error))
    return parsed.data[kind] as T
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw codeProblem(kind, file, reasonOf(error), error)
  }
}

export const codeProblem = (kind: CodeKind, file: string, reason: string, cause?: unknown): ProblemError =>
  new ProblemError(
    {
      code: `${kind}s/code`,
      message: `${basename(file)} can't be used: ${reason}`,
      where: { file },
      remedy: `Export \`${kind}\`, as \`${HELPERS[kind]}\` of 'medmake' describes it.`,
    },
    { cause },
  )

/** Names by which declarations, of either form, ask for built-in metrics. */
const takenNames = ({ sets }: MetricCatalog): ReadonlySet<string> =>
  new Set(sets.flatMap(({ name, simple = [] }) => [name, ...simple]))

/** The workspace's metrics that no declaration can reach: a built-in one has their name. */
export const shadowedMetrics = (workspace: string, catalog: MetricCatalog): readonly string[] => {
  const taken = takenNames(catalog)
  return codeIds(workspace, 'metric').filter((id) => taken.has(id))
}

/**
 * A declaration of the workspace that names a built-in metric may mean the workspace's own of that name: neither is
 * taken for the other. Declarations of the catalog mean ours.
 * @throws ProblemError `benchmarks/metric-name-taken`
 */
export const refuseShadowed = (name: string, file: string, workspace: string): void => {
  if (isInCatalog(file) || !codeIds(workspace, 'metric').includes(name)) return
  throw new ProblemError(shadowed(name, workspace))
}

const shadowed = (name: string, workspace: string): Problem => {
  const file = someFile(workspace, 'metric', name)
  return {
    code: 'benchmarks/metric-name-taken',
    message: `${name} is the name of a built-in metric: the workspace's own of that name is never used`,
    where: { file },
    remedy: `Give ${relative(workspace, file)} and its measure ${name} another name.`,
  }
}

/** The workspace's code that is never run, whatever declarations name. */
export const idleCode = (workspace: string, catalog: MetricCatalog): readonly Problem[] => [
  ...shadowedMetrics(workspace, catalog).map((name) => shadowed(name, workspace)),
  ...(['metric', 'annotator'] as const).flatMap((kind) =>
    withoutExport(workspace, kind).map((file): Problem => ({
      code: `${kind}s/no-export`,
      message: `${relative(workspace, file)} exports no \`${kind}\`, and no ${kind} imports it: it is never used`,
      where: { file },
      remedy: `Write \`export const ${kind} = …\` in it, or remove it.`,
    })),
  ),
  ...unnamed(workspace, catalog),
]

/** Code that no declaration names; a name that is nearly its own may be meant for it. */
const unnamed = (workspace: string, catalog: MetricCatalog): readonly Problem[] => {
  const taken = takenNames(catalog)
  return (['metric', 'annotator'] as const).flatMap((kind) => {
    const ids = codeIds(workspace, kind).filter((id) => !taken.has(id))
    const words = ids.length === 0 ? new Set<string>() : declaredWords(workspace)
    return ids
      .filter((id) => !words.has(id))
      .map((id) => unusedCode(workspace, someFile(workspace, kind, id), `benchmark.yaml's ${kind}s`, words))
  })
}

/**
 * What is told of a file of code that nothing names.
 * @param place where it would be named
 * @param words names that stand there
 */
export const unusedCode = (
  workspace: string,
  file: string,
  place: string,
  words: Iterable<string>,
): Problem => ({
  code: 'code/unused',
  message: `${relative(workspace, file)} is named nowhere: it is never used`,
  where: { file },
  remedy: `${suggestion(parse(file).name, words)}Name it under ${place}, or remove it.`,
})

/** The words of the workspace's declarations of benchmarks, those of comments left out. */
const declaredWords = (workspace: string): ReadonlySet<string> => {
  const files = filesBelow(join(workspace, 'benchmarks')).filter((name) => /\.ya?ml$/.test(name))
  return new Set(
    files.flatMap(
      (name) =>
        readFileSync(name, 'utf8')
          .replaceAll(/#.*/g, '')
          .match(/[\w.-]+/g) ?? [],
    ),
  )
}

/** Neither code of its kind nor what such code rests on. */
const withoutExport = (workspace: string, kind: CodeKind): readonly string[] => {
  const folder = codeFolder(workspace, kind)
  const ids = codeIds(workspace, kind)
  const used = new Set(ids.flatMap((id) => codeFiles(someFile(workspace, kind, id))))
  return codeNames(workspace, kind)
    .filter((name) => !name.endsWith('.d.ts') && !ids.includes(parse(name).name))
    .map((name) => join(folder, name))
    .filter((file) => !used.has(realpathSync(file)))
}
