import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join, parse, relative } from 'node:path'
import { readFileSync } from '../../cache/files/plain-file.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { codeFiles } from '../../cache/user-code/code-files.ts'
import { isInCatalog } from '../context/catalog-folder.ts'
import type { MetricCatalog } from '../scenario/metric-catalog.ts'
import { codeFile, codeFolder, codeIds, codeNames, type CodeKind } from './find-code.ts'

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
  const file = codeFile(workspace, 'metric', name) ?? ''
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
      .map((id) =>
        unusedCode(workspace, codeFile(workspace, kind, id) ?? '', `benchmark.yaml's ${kind}s`, words),
      )
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
  const folder = join(workspace, 'benchmarks')
  if (!existsSync(folder)) return new Set()
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.ya?ml$/.test(name),
  )
  return new Set(
    files.flatMap(
      (name) =>
        readFileSync(join(folder, name), 'utf8')
          .replaceAll(/#.*/g, '')
          .match(/[\w.-]+/g) ?? [],
    ),
  )
}

/** Neither code of its kind nor what such code rests on. */
const withoutExport = (workspace: string, kind: CodeKind): readonly string[] => {
  const folder = codeFolder(workspace, kind)
  const ids = codeIds(workspace, kind)
  const used = new Set(ids.flatMap((id) => codeFiles(codeFile(workspace, kind, id) ?? '')))
  return codeNames(workspace, kind)
    .filter((name) => !name.endsWith('.d.ts') && !ids.includes(parse(name).name))
    .map((name) => join(folder, name))
    .filter((file) => !used.has(realpathSync(file)))
}
