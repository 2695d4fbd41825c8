import { join } from 'node:path'
import { chmod, readdir, stat } from 'node:fs/promises'
import type { RequestState } from '../../../targets/record/request-state.ts'
import type { RunSpec } from '../../../targets/record/target.ts'
import type { PerInstanceStats, Stat } from '../../../targets/record/stat.ts'
import {
  adapterSpecForm,
  objectSpecForm,
  helmRunSpec,
  runSpecForm,
  type HelmRunSpec,
  helmScenario,
  scenarioForm,
  type HelmScenario,
} from '../forms/run-spec.ts'
import { list } from '../forms/form.ts'
import {
  arrayChunks,
  indented,
  jsonChunks,
  type Stream,
  writeFilesTogether,
  type Chunks,
} from './staged-file.ts'
import { requestStateForm, type HelmRequestState } from '../forms/request-state.ts'
import {
  isWritten,
  perInstanceStatsForm,
  statForm,
  type HelmPerInstanceStats,
  type HelmStat,
} from '../forms/stat.ts'
import { makeFolder } from '../../../cache/files/folders.ts'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'

/** A finished run of ours. States and per-instance stats are read once, one at a time. */
export interface ResultFiles {
  readonly runSpec: RunSpec
  readonly states: () => Stream<RequestState>
  readonly stats: readonly Stat[]
  readonly perInstanceStats: () => Stream<PerInstanceStats>
}

/** The same in HELM's terms, as readRun gives it back. */
export interface HelmFiles {
  readonly runSpec: HelmRunSpec
  readonly scenario: HelmScenario
  readonly states: () => Stream<HelmRequestState>
  readonly stats: readonly HelmStat[]
  readonly perInstanceStats: () => Stream<HelmPerInstanceStats>
}

/** The five files of a run directory (HELM.md F2). */
export const RUN_FILES = {
  scenarioState: 'scenario_state.json',
  perInstanceStats: 'per_instance_stats.json',
  scenario: 'scenario.json',
  stats: 'stats.json',
  runSpec: 'run_spec.json',
} as const

const scenarioStateChunks = async function* (run: HelmFiles): AsyncGenerator<string> {
  const { adapterSpec, annotators } = run.runSpec
  yield `{\n  "adapter_spec": ${indented(adapterSpecForm.write(adapterSpec), 1)},\n  "request_states": `
  yield* arrayChunks(run.states(), requestStateForm.write, 1)
  if (annotators !== undefined) {
    yield `,\n  "annotator_specs": ${indented(list(objectSpecForm).write(annotators), 1)}`
  }
  yield '\n}'
}

const perInstanceStatsChunks = (run: HelmFiles): Chunks =>
  arrayChunks(run.perInstanceStats(), (entry) =>
    perInstanceStatsForm.write({ ...entry, stats: entry.stats.filter(isWritten) }),
  )

/** Writes HELM's five files to `directory`. run_spec.json comes last: no reader takes the directory for whole before. */
export const writeHelmRun = async (directory: string, run: HelmFiles): Promise<void> =>
  writeFilesTogether(
    new Map<string, Chunks>([
      [join(directory, RUN_FILES.scenarioState), scenarioStateChunks(run)],
      [join(directory, RUN_FILES.perInstanceStats), perInstanceStatsChunks(run)],
      [join(directory, RUN_FILES.scenario), jsonChunks(scenarioForm.write(run.scenario))],
      [join(directory, RUN_FILES.stats), jsonChunks(list(statForm).write(run.stats.filter(isWritten)))],
      [join(directory, RUN_FILES.runSpec), jsonChunks(runSpecForm.write(run.runSpec))],
    ]),
  )

/** Writes a run's five files to its folder, byte for byte as helm-run would (HELM.md F2). */
export const writeRun = async ({ path }: RunFolder, run: ResultFiles): Promise<void> =>
  writeHelmRun(path, { ...run, runSpec: helmRunSpec(run.runSpec), scenario: helmScenario(run.runSpec) })

/** What a run's files hold besides its results. */
export const declaredText = (run: RunSpec): string =>
  indented([scenarioForm.write(helmScenario(run)), runSpecForm.write(helmRunSpec(run))], 0)

declare const OPENED: unique symbol

/** A folder that may take a run's texts: somebody looked at who may read them. */
interface RunFolder {
  readonly path: string
  readonly [OPENED]: true
}

/** Makes a run's folder; nobody but its owner enters that of a benchmark that is not public. */
export const openRunFolder = async (
  path: string,
  { access }: Pick<Benchmark, 'access'>,
): Promise<RunFolder> => {
  if (access !== 'public') await closeToOthers(path)
  makeFolder(path)
  // Files take over their folder's mode.
  if (access !== 'public') await chmod(path, 0o700)
  return { path } as RunFolder
}

/** Of a release whose maker said by name that its texts may be handed out. */
export const handedOutFolder = (path: string, _run: { readonly withText: true }): RunFolder =>
  ({ path }) as RunFolder

/** What was written while the benchmark was public. */
export const closeToOthers = async (path: string): Promise<void> => {
  const mode = (await stat(path).catch(() => undefined))?.mode
  if (mode === undefined || (mode & 0o077) === 0) return
  await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isFile()) await chmod(join(path, entry.name), 0o600)
}
