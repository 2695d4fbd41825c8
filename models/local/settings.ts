import { z } from 'zod'
import { defined } from '../../cache/values/defined.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { clientPlace, type ModelDeployment } from '../deployment/model.ts'

/** Where a model's files come from: a folder of this machine, or a repository of the Hugging Face Hub. */
export type ModelSource =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'hub'; readonly id: string; readonly revision: string }

/** How a deployment wants its local model read and asked. */
export interface LocalSettings {
  readonly source: ModelSource
  /** ONNX file below the folder; needed only where it holds several. */
  readonly file?: string
  /** CPU threads of one step; onnxruntime's default is one a core. */
  readonly threads?: number
  readonly device: 'auto' | 'cpu' | 'cuda'
  /** Undefined: wherever the tokenizer has a chat template. */
  readonly applyChatTemplate?: boolean
  /** Requests answered at a time. */
  readonly maxBatch: number
  /**
   * Which log probabilities replies carry: the model's own, or as HELM's client those of the distribution that a token
   * was drawn from (0 where the likeliest is taken).
   */
  readonly logprobs: 'none' | 'model' | 'drawn'
  /**
   * As HELM's client: the tokens that open a text come before a rendered template, too; special tokens stay in the
   * answer; there is no finish reason.
   */
  readonly asHelm: boolean
}

export const HELM_CLASS = 'helm.clients.huggingface_client.HuggingFaceClient'

export const LOCAL_MODEL_CLASSES = ['medmake.local', HELM_CLASS] as const

/** Requests in one batch where the deployment says nothing. */
const MAX_BATCH = 8

const shared = {
  revision: z.string().min(1).optional(),
  file: z
    .string()
    .regex(/\.onnx$/, 'it must name an .onnx file')
    .optional(),
  threads: z.int().positive().optional(),
  apply_chat_template: z.boolean().optional(),
  max_batch: z.int().positive().default(MAX_BATCH),
}

const OwnArgs = z.strictObject({
  model: z.string().min(1, 'it must name a folder or a repository'),
  ...shared,
  device: z.enum(['auto', 'cpu', 'cuda']).default('auto'),
  logprobs: z.boolean().default(false),
})

/** The kinds of numbers and who loads them are the ONNX file's own matter: torch_dtype and trust_remote_code say nothing here. */
const HelmArgs = z.strictObject({
  pretrained_model_name_or_path: z.string().min(1).optional(),
  ...shared,
  device: z.string().optional(),
  device_map: z.string().optional(),
  torch_dtype: z.string().optional(),
  trust_remote_code: z.boolean().optional(),
})

export const isLocalModel = ({ client }: ModelDeployment): boolean =>
  LOCAL_MODEL_CLASSES.some((name) => name === client.className)

/** @throws ProblemError `models/local-args` for an argument that means nothing here */
export const localSettings = (deployment: ModelDeployment): LocalSettings => {
  const asHelm = deployment.client.className === HELM_CLASS
  if (asHelm) {
    const args = parse(HelmArgs, deployment)
    return {
      ...common(args),
      source: sourceOf(args.pretrained_model_name_or_path ?? deployment.modelName, args.revision),
      device: helmDevice(args.device ?? args.device_map ?? 'auto'),
      logprobs: 'drawn',
      asHelm,
    }
  }
  const args = parse(OwnArgs, deployment)
  return {
    ...common(args),
    source: sourceOf(args.model, args.revision),
    device: args.device,
    logprobs: args.logprobs ? 'model' : 'none',
    asHelm,
  }
}

/** What the model is called in keys and replies: nothing of where a folder lies on this machine. */
export const modelStringOf = ({ source }: LocalSettings): string =>
  source.kind === 'hub'
    ? `${source.id}@${source.revision}`
    : (source.path.split(/[\\/]/).findLast(Boolean) ?? '')

const common = (
  args: z.output<z.ZodObject<typeof shared>>,
): Pick<LocalSettings, 'file' | 'threads' | 'applyChatTemplate' | 'maxBatch'> =>
  defined({
    file: args.file,
    threads: args.threads,
    applyChatTemplate: args.apply_chat_template,
    maxBatch: args.max_batch,
  })

const REPOSITORY = /^([\w-][\w.-]*\/[\w.-]+)(?:@([\w.-]+))?$/

const sourceOf = (model: string, revision: string | undefined): ModelSource => {
  const [, id, tagged] = REPOSITORY.exec(model) ?? []
  return id === undefined
    ? { kind: 'folder', path: model }
    : { kind: 'hub', id, revision: revision ?? tagged ?? 'main' }
}

const helmDevice = (device: string): LocalSettings['device'] =>
  device === 'cpu' ? 'cpu' : device.startsWith('cuda') ? 'cuda' : 'auto'

const parse = <Schema extends z.ZodObject>(schema: Schema, deployment: ModelDeployment): z.output<Schema> => {
  const parsed = schema.safeParse(deployment.client.args)
  if (parsed.success) return parsed.data
  const known = Object.keys(schema.shape)
  throw new ProblemError(
    parsed.error.issues.map((issue) => {
      const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : []
      const name = unknown ?? issue.path.join('.')
      return {
        code: 'models/local-args',
        message:
          unknown === undefined
            ? `${name} of deployment ${deployment.name} can't be used: ${issue.message}`
            : `deployment ${deployment.name} has an argument ${name} that local models don't know`,
        where: clientPlace(deployment, 'args', name),
        remedy: `${unknown === undefined ? '' : suggestion(unknown, known)}Arguments: ${known.join(', ')}.`,
      }
    }),
  )
}
