import { join, resolve } from 'node:path'
import { readFile } from '../../cache/files/read.ts'
import type { BenchmarkContext } from '../../benchmarks/context/context.ts'
import { fileDigest } from '../../benchmarks/sources/read-text.ts'
import {
  mirrorPath,
  checkDigest,
  fetchedPath,
  remoteFile,
} from '../../benchmarks/sources/fetch/remote-file.ts'
import { digestJson } from '../../cache/values/digest.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { ModelFiles, ModelDeployment } from '../../models/deployment/model.ts'
import { chooseFiles, findModelFiles, listFolder, REQUIRED } from '../../models/local/model-files.ts'
import { isLocalModel, localSettings, modelStringOf, type ModelSource } from '../../models/local/settings.ts'
import { isBuiltIn } from '../../models/tokenizers/tokenizer.ts'
import { remembered } from '../../cache/once.ts'

/**
 * Finds the files of a local model: on this machine, in the mirror, or on the Hugging Face Hub. Answers the deployment
 * with its weights, and with the model's own tokenizer where it names none that is at hand; any other deployment as it is.
 * Files are digested once and known by size and time from then on; no model is opened.
 *
 * @throws ProblemError `models/local-file`, `models/no-weights`, `benchmarks/changed-data`
 */
export type LocateModel = (deployment: ModelDeployment) => Promise<ModelDeployment>

export const createLocateModel = (context: BenchmarkContext): LocateModel => {
  const located = new Map<string, Promise<ModelDeployment>>()
  return async (deployment) =>
    isLocalModel(deployment)
      ? remembered(located, deployment.name, () => modelHere(deployment, context))
      : deployment
}

/** Folder in which the files of a source lie or are to be put. */
export const modelFolder = (
  source: ModelSource,
  { workspace, dataPath, mirror }: Pick<BenchmarkContext, 'workspace' | 'dataPath' | 'mirror'>,
): string =>
  source.kind === 'folder'
    ? resolve(workspace, source.path)
    : join(mirror ?? dataPath, mirrorPath(hubUrl(source, '')))

type HubSource = Extract<ModelSource, { kind: 'hub' }>

interface HubModel {
  readonly source: HubSource
  readonly deployment: ModelDeployment
}

const HUB = 'https://huggingface.co'

const hubUrl = ({ id, revision }: HubSource, name: string): string =>
  `${HUB}/${id}/resolve/${revision}/${name}`

const modelHere = async (
  deployment: ModelDeployment,
  context: BenchmarkContext,
): Promise<ModelDeployment> => {
  const settings = localSettings(deployment)
  const { source, file } = settings
  const folder = modelFolder(source, context)
  if (source.kind === 'hub' && !(await isChecked(source, folder, file, context))) {
    // What only looks at results fetches no gigabytes: there are none of this model.
    if (context.readOnly === true) return deployment
    await fetchModel({ source, deployment }, folder, file, context)
  }
  const files = await findModelFiles(folder, file)
  const digests = new Map<string, string>()
  for (const name of files.all) digests.set(name, await fileDigest(join(folder, name), context.fileDigests))
  const located = { ...deployment, weights: { digest: digestJson<'data'>([...digests]), files } }
  return withOwnTokenizer(located, files, digests, modelStringOf(settings))
}

/** HELM's rule for a model that is declared by its name alone: tokenizer and window are the model's own. */
const withOwnTokenizer = async (
  deployment: ModelDeployment,
  { folder }: ModelFiles,
  digests: ReadonlyMap<string, string>,
  modelString: string,
): Promise<ModelDeployment> => {
  const { tokenizerName, tokenizerFiles } = deployment
  if (tokenizerFiles !== undefined || (tokenizerName !== undefined && isBuiltIn(tokenizerName)))
    return deployment
  const own = ['tokenizer.json', 'tokenizer_config.json'].map((name) => digests.get(name) ?? '')
  const context = await ownContext(folder)
  return {
    ...deployment,
    tokenizerName: tokenizerName ?? modelString,
    tokenizerFiles: { folder, digest: digestJson<'data'>(own) },
    ...(deployment.maxSequenceLength !== undefined || context === undefined
      ? {}
      : { maxSequenceLength: context }),
  }
}

/** Larger than any: what transformers writes for a tokenizer that was told no limit. */
const NO_LIMIT = 1_000_000

const ownContext = async (folder: string): Promise<number | undefined> => {
  const told = async (file: string, field: string): Promise<number | undefined> => {
    const settings = JSON.parse(await readFile(join(folder, file), 'utf8')) as Record<string, unknown>
    const value = settings[field]
    return typeof value === 'number' && value <= NO_LIMIT ? value : undefined
  }
  return (
    (await told('tokenizer_config.json', 'model_max_length')) ??
    (await told('config.json', 'max_position_embeddings'))
  )
}

/** False where files are missing. Those that are here are held to datasets.lock, however they came. */
const isChecked = async (
  source: HubSource,
  folder: string,
  file: string | undefined,
  context: BenchmarkContext,
): Promise<boolean> => {
  const { model, all } = chooseFiles(await listFolder(folder), file)
  if (model === undefined || !REQUIRED.every((name) => all.includes(name))) return false
  for (const name of all) {
    const path = join(folder, name)
    const digest = await fileDigest(path, context.fileDigests)
    await checkDigest({ url: hubUrl(source, name) }, { path, digest }, context)
  }
  return true
}

/** Fetches the ONNX file last: where it is, all is. */
const fetchModel = async (
  wantedModel: HubModel,
  folder: string,
  file: string | undefined,
  context: BenchmarkContext,
): Promise<void> => {
  const { source } = wantedModel
  try {
    const wanted = chooseFiles(await listHub(source, context), file)
    if (wanted.model === undefined) throw noExport(wantedModel, folder, wanted.models)
    for (const name of wanted.all.toSorted((a, b) => Number(a === wanted.model) - Number(b === wanted.model)))
      await remoteFile({ url: hubUrl(source, name) }, context)
  } catch (error) {
    if (error instanceof ProblemError && UNREACHABLE.has(error.problems[0]?.code ?? ''))
      throw noWeights(wantedModel, folder, error)
    throw error
  }
}

const UNREACHABLE = new Set(['benchmarks/download', 'benchmarks/not-found', 'benchmarks/not-mirrored'])

const listHub = async (source: HubSource, context: BenchmarkContext): Promise<readonly string[]> => {
  const path = await fetchedPath(
    `${HUB}/api/models/${source.id}/tree/${source.revision}?recursive=true`,
    context,
  )
  const listing: unknown = JSON.parse(await readFile(path, 'utf8'))
  return (Array.isArray(listing) ? (listing as readonly { readonly path?: unknown }[]) : []).flatMap(
    ({ path: name }) => (typeof name === 'string' ? [name] : []),
  )
}

/** The way without weights in this process. */
const servedInstead = ({ source: { id }, deployment: { name, modelName } }: HubModel): string =>
  `Or serve it (vLLM, llama.cpp, Ollama) and lead the deployment there by an entry of prod_env/model_deployments.yaml: \`- { name: ${name}, model_name: ${modelName}, client_spec: { class_name: medmake.chat, args: { base_url: "http://127.0.0.1:8000/v1", model: ${id} } } }\`.`

const noWeights = (wanted: HubModel, folder: string, cause: ProblemError): ProblemError =>
  new ProblemError(
    {
      code: 'models/no-weights',
      message: `the files of ${wanted.source.id} (${wanted.source.revision}) are not here and can't be fetched: ${cause.problems[0]?.message ?? cause.message}`,
      where: { file: folder },
      remedy: `Try again with a network, or put an ONNX export into that folder by hand: ${REQUIRED.join(', ')}, onnx/model.onnx. ${servedInstead(wanted)}`,
    },
    { cause },
  )

const noExport = (wanted: HubModel, folder: string, models: readonly string[]): ProblemError =>
  models.length > 0
    ? new ProblemError({
        code: 'models/no-weights',
        message: `${wanted.source.id} holds ${models.length} ONNX files, and none is called model.onnx`,
        where: { file: folder, field: 'client_spec.args.file' },
        remedy: `Name one in args: file: ${models.join(', ')}.`,
      })
    : new ProblemError({
        code: 'models/no-weights',
        message: `${wanted.source.id} holds no ONNX export`,
        where: { file: folder },
        remedy: `Name a repository that holds one, or make one: optimum-cli export onnx --task text-generation-with-past --model ${wanted.source.id} ${folder}. ${servedInstead(wanted)}`,
      })
