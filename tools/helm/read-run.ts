import { join } from 'node:path'
import { list } from './forms/form.ts'
import { readElements, readJson } from './read-json.ts'
import { requestStateForm, type HelmRequestState } from './forms/request-state.ts'
import {
  plainInstanceValues,
  shownInstanceValues,
  type HelmInstanceValues,
  type ShownInstanceValues,
} from './instance-values.ts'
import { runSpecForm, type HelmRunSpec, scenarioForm, type HelmScenario } from './forms/run-spec.ts'
import { perInstanceStatsForm, statForm, type HelmPerInstanceStats, type HelmStat } from './forms/stat.ts'
import { plainState, type PlainState } from './write/plain-state.ts'
import { RUN_FILES, type HelmFiles } from './write/write-run.ts'

export const readRunSpec = (directory: string): Promise<HelmRunSpec> =>
  readJson(join(directory, RUN_FILES.runSpec), runSpecForm)

export const readScenario = (directory: string): Promise<HelmScenario> =>
  readJson(join(directory, RUN_FILES.scenario), scenarioForm)

export const readStats = (directory: string): Promise<readonly HelmStat[]> =>
  readJson(join(directory, RUN_FILES.stats), list(statForm))

/** Request states of a run directory in file order, one in memory at a time. */
export const readRequestStates = (directory: string): AsyncGenerator<HelmRequestState> =>
  readElements({ file: join(directory, RUN_FILES.scenarioState), key: 'request_states' }, requestStateForm)

/** The same, those of the common kind by their text alone. */
export const readPageStates = (directory: string): AsyncGenerator<HelmRequestState | PlainState> =>
  readElements<HelmRequestState | PlainState>(
    { file: join(directory, RUN_FILES.scenarioState), key: 'request_states' },
    requestStateForm,
    plainState,
  )

/** Elements of per_instance_stats.json in file order, one in memory at a time. */
export const readPerInstanceStats = (directory: string): AsyncGenerator<HelmPerInstanceStats> =>
  readElements({ file: join(directory, RUN_FILES.perInstanceStats), key: '' }, perInstanceStatsForm)

/** The same without what only writing them again needs: several times as fast. */
export const readInstanceValues = (directory: string): AsyncGenerator<HelmInstanceValues> =>
  readElements<HelmInstanceValues>(
    { file: join(directory, RUN_FILES.perInstanceStats), key: '' },
    perInstanceStatsForm,
    plainInstanceValues,
  )

/** Means of the metrics `shown` alone, and, where that is quicker, of no other. */
export const readShownValues = (
  directory: string,
  shown: ReadonlySet<string>,
): AsyncGenerator<ShownInstanceValues> =>
  readElements<ShownInstanceValues>(
    { file: join(directory, RUN_FILES.perInstanceStats), key: '' },
    perInstanceStatsForm,
    (text) => shownInstanceValues(text, shown) ?? plainInstanceValues(text),
  )

/**
 * A run directory that helm-run or this project wrote; writeHelmRun gives back the same bytes.
 * @throws ProblemError `tools/torn-file`, `tools/bad-json`, `tools/not-helm-form`
 */
export const readRun = async (directory: string): Promise<HelmFiles> => ({
  runSpec: await readRunSpec(directory),
  scenario: await readScenario(directory),
  stats: await readStats(directory),
  states: () => readRequestStates(directory),
  perInstanceStats: () => readPerInstanceStats(directory),
})
