import type { ModelFiles } from '../deployment/model.ts'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessAbsent } from '../../cache/files/read.ts'
import { ProblemError } from '../../cache/problems/problem.ts'

/** Files that every model has. */
export const REQUIRED = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const
/** Files that some have. */
const OPTIONAL = ['chat_template.jinja', 'generation_config.json'] as const

/** What of a listing belongs to a model; undefined where the listing does not say which ONNX file is meant. */
export const chooseFiles = (
  names: readonly string[],
  file: string | undefined,
): { readonly model?: string; readonly models: readonly string[]; readonly all: readonly string[] } => {
  const models = names.filter((name) => /^(?:onnx\/)?[^/]+\.onnx$/.test(name)).toSorted()
  const model =
    file === undefined
      ? (['onnx/model.onnx', 'model.onnx'].find((usual) => models.includes(usual)) ??
        (models.length === 1 ? models[0] : undefined))
      : models.find((name) => name === file)
  const wanted = new Set<string>([...REQUIRED, ...OPTIONAL])
  const all = names.filter(
    (name) => wanted.has(name) || (model !== undefined && (name === model || isDataOf(model, name))),
  )
  return { models, all: all.toSorted(), ...(model === undefined ? {} : { model }) }
}

/** Weights beyond 2 GB lie beside the graph: model.onnx_data, model.onnx_data_1, model.onnx.data. */
const isDataOf = (model: string, name: string): boolean =>
  /^[._]data(?:_\d+)?$/.test(name.slice(model.length)) && name.startsWith(model)

/** Files of a folder and of its onnx/, by name; empty where there is no folder. */
export const listFolder = async (folder: string): Promise<readonly string[]> => {
  const [own, onnx] = await Promise.all([filesOf(folder), filesOf(join(folder, 'onnx'))])
  return [...own, ...onnx.map((name) => `onnx/${name}`)]
}

const filesOf = async (folder: string): Promise<readonly string[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
  } catch (error) {
    return unlessAbsent(error) ?? []
  }
}

/** @throws ProblemError `models/local-file` that names what is missing */
export const findModelFiles = async (folder: string, file?: string): Promise<ModelFiles> => {
  const names = await listFolder(folder)
  const { model, models, all } = chooseFiles(names, file)
  const missing = REQUIRED.filter((name) => !names.includes(name))
  if (model !== undefined && missing.length === 0) return { folder, model, all }
  throw model === undefined && models.length > 0
    ? noSuchModel(folder, models, file)
    : lacking(folder, [...missing, ...(model === undefined ? [file ?? 'onnx/model.onnx'] : [])])
}

const lacking = (folder: string, missing: readonly string[]): ProblemError =>
  new ProblemError({
    code: 'models/local-file',
    message: `the model's folder lacks ${missing.join(', ')}`,
    where: { file: folder },
    remedy:
      'Put an ONNX export with its tokenizer there: optimum-cli export onnx --task text-generation-with-past --model NAME FOLDER.',
  })

const noSuchModel = (folder: string, models: readonly string[], file: string | undefined): ProblemError =>
  new ProblemError({
    code: 'models/local-file',
    message:
      file === undefined
        ? `the model's folder holds ${models.length} ONNX files, and none is called model.onnx`
        : `the model's folder lacks ${file}`,
    where: { file: folder, field: 'client_spec.args.file' },
    remedy: `Name one in args: file: ${models.join(', ')}.`,
  })
