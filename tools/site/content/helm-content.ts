import { join } from 'node:path'
import { z } from 'zod'
import { readFile } from '../../../cache/files/read.ts'
import type { Taxonomy } from '../../../benchmarks/taxonomy.ts'
import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import { boardUncertainty } from '../../../targets/board/board-uncertainty.ts'
import { boardSubgroups } from '../../../targets/board/board-subgroups.ts'
import { rankedTasks } from '../../../targets/board/board-tasks.ts'
import { helmRuns, type HelmReading } from '../../helm/helm-runs.ts'
import { readSuite } from '../../helm/read-suite.ts'
import type { SiteSuite } from '../site.ts'
import { siteSuite } from './site-suite.ts'

/** What helm-server was asked to show: a folder of `runs/` or `releases/`. */
export interface HelmScope {
  readonly kind: 'suite' | 'release'
  readonly name: string
}

export interface HelmSources extends HelmReading {
  readonly outputPath: string
  readonly registry: ModelRegistry
  /** The order of the board's columns; without it they stand as the runs do. */
  readonly taxonomy?: Taxonomy
}

/**
 * A board from files that helm-run and helm-summarize wrote, ours or HELM's own.
 * @returns `problems`: runs that could not be read or that no group of the schema shows
 * @throws ProblemError `tools/no-such-suite`
 */
export const helmContent = async (
  scope: HelmScope,
  sources: HelmSources,
): Promise<{ readonly suite: SiteSuite; readonly problems: readonly Problem[] }> => {
  const { outputPath, registry, taxonomy } = sources
  const folder = join(outputPath, scope.kind === 'suite' ? 'runs' : 'releases', scope.name)
  const suites = scope.kind === 'suite' ? [scope.name] : await suitesOfRelease(folder)
  const read = await Promise.all(suites.map((name) => readSuite(outputPath, name)))
  const { runs, problems } = await helmRuns(
    read.flatMap((each) => each.runs),
    { ...sources, suite: scope.name, schemaFile: join(folder, 'schema.json') },
  )
  const suite = await siteSuite({
    suite: scope.name,
    runs,
    ...(taxonomy && { taxonomy }),
    prices: registry.prices,
    uncertainty: boardUncertainty,
    tasks: rankedTasks,
    subgroups: boardSubgroups,
  })
  return { suite, problems: [...read.flatMap((each) => each.problems), ...problems] }
}

const Release = z.object({ suites: z.array(z.string()) })

export const suitesOfRelease = async (folder: string): Promise<readonly string[]> => {
  const file = join(folder, 'summary.json')
  try {
    return Release.parse(JSON.parse(await readFile(file, 'utf8'))).suites
  } catch (cause) {
    throw new ProblemError(
      {
        code: 'tools/no-such-release',
        message: `there is no release at ${folder}`,
        where: { file },
        remedy: 'Check --release and --output-path, or make it with `medmake summarize --release`.',
      },
      { cause },
    )
  }
}
