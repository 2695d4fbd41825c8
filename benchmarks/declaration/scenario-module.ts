import { safeText, type SafeText, ProblemError, reasonOf } from '../../cache/problems/problem.ts'
import { basename, dirname, join } from 'node:path'
import { codeEntry } from '../../cache/user-code/code-entry.ts'
import { namesIn } from '../../cache/files/read.ts'
import { packageRoot, runsFromSource } from '../../cache/package-root.ts'
import { importFile } from '../../cache/user-code/import-file.ts'
import { loadCode } from '../../cache/user-code/load-code.ts'
import { checkedInstances } from '../user-code/checked-instances.ts'
import { catalogFolder } from '../context/context.ts'
import type { PyValue } from '../python/value.ts'
import type { DraftInstance } from '../scenario/instance.ts'
import type { RowGuard } from '../sources/table.ts'
import type { SourceData } from './data/scenario-data.ts'

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
interface ScenarioModule {
  readonly instances: (
    data: SourceData,
    /** Arguments, and what the declaration says that they imply. */
    args: ReadonlyMap<string, PyValue>,
    version: ScenarioVersion,
  ) => Iterable<DraftInstance> | AsyncIterable<DraftInstance>
}

/** File of a benchmark's own code. */
export interface ScenarioFile {
  readonly file: string
  /** In the bundle; its version is raised by hand. A workspace's is known by its content. */
  readonly isBuiltIn: boolean
}

export const isOfCatalog = (declaration: string, name: string): boolean =>
  dirname(declaration) === join(catalogFolder(), name)

/** Beside the declaration, or in the bundle for a built-in one; undefined where there is none. */
export const scenarioFile = (declaration: string, name: string): ScenarioFile | undefined => {
  const isBuiltIn = isOfCatalog(declaration, name)
  const home =
    isBuiltIn && !runsFromSource ? join(packageRoot(), 'dist', 'benchmarks', name) : dirname(declaration)
  const file = codeEntry(home, 'scenario')
  return file === undefined ? undefined : { file, isBuiltIn }
}

/** @throws ProblemError `benchmarks/no-instances`, `benchmarks/scenario-code`, those of `loadCode` */
export const loadScenario = async (declaration: string, name: string): Promise<ScenarioModule> => {
  const code = scenarioFile(declaration, name)
  if (code === undefined) throw noScenario(declaration, name)
  const loaded = await importScenario(code)
  if (typeof loaded === 'object' && loaded !== null && 'instances' in loaded)
    if (typeof loaded.instances === 'function') {
      const scenario = loaded as ScenarioModule
      if (code.isBuiltIn) return scenario
      return { instances: (...given) => checkedInstances(code.file, () => scenario.instances(...given)) }
    }
  throw codeProblem(code.file, safeText`it exports no function \`instances\``)
}

/** Rows of a table would be asked, where whoever wrote code means its instances. */
export const unusedScenario = (declaration: string, code: string, isSimple: boolean): ProblemError =>
  new ProblemError({
    code: 'benchmarks/unused-scenario',
    message: `${basename(code)} lies beside a declaration whose instances come from ${isSimple ? 'its dataset_file' : '`instances`'}: it would never be used`,
    where: { file: declaration },
    remedy: isSimple
      ? `Write the full form, with \`protocols\` and without prompt_file and dataset_file, as tools/init/guide.md of medmake shows; or give ${basename(code)} another name.`
      : `Take \`instances\` out of the protocol, or give ${basename(code)} another name.`,
  })

const noScenario = (declaration: string, name: string): ProblemError => {
  const lost = namesIn(dirname(declaration)).find((file) => /^scenario\.[cm]?[jt]sx?$/.test(file))
  return new ProblemError({
    code: 'benchmarks/no-instances',
    safe: safeText`the data hold nothing to ask`,
    message: `${name} says nowhere how its data becomes instances${lost === undefined ? '' : `: ${lost} is a link that leads nowhere`}`,
    where: { file: declaration },
    remedy:
      lost === undefined
        ? 'Add an `instances` section to the protocol, or a scenario.js beside the declaration.'
        : 'Let it lead to the code.',
  })
}

const importScenario = async ({ file, isBuiltIn }: ScenarioFile): Promise<unknown> => {
  try {
    if (!isBuiltIn) return await loadCode(file, 'benchmarks')
    return await importFile(file)
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw codeProblem(file, safeText`its import ended with an error`, error)
  }
}

/** @param safe words of ours; those of what was thrown may quote the data */
const codeProblem = (file: string, safe: SafeText, cause?: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'benchmarks/scenario-code',
      safe: safeText`the scenario's code can't be used: ${safe}`,
      message: `${basename(file)} can't be used: ${cause === undefined ? safe : reasonOf(cause)}`,
      where: { file },
      remedy: "Export `instances(data, args)`, as `defineScenario` of 'medmake' describes it.",
    },
    { cause },
  )
