import { join } from 'node:path'
import { exists } from '../../../cache/files/read.ts'
import { defined } from '../../../cache/values/defined.ts'
import { loads } from '../../../benchmarks/python/json.ts'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { strip } from '../../../benchmarks/python/text.ts'
import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import { equalityKey } from '../../../targets/tables/table.ts'
import { mapAnswer } from '../../../targets/metrics/scoring/map-answer.ts'
import { displayPredictionForm, displayRequestRowForm, displayStatsForm } from '../forms/display-form.ts'
import { texts } from '../forms/form.ts'
import { refloatedFields } from '../forms/stat.ts'
import { InstanceStats } from '../instance-values.ts'
import { instanceForm, type HelmInstance, type HelmRequestState } from '../forms/request-state.ts'
import { readPageStates, readRequestStates, readShownValues } from '../read-run.ts'
import { indented, writeTogether, type StagedFile } from './staged-file.ts'
import type { PlainState } from './plain-state.ts'
import { RUN_FILES } from './write-run.ts'

/** The three files of a run's page (HELM.md F5). */
export const DISPLAY_FILES = ['instances.json', 'display_predictions.json', 'display_requests.json'] as const

/** The files of a run that its page is made of. */
export const PAGE_SOURCES = [RUN_FILES.scenarioState, RUN_FILES.perInstanceStats] as const

const perturbationOf = ({ perturbation }: HelmInstance): Pick<HelmInstance, 'perturbation'> =>
  perturbation === undefined ? {} : { perturbation: refloatedFields(perturbation) }

const rowOf = ({ instance, trainTrialIndex }: HelmRequestState) => ({
  instanceId: String(instance.id),
  ...perturbationOf(instance),
  trainTrialIndex,
})

const CALIBRATED = 'multiple_choice_separate_calibrated'

/** Methods that ask for each option by itself: a page shows the chosen one. */
const SEPARATE: ReadonlySet<string> = new Set(['multiple_choice_separate_original', CALIBRATED])
const CHOSEN = 'predicted_index'

/** What an answer begins with that the prompt gave, by the adapter's methods that score such answers. */
const GIVEN: ReadonlyMap<string, (state: HelmRequestState) => string | undefined> = new Map([
  ['multiple_choice_separate_original', ({ instance }) => instance.input.text],
  [CALIBRATED, ({ instance }) => instance.input.text],
  ['language_modeling', ({ result }) => result?.completions[0]?.tokens[0]?.text],
])

/** Undefined where nothing was given, or the answer doesn't begin with it. */
const withoutGiven = (answer: string, given: string | undefined): string | undefined =>
  given !== undefined && given !== '' && answer.startsWith(given) ? answer.slice(given.length) : undefined

const prediction = (
  state: HelmRequestState,
  stats: InstanceStats,
  { method, outputMappingPattern: pattern }: PageTask,
) => {
  const completion = state.result?.completions[0]
  const answer = completion?.text ?? ''
  const media = mediaText(completion?.multimodalContent)
  const predictedText = media === '' ? answer : `${media} ${answer}`
  const { outputMapping, referenceIndex, annotations } = state
  const mapped = outputMapping && mapAnswer(strip(answer), outputMapping, pattern)
  const truncated = withoutGiven(predictedText, GIVEN.get(method)?.(state))
  return displayPredictionForm.write(
    defined({
      ...rowOf(state),
      predictedText,
      truncatedPredictedText: truncated,
      base64Images: [],
      mappedOutput: mapped,
      referenceIndex,
      stats: statsOf(state, stats),
      annotations,
      ...(completion?.thinking === undefined ? {} : { thinkingText: completion.thinking }),
    }),
  )
}

const statsOf = (
  { instance: { id, perturbation }, trainTrialIndex: trial }: HelmRequestState,
  stats: InstanceStats,
): ReadonlyMap<string, number> =>
  stats.row({ id, ...(perturbation === undefined ? {} : { perturbation }), trial })

/** Of options that were asked for by themselves the chosen one counts, and none that was asked only to calibrate. */
const isShown = (state: HelmRequestState, stats: InstanceStats, method: string): boolean => {
  if (!SEPARATE.has(method)) return true
  if (method === CALIBRATED && state.requestMode === 'calibration') return false
  const chosen = statsOf(state, stats).get(CHOSEN)
  return chosen === undefined || chosen === state.referenceIndex
}

/** As HELM reads it: an id is a text, and a probability a float, whatever the run holds. */
const asRead = (instance: HelmInstance): HelmInstance => ({
  ...instance,
  ...perturbationOf(instance),
  ...(instance.id === undefined ? {} : { id: String(instance.id) }),
})

/** The texts among an answer's media, which HELM shows before the answer's own text; of images it shows nothing here. */
const mediaText = (content: PyValue = null): string => {
  const media = content instanceof Map ? content.get('media_objects') : undefined
  const texts = (Array.isArray(media) ? media : []).map((item: PyValue) =>
    item instanceof Map && String(item.get('content_type')).startsWith('text/') ? item.get('text') : '',
  )
  return texts.filter((text) => typeof text === 'string').join('')
}

/** What a run's page is made of, besides the run's own files: plain data, which another thread can be sent. */
export interface PageTask {
  /** The run's folder. */
  readonly path: string
  /** Names of the metrics that the page shows. */
  readonly shown: readonly string[]
  /** The adapter's. */
  readonly method: string
  readonly outputMappingPattern?: string
}

/** JSON texts of what a page shows of a state, as they stand in lists of their own. */
interface StateTexts {
  /** Of the instance and its perturbation. */
  readonly key: string
  readonly instance: () => string
  readonly prediction: () => string
  readonly request: () => string
}

/** Undefined for a request that was never answered, or asked for an option that was not chosen. */
const textsOf = (
  state: HelmRequestState | PlainState,
  stats: InstanceStats,
  task: PageTask,
): StateTexts | undefined => {
  if ('answer' in state) return textsOfPlain(state, stats, task.outputMappingPattern)
  if (state.result === undefined || !isShown(state, stats, task.method)) return undefined
  const { instance } = state
  return {
    key: instanceKey(instance.id, instance.perturbation),
    instance: () => indented(instanceForm.write(asRead(instance)), 1),
    prediction: () => indented(prediction(state, stats, task), 1),
    request: () => indented(displayRequestRowForm.write({ ...rowOf(state), request: state.request }), 1),
  }
}

const textsOfPlain = (state: PlainState, stats: InstanceStats, pattern: string | undefined): StateTexts => {
  const { instance, request, answer, outputMapping } = state
  const id = JSON.parse(state.id) as string
  const row = `{\n    "instance_id": ${state.id},\n    "train_trial_index": ${state.trial},\n    `
  const means = (): string =>
    indented(displayStatsForm.write(stats.row({ id, trial: Number(state.trial) })), 2)
  const mapped = (): string | undefined =>
    outputMapping === undefined
      ? undefined
      : mapAnswer(strip(textIn(answer)), texts.read(loads(outputMapping), ''), pattern)
  const mappedMember = (option: string | undefined): string =>
    option === undefined ? '' : `"mapped_output": ${dumps(option)},\n    `
  return {
    key: instanceKey(id, undefined),
    instance: () => instance,
    prediction: () =>
      `${row}"predicted_text": ${answer},\n    "base64_images": [],\n    ${mappedMember(mapped())}"stats": ${means()}\n  }`,
    request: () => `${row}"request": ${request}\n  }`,
  }
}

const textIn = (json: string): string => JSON.parse(json) as string

const instanceKey = (id: HelmInstance['id'], perturbation: HelmInstance['perturbation']): string =>
  JSON.stringify([String(id), equalityKey(perturbation)])

const writeAll = async (task: PageTask): Promise<void> => {
  const { path, shown, method } = task
  const names = new Set(SEPARATE.has(method) ? [...shown, CHOSEN] : shown)
  const stats = new InstanceStats(names)
  for await (const entry of readShownValues(path, names)) stats.add(entry)
  const seen = new Set<string>()
  const paths = DISPLAY_FILES.map((name) => join(path, name))
  await writeTogether(paths, async (files) => {
    const [instances, predictions, requests] = files.map((file) => new ArrayFile(file))
    for await (const state of GIVEN.has(method) ? readRequestStates(path) : readPageStates(path)) {
      const parts = textsOf(state, stats, task)
      if (parts === undefined) continue
      if (!seen.has(parts.key)) instances?.push(parts.instance())
      predictions?.push(parts.prediction())
      requests?.push(parts.request())
      seen.add(parts.key)
    }
    for (const array of [instances, predictions, requests]) array?.end()
  })
}

/**
 * Writes the files of a run's page, reading its states once and one at a time. A run without states, or with damaged
 * ones, gets no page and is named in the problems returned.
 */
export const writeDisplayFiles = async (task: PageTask): Promise<readonly Problem[]> => {
  const { path } = task
  const there = await Promise.all(PAGE_SOURCES.map((name) => exists(join(path, name))))
  const missing = PAGE_SOURCES.filter((_, file) => there[file] === false)
  if (missing.length > 0) {
    return [
      {
        code: 'tools/no-run-page',
        message: `${path} has no ${missing.join(' and no ')}: its numbers count, its page stays empty.`,
        where: { file: path },
        remedy: 'Run the entry again if you want to look at its predictions.',
      },
    ]
  }
  try {
    await writeAll(task)
    return []
  } catch (error) {
    if (error instanceof ProblemError) return error.problems
    throw error
  }
}

/** A JSON list in a file of its own, written element by element. */
class ArrayFile {
  readonly #file: StagedFile
  #opened = false

  constructor(file: StagedFile) {
    this.#file = file
  }

  /** @param element its text, as it is to stand in the file */
  push(element: string): void {
    this.#file.write((this.#opened ? ',\n  ' : '[\n  ') + element)
    this.#opened = true
  }

  end(): void {
    this.#file.write(this.#opened ? '\n]' : '[]')
  }
}
