import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readFile } from '../../cache/files/read.ts'
import { loads } from '../../benchmarks/python/json.ts'
import { dumps } from '../../benchmarks/python/dumps.ts'
import { isDict, isList } from '../../benchmarks/python/kinds.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { readRun } from '../helm/read-run.ts'
import type { HelmRequestState } from '../helm/forms/request-state.ts'
import { writeWholeFile } from '../helm/write/staged-file.ts'
import { REDACTED } from '../helm/redacted.ts'
import { DISPLAY_FILES } from '../helm/write/display-files.ts'
import { writeHelmRun } from '../helm/write/write-run.ts'

const ANNOTATION_KEYS: ReadonlySet<string> = new Set(['prompt_text', 'explanation'])

/** Keys under which the files of a run's page, states and instances hold texts of patients, models or judges. */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  ...ANNOTATION_KEYS,
  'text',
  'prompt',
  'predicted_text',
  'mapped_output',
  'thinking_text',
])

/** Members that go as a whole, as they go from the states: chats, images and what else a data set's rows held. */
const WITHOUT: ReadonlySet<string> = new Set([
  'messages',
  'extra_data',
  'contrast_inputs',
  'contrast_references',
  'multimodal_prompt',
  'multimedia_content',
])

/** Members whose every text is one of a judge, of a user's own code or an image, whatever key it stands under. */
const ALL_TEXT: ReadonlySet<string> = new Set(['annotations', 'base64_images'])

/** A value whose members `member` puts in place, however deep; undefined leaves one out. */
const withMembers = (
  value: PyValue,
  member: (key: string, item: PyValue) => PyValue | undefined,
): PyValue => {
  if (isList(value)) return value.map((item) => withMembers(item, member))
  if (!isDict(value)) return value
  return new Map(
    [...value].flatMap(([key, item]): readonly [string, PyValue][] => {
      const kept = member(key, item)
      return kept === undefined ? [] : [[key, kept]]
    }),
  )
}

/** Replaces every text under one of the keys, however deep. */
export const redactKeys = (value: PyValue, keys: ReadonlySet<string>): PyValue =>
  withMembers(value, (key, item) =>
    keys.has(key) && typeof item === 'string' ? REDACTED : redactKeys(item, keys),
  )

/** A file of a run's page without any text of `TEXT_KEYS`, `WITHOUT` and `ALL_TEXT`. */
const redactPage = (value: PyValue): PyValue =>
  withMembers(value, (key, item) => {
    if (WITHOUT.has(key)) return undefined
    const isText = ALL_TEXT.has(key) || (TEXT_KEYS.has(key) && typeof item === 'string')
    return isText ? redactEveryText(item) : redactPage(item)
  })

const redactEveryText = (value: PyValue): PyValue => {
  if (typeof value === 'string') return REDACTED
  if (isList(value)) return value.map(redactEveryText)
  return withMembers(value, (_, item) => redactEveryText(item))
}

const redactAnnotations = (state: HelmRequestState): HelmRequestState =>
  state.annotations === undefined
    ? state
    : {
        ...state,
        annotations: redactKeys(state.annotations, ANNOTATION_KEYS) as ReadonlyMap<string, PyValue>,
      }

/** No text of the instance, the prompt, the answer or the judges stays; ids, numbers and tags do. */
const redactTexts = (state: HelmRequestState): HelmRequestState => {
  const { instance, request, result, annotations, outputMapping } = state
  const { extraData, contrastInputs: _inputs, contrastReferences: _references, ...rest } = instance
  const { messages: _messages, multimodalPrompt: _images, ...plainRequest } = request
  return {
    ...state,
    instance: {
      ...rest,
      input: { text: REDACTED },
      references: instance.references.map(({ tags }) => ({ text: REDACTED, tags })),
      ...(extraData === undefined ? {} : { extraData: new Map() }),
    },
    ...(outputMapping === undefined
      ? {}
      : { outputMapping: new Map([...outputMapping.keys()].map((letter) => [letter, REDACTED])) }),
    request: { ...plainRequest, prompt: REDACTED },
    ...(result === undefined ? {} : { result: redactResult(result) }),
    ...(annotations === undefined
      ? {}
      : { annotations: redactEveryText(annotations) as ReadonlyMap<string, PyValue> }),
  }
}

const redactResult = (result: NonNullable<HelmRequestState['result']>): typeof result => ({
  ...result,
  completions: result.completions.map(({ logprob, finishReason }) => ({
    text: REDACTED,
    logprob,
    tokens: [],
    ...(finishReason === undefined ? {} : { finishReason }),
  })),
  ...(result.error === undefined ? {} : { error: REDACTED }),
})

/**
 * Redacts a run directory in place: judge prompts and explanations as HELM's script does, in the files of its page, too;
 * with `texts` every text of instances, prompts and answers. Each file is replaced whole; a damaged run stays untouched.
 * @returns names of the display files that were rewritten
 * @throws ProblemError `tools/torn-file`, `tools/bad-json`, `tools/not-helm-form`
 */
export const redactRun = async (directory: string, texts: boolean): Promise<readonly string[]> => {
  const run = await readRun(directory)
  const redact = texts ? redactTexts : redactAnnotations
  await writeHelmRun(directory, {
    ...run,
    states: async function* () {
      for await (const state of run.states()) yield redact(state)
    },
  })
  const rewritten: string[] = []
  for (const name of DISPLAY_FILES) {
    const file = join(directory, name)
    if (!existsSync(file)) continue
    const page = loads(await readFile(file, 'utf8'))
    const redacted = texts ? redactPage(page) : redactKeys(page, ANNOTATION_KEYS)
    await writeWholeFile(file, [dumps(redacted, { indent: 2 })])
    rewritten.push(name)
  }
  return rewritten
}
