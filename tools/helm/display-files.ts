import { join } from 'node:path'
import { strip } from '../../benchmarks/python/text.ts'
import { ProblemError, type Problem } from '../../cache/problem.ts'
import { equalityKey } from '../../targets/aggregate/equality.ts'
import type { SchemaIndex } from '../../targets/aggregate/schema.ts'
import { mapAnswer } from '../../targets/metrics/map-answer.ts'
import { ArrayFile } from './array-file.ts'
import { displayPredictionForm, displayRequestRowForm } from './display-form.ts'
import { displayedMetrics } from './display-names.ts'
import { InstanceStats } from './instance-stats.ts'
import { instanceForm, type HelmInstance } from './instance.ts'
import { readPerInstanceStats, readRequestStates } from './read-run.ts'
import { exists, type SummaryRun } from './read-suite.ts'
import type { HelmRequestState } from './request-state.ts'
import { writeTogether } from './staged-file.ts'
import { RUN_FILES } from './write-run.ts'

/** The three files of a run's page (helm-core.md §5.7). */
const DISPLAY_FILES = ['instances.json', 'display_predictions.json', 'display_requests.json'] as const

const rowOf = ({ instance, trainTrialIndex }: HelmRequestState) => ({
  instanceId: String(instance.id),
  ...(instance.perturbation === undefined ? {} : { perturbation: instance.perturbation }),
  trainTrialIndex,
})

const prediction = (state: HelmRequestState, stats: InstanceStats, pattern: string | undefined) => {
  const completion = state.result?.completions[0]
  const predictedText = completion?.text ?? ''
  const { instance, outputMapping, referenceIndex, annotations } = state
  const mapped = outputMapping && mapAnswer(strip(predictedText), outputMapping, pattern)
  return displayPredictionForm.write({
    ...rowOf(state),
    predictedText,
    base64Images: [],
    ...(mapped === undefined ? {} : { mappedOutput: mapped }),
    ...(referenceIndex === undefined ? {} : { referenceIndex }),
    stats: stats.row({
      id: instance.id,
      ...(instance.perturbation === undefined ? {} : { perturbation: instance.perturbation }),
      trial: state.trainTrialIndex,
    }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(completion?.thinking === undefined ? {} : { thinkingText: completion.thinking }),
  })
}

/** HELM reads ids as texts; runs themselves may hold numbers. */
const withTextId = (instance: HelmInstance): HelmInstance =>
  instance.id === undefined ? instance : { ...instance, id: String(instance.id) }

const writeAll = async (run: SummaryRun, index: SchemaIndex): Promise<void> => {
  const stats = new InstanceStats(displayedMetrics(run, index))
  for await (const entry of readPerInstanceStats(run.path)) stats.add(entry)
  const pattern = run.adapter.outputMappingPattern
  const seen = new Set<string>()
  const paths = DISPLAY_FILES.map((name) => join(run.path, name))
  await writeTogether(paths, async (files) => {
    const [instances, predictions, requests] = files.map((file) => new ArrayFile(file))
    for await (const state of readRequestStates(run.path)) {
      if (state.result === undefined) continue
      const { instance } = state
      const key = JSON.stringify([String(instance.id), equalityKey(instance.perturbation)])
      if (!seen.has(key)) await instances?.push(instanceForm.write(withTextId(instance)))
      seen.add(key)
      await predictions?.push(prediction(state, stats, pattern))
      await requests?.push(displayRequestRowForm.write({ ...rowOf(state), request: state.request }))
    }
    for (const array of [instances, predictions, requests]) await array?.end()
  })
}

/**
 * Writes the files of a run's page, reading its states once and one at a time. A run without states, or with damaged
 * ones, gets no page and is named in the problems returned.
 */
export const writeDisplayFiles = async (
  run: SummaryRun,
  index: SchemaIndex,
  options: { readonly skipCompleted: boolean },
): Promise<readonly Problem[]> => {
  if (options.skipCompleted) {
    const there = await Promise.all(DISPLAY_FILES.map((name) => exists(join(run.path, name))))
    if (there.every(Boolean)) return []
  }
  const needed = [RUN_FILES.scenarioState, RUN_FILES.perInstanceStats]
  const there = await Promise.all(needed.map((name) => exists(join(run.path, name))))
  const missing = needed.filter((_, file) => there[file] === false)
  if (missing.length > 0) {
    return [
      {
        code: 'tools/no-run-page',
        message: `${run.path} has no ${missing.join(' and no ')}: its numbers count, its page stays empty.`,
        where: { file: run.path },
        remedy: 'Run the entry again if you want to look at its predictions.',
      },
    ]
  }
  try {
    await writeAll(run, index)
    return []
  } catch (error) {
    if (error instanceof ProblemError) return error.problems
    throw error
  }
}
