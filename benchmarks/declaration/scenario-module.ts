import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ProblemError } from '../../cache/problem.ts'
import { packageRoot, runsFromSource } from '../../cache/package-root.ts'
import type { PyValue } from '../python/value.ts'
import type { DraftInstance } from '../scenario/draft.ts'
import type { RowGuard } from '../sources/row-guard.ts'
import type { ScenarioData } from './scenario-data.ts'

/** Which of a benchmark's versions is wanted. */
export interface ScenarioVersion {
  /** Protocol version, e.g. `helm-0.5.16`. */
  readonly protocol: string
  /** Errata to put right, of those whose correction is in the data. */
  readonly corrected: readonly string[]
  /** What becomes of a row that can't be used. */
  readonly rows: RowGuard
}

/** What a scenario.ts exports: the instances of data that no declared mapping fits, in HELM's order. */
export interface ScenarioModule {
  readonly instances: (
    data: ScenarioData,
    /** Arguments, and what the declaration says that they imply. */
    args: ReadonlyMap<string, PyValue>,
    version: ScenarioVersion,
  ) => Iterable<DraftInstance> | AsyncIterable<DraftInstance>
}

/** File of a benchmark's own code: beside its declaration, or in the bundle for a built-in one. */
export const scenarioFile = (declaration: string, name: string): string | undefined => {
  const folder = dirname(declaration)
  const builtIn = folder === join(packageRoot(), 'benchmarks', 'catalog', name)
  const candidates =
    builtIn && !runsFromSource
      ? [join(packageRoot(), 'dist', 'benchmarks', name, 'scenario.js')]
      : ['scenario.ts', 'scenario.js', 'scenario.mjs'].map((file) => join(folder, file))
  return candidates.find((file) => existsSync(file))
}

/** @throws ProblemError `benchmarks/no-instances`, `benchmarks/scenario-code` */
export const loadScenario = async (declaration: string, name: string): Promise<ScenarioModule> => {
  const file = scenarioFile(declaration, name)
  if (file === undefined)
    throw new ProblemError({
      code: 'benchmarks/no-instances',
      message: `${name} says nowhere how its data becomes instances`,
      where: { file: declaration },
      remedy: 'Add an `instances` section to the protocol, or a scenario.js beside the declaration.',
    })
  const loaded = await importFile(file)
  if (typeof loaded === 'object' && loaded !== null && 'instances' in loaded)
    if (typeof loaded.instances === 'function') return loaded as ScenarioModule
  throw codeProblem(file, 'it exports no function `instances`')
}

const importFile = async (file: string): Promise<unknown> => {
  try {
    return await import(/* @vite-ignore */ pathToFileURL(file).href)
  } catch (error) {
    throw codeProblem(file, error instanceof Error ? error.message : String(error), error)
  }
}

const codeProblem = (file: string, reason: string, cause?: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'benchmarks/scenario-code',
      message: `${file} can't be used: ${reason}`,
      where: { file },
      remedy:
        'Export `instances(data, args)`; in a workspace write JavaScript, which every Node version runs.',
    },
    { cause },
  )
