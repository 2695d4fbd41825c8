import { join } from 'node:path'
import { strip } from '../../benchmarks/python/text.ts'
import { ProblemError, type Problem } from '../../cache/problem.ts'
import { equalityKey } from '../../targets/aggregate/equality.ts'
import type { SchemaIndex } from '../../targets/aggregate/schema.ts'
import { ArrayFile } from './array-file.ts'
import { displayPredictionForm, displayRequestRowForm } from './display-form.ts'
import { displayedMetrics } from './display-names.ts'
import { InstanceStats } from './instance-stats.ts'
import { instanceForm } from './instance.ts'
import { readPerInstanceStats, readRequestStates } from './read-run.ts'
import { exists, type SummaryRun } from './read-suite.ts'
import type { HelmRequestState } from './request-state.ts'
import { writeTogether } from './staged-file.ts'
import { RUN_FILES } from './write-run.ts'

/** The three files of a run's page (helm-core.md §5.7). */
const DISPLAY_FILES = ['instances.json', 'display_predictions.json', 'display_requests.json'] as const

const labelIn = (text: string, pattern: RegExp | undefined): string => {
  if (pattern === undefined) return text
  const match = pattern.exec(text)
  return match?.[1] ?? match?.[0] ?? ''
}

/** The option that a prediction names, if it names one. */
const mappedOutput = (
  state: HelmRequestState,
  predicted: string,
  pattern: RegExp | undefined,
): string | undefined => state.outputMapping?.get(labelIn(strip(predicted), pattern))

const rowOf = ({ instance, trainTrialIndex }: HelmRequestState) => ({
  instanceId: String(instance.id),
  ...(instance.perturbation === undefined ? {} : { perturbation: instance.perturbation }),
  trainTrialIndex,
})

const prediction = (state: HelmRequestState, stats: InstanceStats, pattern: RegExp | undefined) => {
  const completion = state.result?.completions[0]
  const predictedText = completion?.text ?? ''
  const mapped = mappedOutput(state, predictedText, pattern)
  const { instance, referenceIndex, annotations } = state
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

const outputPattern = (run: SummaryRun): RegExp | undefined => {
  const pattern = run.adapter.outputMappingPattern
  return pattern === undefined ? undefined : new RegExp(pattern, 'u')
}

const writeAll = async (run: SummaryRun, index: SchemaIndex): Promise<void> => {
  const stats = new InstanceStats(displayedMetrics(run, index))
  for await (const entry of readPerInstanceStats(run.path)) stats.add(entry)
  const pattern = outputPattern(run)
  const seen = new Set<string>()
  const paths = DISPLAY_FILES.map((name) => join(run.path, name))
  await writeTogether(paths, async (files) => {
    const [instances, predictions, requests] = files.map((file) => new ArrayFile(file))
    for await (const state of readRequestStates(run.path)) {
      const key = JSON.stringify([String(state.instance.id), equalityKey(state.instance.perturbation)])
      if (!seen.has(key)) {
        const { id } = state.instance
        await instances?.push(
          instanceForm.write(id === undefined ? state.instance : { ...state.instance, id: String(id) }),
        )
      }
      seen.add(key)
      if (state.result === undefined) continue
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
